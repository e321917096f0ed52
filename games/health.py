"""Reports whether this process lives, and whether the services that it needs answer."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import connection, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.views.decorators.cache import never_cache

from config.celery import app as celery_app
from config.postgresql import replica
from games.live.redis_layer import RedisChannelLayer
from games.matches.models import Sweep

log = logging.getLogger(__name__)

CHECK_TIMEOUT = 3
"""Seconds in which all parts have to answer."""

BUSY_TIMEOUT = 120.0
"""Seconds without a free database connection after which a process counts as broken."""

WRITING = "readyz"
"""The name of the row that is written to check that writing works."""


class Check:
    """A check, run in a thread of its own, of which there is never more than one.

    While it hangs, further requests wait for the same answer. It is a daemon thread, so the process
    can end.
    """

    def __init__(self, name: str, ask: Callable[[], None]) -> None:
        self.name = name
        self._ask = ask
        self._lock = threading.Lock()
        self._asked: Future[None] | None = None

    def begin(self) -> "Future[None]":
        """Return the future of the running check, or of a new one."""
        with self._lock:
            if self._asked is None or self._asked.done():
                self._asked = Future()
                work = threading.Thread(
                    target=_run,
                    args=(self._ask, self._asked),
                    name=f"readyz {self.name}",
                    daemon=True,
                )
                work.start()
            return self._asked


def _run(ask: Callable[[], None], answer: "Future[None]") -> None:
    try:
        ask()
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the answer
        answer.set_exception(error)
    else:
        answer.set_result(None)


class HealthMiddleware:
    """Answers health checks before the host is checked.

    Load balancers and containers know the machine by its number, not by the name of the site, so
    the check of the host must not refuse them. ``SECURE_REDIRECT_EXEMPT`` spares both the redirect
    to HTTPS.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.answers = {"/healthz": healthz, "/readyz": readyz}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.answers.get(request.path, self.get_response)(request)


_busy_since: float | None = None


def note(*, is_busy: bool) -> None:
    """Note whether this process lacks connections for pages, though the database is available.

    The heartbeat finds out (``games.live.heartbeat``).
    """
    global _busy_since  # noqa: PLW0603 - it is about the process
    _busy_since = (_busy_since or time.monotonic()) if is_busy else None


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Report whether the process lives. If it has long been unable to serve pages, it should end.

    It checks no other service, since a restart doesn't help against failures elsewhere.
    """
    if _busy_since is None or time.monotonic() - _busy_since < BUSY_TIMEOUT:
        return HttpResponse("ok\n", content_type="text/plain")
    response = HttpResponse("serves no pages\n", status=503, content_type="text/plain")
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Report whether each part answers. The status is 503 if pages can't be served.

    If the database is read-only or Redis is down, most pages still work. The status is then 200, so
    that a proxy doesn't drop all processes at once.
    """
    end = time.monotonic() + CHECK_TIMEOUT
    asked = [(part, part.check.begin()) for part in PARTS]
    answers = {part.check.name: _answer(part.check.name, future, end) for part, future in asked}
    ready = all(answers[part.check.name]["ok"] for part in PARTS if part.is_needed)
    response = JsonResponse({"ready": ready, "parts": answers}, status=200 if ready else 503)
    # Django would log a 503 as an error, and mail it to the admins with every question.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def ask_database() -> None:
    """Send one query on a new connection."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()


def ask_replica() -> None:
    """Send one query to the replica that lists are read from."""
    try:
        with connections[replica.ALIAS].cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connections[replica.ALIAS].close()


def ask_writing() -> None:
    """Write and commit a row, which a full disk or a read-only replica refuses."""
    try:
        Sweep.objects.bulk_create(
            [Sweep(name=WRITING, ran=timezone.now())],
            update_conflicts=True,
            unique_fields=["name"],
            update_fields=["ran"],
        )
    finally:
        connections.close_all()


def ask_cache() -> None:
    """Write, read back, delete.

    :raises LookupError: the value is gone.
    :raises ConnectionError: it was written into the memory of this process instead.
    """
    key = f"readyz-{get_random_string(12)}"
    cache.set(key, "here", timeout=10)
    if cache.get(key) != "here":
        raise LookupError(key)
    cache.delete(key)
    if getattr(cache, "is_away", False):
        raise ConnectionError(key)


def ask_channel_layer() -> None:
    """Send to a group without members, at each server."""
    async_to_sync(_call_each)(get_channel_layer())


async def _call_each(layer: Any) -> None:
    is_redis = isinstance(layer, RedisChannelLayer)
    for group in layer.a_group_at_each("readyz") if is_redis else ("readyz",):
        await layer.group_send(group, {"type": "readyz"})


def ask_broker() -> None:
    """Connect as a sender of tasks."""
    with celery_app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=CHECK_TIMEOUT)


def _answer(name: str, future: "Future[None]", end: float) -> dict[str, Any]:
    """Return a check's result. Of an error only the class: its text may name hosts and users."""
    try:
        future.result(timeout=max(0.0, end - time.monotonic()))
    except Exception as error:  # noqa: BLE001  # whatever it is, the part is not ready
        log.warning("%s is not ready: %s", name, error or type(error).__name__)
        return {"ok": False, "error": type(error).__name__}
    return {"ok": True}


@dataclass(frozen=True)
class Dependency:
    """A part of the site, and whether pages need it."""

    check: Check
    is_needed: bool = True


PARTS = (
    Dependency(Check("database", ask_database)),
    Dependency(Check("writing", ask_writing), is_needed=False),
    Dependency(Check("cache", ask_cache), is_needed=False),
    Dependency(Check("channel layer", ask_channel_layer), is_needed=False),
    Dependency(Check("broker", ask_broker), is_needed=False),
    *([Dependency(Check("replica", ask_replica), is_needed=False)] if replica.is_named() else []),
)
