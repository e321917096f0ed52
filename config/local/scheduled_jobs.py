"""Celery's workers and beat as threads of this process, for a site without Redis."""

import os
import threading
import time
from collections.abc import Iterable

from celery import Celery
from celery.beat import Scheduler, Service
from celery.worker import WorkController

from config.settings.base import EXTRAS

START = 10.0
"""Seconds that a worker may take to start."""

STOP_TIMEOUT = 2.5
"""Seconds that running tasks get to finish when the site stops.

Less than the server waits before it ends the process (``config.server``).
"""


CONCURRENCY = 2
"""Concurrent tasks of most queues."""


def concurrency(queue: str) -> int:
    """Return how many tasks of a queue run at once.

    A bot that thinks fills a core, so one core stays free for pages if there are several. Extras
    fill one, too.
    """
    if queue == EXTRAS:
        return 1
    cores = os.cpu_count() or CONCURRENCY
    return min(CONCURRENCY, max(1, cores - 1)) if queue == "thinking" else CONCURRENCY


class ScheduledJobs:
    """A worker for each queue, and the beat that sends them tasks."""

    def __init__(self, app: Celery, queues: Iterable[str]) -> None:
        self._app = app
        self._queues = list(queues)
        self._workers: list[threading.Thread] = []
        self._clock = Service(app, scheduler_cls=Scheduler)
        self._ticks = threading.Thread(target=self._clock.start, name="beat", daemon=True)

    def start(self) -> None:
        for queue in self._queues:
            self._work_on(queue)
        self._ticks.start()

    def _work_on(self, queue: str) -> None:
        """Start a worker and wait until it listens.

        Its queue is set on the application, so workers start one after the other.
        """
        ready = threading.Event()
        worker = WorkController(
            app=self._app,
            hostname=f"{queue}@local",
            queues=[queue],
            pool="threads",
            concurrency=concurrency(queue),
            without_gossip=True,
            without_heartbeat=True,
            without_mingle=True,
            ready_callback=lambda _: ready.set(),
        )
        thread = threading.Thread(target=worker.start, name=f"worker-{queue}", daemon=True)
        self._workers.append(thread)
        thread.start()
        ready.wait(START)

    def stop(self) -> None:
        """Stop the beat and wait a while for running tasks."""
        if self.is_still:
            return
        self._clock.stop()
        self._app.control.shutdown()
        end = time.monotonic() + STOP_TIMEOUT
        for thread in self._workers:
            thread.join(max(0.0, end - time.monotonic()))

    @property
    def is_still(self) -> bool:
        """Whether it hasn't started, or has stopped with no task running."""
        return not any(thread.is_alive() for thread in self._workers)
