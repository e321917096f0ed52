"""Work that a request starts and doesn't wait for, retried until it succeeds.

It sends tasks to the broker, pushes to the channel layer, and error reports to the database.
Neither Celery (5.7) nor Channels (4.3) can limit how long that takes if a server hangs:
``apply_async(retry=False)`` and ``group_send`` still wait for connections and lookups.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from django.db import connections
from structlog.contextvars import bound_contextvars, get_contextvars

log = logging.getLogger(__name__)

Key = TypeVar("Key")
Value = TypeVar("Value")

RETRY_DELAY = 1.0
"""Seconds between two attempts."""

LINGER = 5.0
"""Seconds for which an idle thread waits for more work before it ends."""

MAX_WAITING = 10_000
"""Maximum number of waiting keys. More are dropped, and a dying process drops all."""


class Background(Generic[Key, Value]):
    """Collects values by key and hands them to ``work`` in a thread of its own.

    ``merge(older, newer)`` makes one value of two with the same key. If ``work`` fails, it gets the
    same items again after a pause. The thread is a daemon and ends some seconds after the last
    work. Its log lines carry the id of the request that started it.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[dict[Key, Value]], None],
        merge: Callable[[Value, Value], Value],
    ) -> None:
        self._name = name
        self._work = work
        self._merge = merge
        self._changed = threading.Condition()
        self._waiting: dict[Key, Value] = {}
        self._context: Mapping[str, Any] = {}
        self._is_working = False
        self._thread: threading.Thread | None = None

    @property
    def is_idle(self) -> bool:
        return not self._waiting and not self._is_working

    def put(self, items: Mapping[Key, Value]) -> None:
        """Hand over items and return at once."""
        with self._changed:
            if self.is_idle:
                self._context = get_contextvars()
            for key, value in items.items():
                self._keep(key, value)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until nothing is left, for at most ``timeout`` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_idle, timeout)

    def _keep(self, key: Key, value: Value) -> None:
        if key in self._waiting:
            self._waiting[key] = self._merge(self._waiting[key], value)
        elif len(self._waiting) < MAX_WAITING:
            self._waiting[key] = value

    def _run(self) -> None:
        while items := self._take():
            with bound_contextvars(**self._context):
                self._try(items)

    def _try(self, items: dict[Key, Value]) -> None:
        try:
            self._work(items)
        except Exception as error:  # noqa: BLE001  # it is retried, whatever it is
            log.warning("%s wait: %s", self._name, type(error).__name__)
            self._put_back(items)
            time.sleep(RETRY_DELAY)
        finally:
            connections.close_all()  # Django does so only at the end of requests

    def _take(self) -> dict[Key, Value]:
        """Return the items that wait or come soon. Without any, the thread ends."""
        with self._changed:
            self._is_working = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._waiting, LINGER)
            items = self._waiting
            self._waiting = {}
            self._is_working = bool(items)
            if not items:
                self._thread = None
            return items

    def _put_back(self, items: dict[Key, Value]) -> None:
        """Merge items that failed with newer ones."""
        with self._changed:
            newer = self._waiting
            self._waiting = items
            for key, value in newer.items():
                self._keep(key, value)


def task_starts(name: str, task: Any) -> Background[Any, None]:
    """Return where a request puts the keys for which a Celery task is to be started."""

    def start(keys: Iterable[Any]) -> None:
        for key in keys:
            task.apply_async(args=(key,), retry=False)

    return Background(name, start, lambda one, _: one)
