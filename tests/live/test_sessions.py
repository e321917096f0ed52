"""Telling pages that their session has ended."""

import threading

import pytest

from accounts.sessions import SessionStore
from games.live import sessions

pytestmark = pytest.mark.django_db(transaction=True)


def test_nobody_who_signs_out_waits_for_a_channel_layer_that_hangs(monkeypatch):
    let, told = threading.Event(), threading.Event()

    class Hanging:
        async def group_send(self, group, message):
            let.wait(10)
            told.set()

    monkeypatch.setattr(sessions, "get_channel_layer", Hanging)
    session = SessionStore()
    session.create()
    session.delete()
    assert not told.is_set()
    let.set()
    assert told.wait(10)


@pytest.mark.slow
def test_pages_are_told_when_the_channel_layer_is_back(monkeypatch):
    told = threading.Event()
    fails = [ConnectionError()]

    class Away:
        async def group_send(self, group, message):
            if fails:
                raise fails.pop()
            told.set()

    monkeypatch.setattr(sessions, "get_channel_layer", Away)
    session = SessionStore()
    session.create()
    session.delete()
    assert told.wait(10)
