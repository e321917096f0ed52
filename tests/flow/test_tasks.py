"""The tasks: where they stand, and under which names they are taken."""

import pytest

from config.settings.base import CELERY_TASK_ROUTES
from games import tasks as last_release
from games.lobby import tasks as lobby
from games.matches import tasks
from games.matches.models import Player, Queue
from tests.fixtures import NOW

NEW = (
    tasks.sweep_clocks,
    tasks.send_reminders,
    tasks.sweep_orders,
    tasks.answer_order,
    tasks.sweep_queues,
    tasks.run_queues,
    lobby.expire_challenges,
)


@pytest.mark.parametrize("task", NEW, ids=lambda task: task.name)
def test_a_task_queued_by_the_last_release_is_still_taken(task, monkeypatch):
    done = []
    monkeypatch.setattr(type(task), "__call__", lambda self, *args: done.append((self.name, args)))
    old = getattr(last_release, task.name.rpartition(".")[2])
    assert old.name == f"games.tasks.{task.name.rpartition('.')[2]}"
    args = (7,) if task in (tasks.answer_order, tasks.run_queues) else ()
    old.run(*args)
    assert done == [(task.name, args)]
    assert CELERY_TASK_ROUTES[old.name] == CELERY_TASK_ROUTES[task.name]


def test_an_old_name_does_the_work(play):
    Queue.objects.create(
        player=Player.objects.get(match=play.id, seat=0), moves=["1"], after=0, waits=False
    )
    last_release.run_queues.delay(play.id)
    assert play.match.version == 1
    assert play.match.changed > NOW
