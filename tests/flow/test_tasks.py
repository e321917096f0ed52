"""The tasks of matches."""

from uuid import uuid4

from games.matches import tasks
from games.matches.models import ConditionalMoves, Player
from games.matches.plans.lines import one_line
from tests.fixtures import NOW


def test_a_task_plays_the_queued_moves_of_a_match(play):
    ConditionalMoves.objects.create(
        player=Player.objects.get(match=play.id, seat=0),
        nodes=one_line(["1"], 0).dump(),
        after=0,
        waits=False,
        submission=uuid4(),
    )
    tasks.run_queues.delay(play.id)
    assert play.match.version == 1
    assert play.match.changed > NOW
