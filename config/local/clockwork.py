"""A Celery worker and its beat as threads of this process, for a site without Redis."""

import threading

from celery import Celery
from celery.beat import Scheduler, Service
from celery.worker import WorkController

GRACE = 10.0
"""Seconds that tasks under way are given to end when the site is stopped."""


class Clockwork:
    """One worker, which does two tasks at a time, and the beat that gives it work."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._ready = threading.Event()
        self._worker = WorkController(
            app=app,
            hostname="local",
            pool="threads",
            concurrency=2,
            without_gossip=True,
            without_heartbeat=True,
            without_mingle=True,
            ready_callback=lambda _: self._ready.set(),
        )
        self._works = threading.Thread(target=self._worker.start, name="worker", daemon=True)
        self._clock = Service(app, scheduler_cls=Scheduler)
        self._ticks = threading.Thread(target=self._clock.start, name="beat", daemon=True)

    def start(self) -> None:
        """Start the worker, then the beat."""
        self._works.start()
        self._ready.wait(GRACE)
        self._ticks.start()

    def stop(self) -> None:
        """Give no more work, and wait for the tasks under way, if not for ever."""
        if self.is_still:
            return
        self._clock.stop()
        self._app.control.shutdown()
        self._works.join(GRACE)

    @property
    def is_still(self) -> bool:
        """Whether it has not started, or has stopped with no task under way."""
        return not self._works.is_alive()
