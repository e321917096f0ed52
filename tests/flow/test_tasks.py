"""The tasks of matches."""

from games.matches import tasks
from games.matches.models import Player, Queue
from tests.fixtures import NOW


def test_a_task_plays_the_queued_moves_of_a_match(play):
    Queue.objects.create(
        player=Player.objects.get(match=play.id, seat=0), moves=["1"], after=0, waits=False
    )
    tasks.run_queues.delay(play.id)
    assert play.match.version == 1
    assert play.match.changed > NOW
