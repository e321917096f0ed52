"""Says whether this process lives, and whether what it needs answers."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import get_random_string
from django.views.decorators.cache import never_cache

from config.celery import app as celery_app

log = logging.getLogger(__name__)

PATIENCE = 3
"""Seconds in which all parts have to answer."""

_threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="readyz")


class HealthMiddleware:
    """Answers the two questions before anything else looks at the request.

    Who asks (a load balancer, a container) knows the machine by its number, not by the name of
    the site, and speaks plain HTTP: neither the check of the host nor the way to HTTPS may get
    between.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.answers = {"/healthz": healthz, "/readyz": readyz}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or pass on what is not a question about health."""
        return self.answers.get(request.path, self.get_response)(request)


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that the process lives."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Say of each part whether it answers, with status 503 when one does not."""
    parts = {
        "database": ask_database,
        "cache": ask_cache,
        "channel layer": ask_channel_layer,
        "broker": ask_broker,
    }
    end = time.monotonic() + PATIENCE
    asked = {name: _threads.submit(ask) for name, ask in parts.items()}
    answers = {name: _answer(name, future, end) for name, future in asked.items()}
    ready = all(answer["ok"] for answer in answers.values())
    response = JsonResponse({"ready": ready, "parts": answers}, status=200 if ready else 503)
    # Django would log a 503 as an error, and mail it to the admins with every question.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def ask_database() -> None:
    """One query on a connection of its own."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()


def ask_cache() -> None:
    """Write, read back, forget.

    :raises LookupError: what was written is not there.
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
    """Call a group that nobody is in."""
    async_to_sync(get_channel_layer().group_send)("readyz", {"type": "readyz"})


def ask_broker() -> None:
    """Connect as one who sends tasks."""
    with celery_app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=PATIENCE)


def _answer(name: str, future: "Future[None]", end: float) -> dict[str, Any]:
    """What came of asking a part: the kind of error only, as its text may name hosts and users."""
    try:
        future.result(timeout=max(0.0, end - time.monotonic()))
    except Exception as error:  # noqa: BLE001  # whatever it is, the part is not ready
        log.warning("%s is not ready: %s", name, error or type(error).__name__)
        return {"ok": False, "error": type(error).__name__}
    return {"ok": True}
