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
from copy import deepcopy
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.utils import timezone
from twisted.internet.defer import Deferred

from games import health
from games.live.redis_layer import RedisChannelLayer
from games.live.watch import Watch
from games.matches import selectors, store
from games.matches.clocks import outages

log = logging.getLogger(__name__)

REQUEST_PERIOD = 15.0
"""Seconds between an answer and the next request. Well below ``selectors.UNANSWERED``."""

REQUEST_TIMEOUT = 30.0
"""Seconds after which a request has failed.

The next one follows, so that one lost answer doesn't stop all clocks.
"""

STOP_TIMEOUT = 2.0
"""Seconds that a request in progress gets to finish when the process stops."""


class NotServed(Exception):
    """Neither the home page nor the page that says how busy the process is was served."""


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
        """Send one request, and return whether the answer was recorded."""
        try:
            status = await self._status()
            await _note()
        except Exception as error:  # noqa: BLE001  # whatever it is, players are not served
            if self._is_well:
                log.warning("This process does not serve players: %s", type(error).__name__)
            self._is_well = False
            health.note(is_busy=False)
        else:
            if not self._is_well:
                log.warning("This process serves players again.")
            self._is_well = True
            health.note(is_busy=status != HTTPStatus.OK)
        return self._is_well

    async def _status(self) -> int:
        """Request the home page and return the status of its answer.

        A busy process whose visitors use all database connections answers 503, which counts as an
        answer. Otherwise visitors could stop all clocks. If the database is away, no heartbeat is
        written.

        :raises NotServed: the status is neither 200 nor 503.
        :raises TimeoutError: no answer came in time.
        """
        asked = asyncio.create_task(status_of_home(self._application))
        # Not cancelled: a request ends by itself, whenever its thread does.
        await asyncio.wait({asked}, timeout=REQUEST_TIMEOUT)
        if not asked.done():
            raise TimeoutError
        status = asked.result()
        if status not in (HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE):
            raise NotServed(status)
        return status


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


def _leave_the_pool() -> None:
    """Give this thread a database connection outside of the pool."""
    own = connections.create_connection(DEFAULT_DB_ALIAS)
    own.settings_dict = deepcopy(own.settings_dict)
    own.settings_dict.get("OPTIONS", {}).pop("pool", None)
    connections[DEFAULT_DB_ALIAS] = own


_writer = ThreadPoolExecutor(
    max_workers=1, thread_name_prefix="heartbeat", initializer=_leave_the_pool
)
"""A thread of its own, as a hanging DNS lookup of Redis may occupy all threads of the loop.

It has a connection of its own, as visitors may use all of the pool.
"""


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
