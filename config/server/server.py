"""Daphne with a stop that lets requests end, and that always ends itself."""

import asyncio
import gc
import logging
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

# Before anything of Twisted.
from daphne.server import Server  # isort: skip

from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from config.server.application import ABORT, ServedApplication
from config.server.signals import StopSignals

log = logging.getLogger(__name__)

RESTART = 1012
"""Close code of sockets when the server stops (RFC 6455 registry: Service Restart)."""

DRAIN = 3.0
"""Seconds from the first signal in which requests in progress may end."""

POLL_INTERVAL = 0.05
"""Seconds between two checks whether all have ended."""

CANCEL = 0.3
"""Seconds that requests and sockets have to end once they are cancelled."""

SWITCH_INTERVAL = 0.001
"""Seconds after which a busy thread lets another one run.

With Python's 0.005, four threads that render pages delay the loop by 50 ms, with this by 6. More
switches cost them 2 % of their time.
"""

NEW_OBJECTS = 20_000
"""Allocations before the garbage collector checks young objects. A page makes thousands and drops
them.
"""


class Flow:
    """Tells a response when its client is slow, as a producer of Twisted (``IPushProducer``)."""

    def __init__(self) -> None:
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Wait: the client hasn't read much of what was sent."""
        self.may_go_on.clear()

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Continue: the client has read it."""
        self.may_go_on.set()

    stopProducing = resumeProducing  # noqa: N815 - the client has gone, and nothing is sent


class SiteServer(Server):  # type: ignore[misc]  # daphne has no types
    """Serves an ASGI application until a signal comes.

    :param proxies: the number of our own proxies in front.
    :param most: maximum of requests, and of sockets, that one client may have in progress.
    :param notice: seconds between the first signal and the end of listening. Meanwhile ``/readyz``
        answers 503, so that a proxy sends requests elsewhere.
    :param on_stop: called in a thread of its own when the stop begins; waited for.
    :param on_start: called just before the server starts.
    :param access_log: see :class:`~config.server.application.ServedApplication`.
    """

    def __init__(
        self,
        application: Any,
        *,
        endpoints: Sequence[str],
        proxies: int,
        most: int,
        notice: float = 0.0,
        on_start: Callable[[], None] | None = None,
        on_stop: Callable[[], None] | None = None,
        access_log: TextIO | None = None,
    ) -> None:
        self.served = ServedApplication(
            application, proxies=proxies, most=most, access_log=access_log
        )
        super().__init__(
            self.served,
            endpoints=endpoints,
            signal_handlers=False,
            application_close_timeout=2,
            server_name="",
            ready_callable=self._start,
        )
        self.notice = notice
        self.on_start = on_start
        self.on_stop = on_stop
        self.ports: list[Any] = []
        self.unfinished = 0
        self._end = 0.0
        self._stopping: threading.Thread | None = None

    def _start(self) -> None:
        StopSignals(lambda since: reactor.callFromThread(self.drain, since)).install()
        if self.on_start:
            self.on_start()
        sys.setswitchinterval(SWITCH_INTERVAL)
        spare_the_collector()

    def listen_success(self, port: Any) -> None:
        """Remember the port, which Daphne doesn't close."""
        self.ports.append(port)
        super().listen_success(port)

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        if message["type"] == ABORT:
            protocol.loseConnection()
        elif message["type"] == "http.response.body" and protocol.channel is not None:
            await self._send_body(protocol, message)
        else:
            await super().handle_reply(protocol, message)

    async def _send_body(self, protocol: Any, message: dict[str, Any]) -> None:
        """Send a part of a response, and wait while its client doesn't read."""
        if not message.get("more_body"):
            protocol.unregisterProducer()
        elif protocol.producer is None:
            protocol.registerProducer(Flow(), streaming=True)
        await super().handle_reply(protocol, message)
        if protocol.producer is not None:
            await protocol.producer.may_go_on.wait()

    def drain(self, since: float) -> None:
        """Begin the stop: answer that the site isn't ready, then stop listening, then end.

        :param since: when the signal came, by ``time.monotonic``. The loop may have been busy.
        """
        if self.served.draining:
            return
        self.served.draining = True
        self._end = since + DRAIN
        if self.on_stop is not None:
            self._stopping = threading.Thread(target=self.on_stop, name="on-stop", daemon=True)
            self._stopping.start()
        reactor.callLater(self.notice, self._stop_listening)

    def _stop_listening(self) -> None:
        for port in self.ports:
            port.stopListening()
        for socket in self._sockets():
            if socket.state == socket.STATE_OPEN:
                # Daphne's own way to close takes no code below 3000.
                socket.sendCloseFrame(code=RESTART)
        self._wait()

    def _wait(self) -> None:
        """Stop when all requests and sockets have ended, or their time is over."""
        self.unfinished = self.served.in_progress + len(self._sockets())
        stopping = self._stopping is not None and self._stopping.is_alive()
        if (self.unfinished or stopping) and time.monotonic() < self._end:
            reactor.callLater(POLL_INTERVAL, self._wait)
            return
        if self.unfinished:
            log.warning("Stopped with %d connections under way.", self.unfinished)
        # The last responses may still be on their way out.
        reactor.callLater(POLL_INTERVAL, reactor.stop)

    def _sockets(self) -> list[WebSocketProtocol]:
        return [
            protocol
            for protocol, details in self.connections.items()
            if isinstance(protocol, WebSocketProtocol) and "disconnected" not in details
        ]

    def kill_all_applications(self) -> Deferred[Any] | None:
        """Cancel all requests in progress, and wait for them briefly.

        Daphne waits without end, and fails if a request has just ended.
        """
        applications = [
            details.get("application_instance") for details in self.connections.values()
        ]
        tasks = [task for task in applications if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if not tasks:
            return None
        return Deferred.fromFuture(asyncio.ensure_future(asyncio.wait(tasks, timeout=CANCEL)))


def spare_the_collector() -> None:
    """Let the garbage collector skip all objects loaded so far, and run less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
