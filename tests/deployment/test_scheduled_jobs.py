"""The worker and the beat of a site in one process."""

import threading
from types import SimpleNamespace

import celery._state
import pytest
from celery import Celery

from config.local import scheduled_jobs as module
from config.local.scheduled_jobs import ScheduledJobs
from config.server import server, signals

PATIENCE = 10


@pytest.fixture
def app():
    app = Celery("clockwork-of-a-test", broker="memory://localhost", set_as_current=False)
    app.conf.broker_transport_options = {"polling_interval": 0.01}
    app.conf.task_ignore_result = True
    app.conf.task_default_queue = "slow"
    app.conf.task_routes = {"quick": {"queue": "quick"}}
    # Threads of a worker ask for the application of the process.
    before = celery._state.default_app
    app.set_default()
    yield app
    # What one test leaves in memory is not for the next.
    app.control.purge()
    app.close()
    before.set_default()


@pytest.fixture
def slow(app):
    """A task that says when it begins and ends, and ends when it is let."""
    begun, let, ended = (threading.Event() for _ in range(3))

    @app.task(name="slow", shared=False)
    def task():
        begun.set()
        let.wait(PATIENCE)
        ended.set()

    return SimpleNamespace(send=task.delay, begun=begun, let=let, ended=ended)


@pytest.fixture
def scheduled_jobs(app, slow):
    scheduled_jobs = ScheduledJobs(app, ["slow", "quick"])
    yield scheduled_jobs
    slow.let.set()
    scheduled_jobs.stop()


def test_beat_gives_work_and_the_worker_does_it(app, slow, scheduled_jobs):
    app.conf.beat_schedule = {"often": {"task": "slow", "schedule": 0.05}}
    scheduled_jobs.start()
    assert slow.begun.wait(PATIENCE)
    slow.let.set()
    scheduled_jobs.stop()
    assert scheduled_jobs.is_still


def test_two_tasks_are_done_at_a_time(slow, scheduled_jobs):
    scheduled_jobs.start()
    slow.send()
    assert slow.begun.wait(PATIENCE)
    slow.begun.clear()
    slow.send()
    assert slow.begun.wait(PATIENCE)
    assert not slow.ended.is_set()


def test_no_queue_waits_for_another(app, slow, scheduled_jobs):
    done = threading.Event()

    @app.task(name="quick", shared=False)
    def quick():
        done.set()

    scheduled_jobs.start()
    for _ in range(10):
        slow.send()
    assert slow.begun.wait(PATIENCE)
    quick.delay()
    assert done.wait(PATIENCE)
    assert not slow.ended.is_set()


def test_task_under_way_ends_before_the_clockwork_has_stopped(slow, scheduled_jobs):
    scheduled_jobs.start()
    slow.send()
    assert slow.begun.wait(PATIENCE)
    stopping = threading.Thread(target=scheduled_jobs.stop)
    stopping.start()
    assert not slow.ended.is_set()
    slow.let.set()
    stopping.join(PATIENCE)
    assert slow.ended.is_set()
    assert scheduled_jobs.is_still


def test_task_that_does_not_end_is_not_waited_for(slow, scheduled_jobs, monkeypatch):
    monkeypatch.setattr(module, "STOP_TIMEOUT", 0.1)
    scheduled_jobs.start()
    slow.send()
    assert slow.begun.wait(PATIENCE)
    scheduled_jobs.stop()
    assert not scheduled_jobs.is_still


def test_tasks_are_waited_for_no_longer_than_the_process_lives():
    assert module.STOP_TIMEOUT < server.DRAIN < signals.STOP_TIMEOUT
