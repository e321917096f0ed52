"""The heartbeat of a web process: it requests a page from itself and records the answer.

Time in which no web process answers is given back to every clock
(``games.matches.clocks.outages``).
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.utils import timezone
from twisted.internet.defer import Deferred

from games.live.redis_layer import RedisChannelLayer
from games.live.watch import Watch
from games.matches import selectors, store
from games.matches.clocks import outages

log = logging.getLogger(__name__)

REQUEST_PERIOD = 15.0
"""Seconds between an answer and the next request; well below ``selectors.UNANSWERED``."""

REQUEST_TIMEOUT = 30.0
"""Seconds after which a request has failed.

The next one follows, so that one lost answer doesn't stop all clocks.
"""

STOP_TIMEOUT = 2.0
"""Seconds that a request in progress gets to finish when the process stops."""


class NotServed(Exception):
    """The home page was not served."""


class Heartbeat:
    """Requests the home page of an ASGI application repeatedly, in the loop that serves it.

    Each request waits for the one before to finish or time out, so a hanging application gets few.
    """

    def __init__(self, application: Any) -> None:
        self._application = application
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._is_well = True

    def start(self) -> None:
        """Start, in the serving loop."""
        self._task = asyncio.get_event_loop().create_task(self._run())

    async def stop(self) -> None:
        """Stop, and wait up to ``STOP_TIMEOUT`` for a request in progress.

        A request that is cut off when the loop stops would leave a thread that waits for the loop.
        """
        self._stopping.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=STOP_TIMEOUT)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            await self.beat()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), REQUEST_PERIOD)

    async def beat(self) -> bool:
        """Send one request; return whether the answer was recorded."""
        try:
            await asyncio.wait_for(self._serve(), REQUEST_TIMEOUT)
        except Exception as error:  # noqa: BLE001  # whatever it is, players are not served
            if self._is_well:
                log.warning("This process does not serve players: %s", type(error).__name__)
            self._is_well = False
        else:
            if not self._is_well:
                log.warning("This process serves players again.")
            self._is_well = True
        return self._is_well

    async def _serve(self) -> None:
        """Request the page and record the answer.

        :raises NotServed: the status is not 200.
        """
        status = await status_of_home(self._application)
        if status != HTTPStatus.OK:
            raise NotServed(status)
        await _note()


async def status_of_home(application: Any) -> int:
    """Return the HTTP status of the home page of an ASGI application."""
    site = urlsplit(settings.SITE_URL)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": site.scheme,
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "root_path": "",
        "headers": [
            (b"host", site.netloc.encode("ascii")),
            (b"x-forwarded-proto", site.scheme.encode("ascii")),
        ],
        "client": ("127.0.0.1", 0),
        "server": (site.hostname, site.port or 0),
    }
    exchange = _Exchange()
    await application(scope, exchange.receive, exchange.send)
    return exchange.status


class _Exchange:
    """One request without a body, and the status of its answer."""

    def __init__(self) -> None:
        self.status = 0
        self._is_asked = False

    async def receive(self) -> dict[str, Any]:
        """Return the request, then block, like a browser that waits."""
        if self._is_asked:
            await asyncio.Event().wait()
        self._is_asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: dict[str, Any]) -> None:
        """Record the status of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]


_writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="heartbeat")
"""A thread of its own, as a hanging DNS lookup of Redis may occupy all threads of the loop."""


async def _note() -> None:
    """Write the heartbeat in a thread that serves no page and no socket."""
    await database_sync_to_async(_write, thread_sensitive=False, executor=_writer)()


def _write() -> None:
    outages.beat(selectors.WEB, now=timezone.now())


def start_when_served(application: Any) -> None:
    """Start the heartbeat and the watch when Daphne serves. Commands and tests run without them."""
    reactor = sys.modules.get("twisted.internet.reactor")
    if "daphne.server" not in sys.modules or reactor is None:
        return
    layer = get_channel_layer()
    parts: list[Heartbeat | Watch] = [Heartbeat(application)]
    if isinstance(layer, RedisChannelLayer):
        parts.append(Watch(layer))
    for part in parts:
        reactor.callWhenRunning(part.start)
        reactor.addSystemEventTrigger("before", "shutdown", _awaited, part.stop)
    # after the tasks of sockets have ended
    reactor.addSystemEventTrigger("during", "shutdown", _awaited, store.close_pool)


def _awaited(stop: Callable[[], Coroutine[Any, Any, None]]) -> "Deferred[None]":
    """Stop a part. Twisted's loop doesn't end before the returned Deferred fires."""
    return Deferred.fromFuture(asyncio.ensure_future(stop()))
