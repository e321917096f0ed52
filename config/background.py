"""Work that a request starts and does not wait for, repeated until it succeeds."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from django.db import connections
from structlog.contextvars import bound_contextvars, get_contextvars

log = logging.getLogger(__name__)

Key = TypeVar("Key")
Value = TypeVar("Value")

PAUSE = 1.0
"""Seconds between two attempts."""

LINGER = 5.0
"""Seconds for which a thread waits for more: to start one costs more than most of what it does."""

MOST = 10_000
"""Keys that are kept; what comes on top is dropped, as it would be when the process dies."""


class Background(Generic[Key, Value]):
    """Keeps values by key and hands them to ``work`` in a thread of its own.

    Two values of one key become one by ``merge(older, newer)``. What ``work`` fails with is tried
    again after a pause. The thread ends some seconds after the last work, and does not keep the
    process from ending. Its log has the request id of the request that gave it something to do.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[dict[Key, Value]], None],
        merge: Callable[[Value, Value], Value],
    ) -> None:
        self._name, self._work, self._merge = name, work, merge
        self._changed = threading.Condition()
        self._waiting: dict[Key, Value] = {}
        self._context: Mapping[str, Any] = {}
        self._is_working = False
        self._thread: threading.Thread | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is waiting and nothing under way."""
        return not self._waiting and not self._is_working

    def put(self, items: Mapping[Key, Value]) -> None:
        """Have the items worked on; returns at once."""
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
        """Wait until nothing is left, or the time is over (seconds; ``None``: without end)."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_idle, timeout)

    def _keep(self, key: Key, value: Value) -> None:
        if key in self._waiting:
            self._waiting[key] = self._merge(self._waiting[key], value)
        elif len(self._waiting) < MOST:
            self._waiting[key] = value

    def _run(self) -> None:
        while items := self._take():
            with bound_contextvars(**self._context):
                self._try(items)

    def _try(self, items: dict[Key, Value]) -> None:
        try:
            self._work(items)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is tried again
            log.warning("%s wait: %s", self._name, type(error).__name__)
            self._put_back(items)
            time.sleep(PAUSE)
        finally:
            connections.close_all()  # nobody else does, as no request ends here

    def _take(self) -> dict[Key, Value]:
        """Return what waits, or comes soon; if nothing does, the thread ends."""
        with self._changed:
            self._is_working = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._waiting, LINGER)
            items, self._waiting = self._waiting, {}
            self._is_working = bool(items)
            if not items:
                self._thread = None
            return items

    def _put_back(self, items: dict[Key, Value]) -> None:
        """Keep what failed, below what has come meanwhile."""
        with self._changed:
            newer, self._waiting = self._waiting, items
            for key, value in newer.items():
                self._keep(key, value)
