"""Pushes after a change: they neither fail nor slow it, and catch up when they can."""

import asyncio
import threading

import pytest
from channels.layers import InMemoryChannelLayer

from config import background
from games.matches.models import Match
from games.matches.notify import push
from games.matches.signals import plans_may_run
from games.matches.tasks import plan_runs, run_queues

PATIENCE = 60
pytestmark = pytest.mark.django_db


class Layer(InMemoryChannelLayer):
    """A channel layer that can be away or hang, and notes what it was sent."""

    def __init__(self):
        super().__init__()
        self.trouble, self.hangs, self.sent, self.asked = None, False, [], 0

    async def group_send(self, group, message):
        self.asked += 1
        if self.hangs:
            await asyncio.sleep(PATIENCE)
        if self.trouble:
            raise self.trouble
        self.sent.append((group, message.get("version")))


@pytest.fixture
def layer(monkeypatch):
    found = Layer()
    monkeypatch.setattr(push, "get_channel_layer", lambda: found)
    monkeypatch.setattr(background, "RETRY_DELAY", 0.01)
    monkeypatch.setattr(push, "BACKGROUND_TIMEOUT", 1.0)
    yield found
    found.trouble, found.hangs = None, False
    push.pushes.wait(PATIENCE)


@pytest.fixture
def change(django_capture_on_commit_callbacks):
    def make(version):
        with django_capture_on_commit_callbacks(execute=True):
            push.match_changed(7, version, [])

    return make


def test_a_push_goes_out_with_the_commit(layer, change):
    change(1)
    assert layer.sent == [("match.7", 1)]


def test_pushes_catch_up_with_the_newest_version(layer, change):
    layer.trouble = ConnectionError("away")
    for version in (1, 2, 3):
        change(version)
    assert layer.sent == []
    layer.trouble = None
    push.pushes.wait(PATIENCE)
    assert layer.sent[-1] == ("match.7", 3)


def test_a_layer_that_hangs_keeps_one_change_for_a_moment_and_the_others_not_at_all(layer, change):
    layer.hangs = True
    change(1)
    asked = layer.asked
    for version in range(2, 30):
        change(version)
    assert layer.asked - asked < 28, "only the thread asks"


def test_a_broker_that_hangs_keeps_no_change(monkeypatch, django_capture_on_commit_callbacks):
    goes_on, woken = threading.Event(), []

    def hang(args, **_):
        assert goes_on.wait(PATIENCE)
        woken.extend(args)

    monkeypatch.setattr(run_queues, "apply_async", hang)
    with django_capture_on_commit_callbacks(execute=True):
        plans_may_run.send(Match, match_id=7, exist=True)
    assert woken == []
    goes_on.set()
    plan_runs.wait(PATIENCE)
    assert woken == [7]
