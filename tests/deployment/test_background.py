"""Work that is done outside of a request."""

import threading

import pytest

from config import background
from config.background import Background

PATIENCE = 10


@pytest.fixture(autouse=True)
def _hurry(monkeypatch):
    monkeypatch.setattr(background, "RETRY_DELAY", 0.01)


def test_what_fails_is_tried_again_with_what_came_meanwhile():
    asked, done = threading.Event(), {}
    answers = iter([OSError("away"), OSError("away"), None])

    def work(items):
        asked.set()
        if error := next(answers):
            raise error
        done.update(items)

    versions = Background("versions", work, max)
    versions.put({"a": 1, "b": 5})
    assert asked.wait(PATIENCE)
    versions.put({"a": 2, "b": 4})
    versions.wait(PATIENCE)
    assert done == {"a": 2, "b": 5}
    assert versions.is_idle


def test_work_that_hangs_keeps_nobody():
    let, count = threading.Event(), []

    def work(items):
        count.append(items)
        let.wait(PATIENCE)

    slow = Background("slow", work, max)
    for number in range(100):
        slow.put({"key": number})
    assert not slow.is_idle
    let.set()
    slow.wait(PATIENCE)
    assert count[-1] == {"key": 99}
    assert len(count) <= 2


def test_what_comes_soon_finds_the_thread_still_there(monkeypatch):
    threads = []
    runs = Background("runs", lambda _: threads.append(threading.get_ident()), max)
    for linger in (PATIENCE, 0):
        monkeypatch.setattr(background, "LINGER", linger)
        runs.put({"a": 1})
        runs.wait(PATIENCE)
        assert runs.is_idle
    assert len(set(threads)) == 1
    assert len(threads) == 2


def test_what_is_too_much_is_dropped(monkeypatch):
    monkeypatch.setattr(background, "MAX_WAITING", 2)
    let, count = threading.Event(), []

    def work(items):
        let.wait(PATIENCE)
        count.append(len(items))

    full = Background("full", work, max)
    full.put({number: number for number in range(10)})
    let.set()
    full.wait(PATIENCE)
    assert sum(count) == 2
