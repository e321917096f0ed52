"""Tasks of matches, and the workers of extras."""

import os
from uuid import uuid4

import pytest
from celery.signals import celeryd_init

from games.matches import tasks
from games.matches.models import ConditionalMoves, Player
from games.matches.plans.lines import Lines, unconditional_steps
from tests.fixtures import NOW


def test_a_task_plays_the_queued_moves_of_a_match(play):
    ConditionalMoves.objects.create(
        player=Player.objects.get(match=play.id, seat=0),
        nodes=Lines().with_line(unconditional_steps(["1"], 0), 0).dump(),
        after=0,
        waits=False,
        submission=uuid4(),
    )
    tasks.run_queues.delay(play.id)
    assert play.match.version == 1
    assert play.match.changed > NOW


@pytest.mark.parametrize(
    ("queues", "priorities"),
    [(["extras"], [19]), (["thinking"], []), (["thinking", "extras"], []), (None, [])],
)
def test_a_worker_of_extras_alone_lets_all_others_go_first(queues, priorities, monkeypatch):
    given = []
    monkeypatch.setattr(os, "setpriority", lambda _, __, priority: given.append(priority))
    celeryd_init.send(sender="worker", options={"queues": queues})
    assert given == priorities
