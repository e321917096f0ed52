"""The server itself: how it starts, and how it drains and stops."""

import asyncio
import gc
import logging
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

# Daphne chooses Twisted's reactor as it is imported: nothing of Twisted may come before it.
from daphne.server import Server  # isort: skip

from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import serverFromString
from twisted.logger import globalLogBeginner

from config.server.clients import Slots, client_address, plain_address
from config.server.http import Channel, Factory
from config.server.signals import StopSignals
from config.server.sockets import Socket, SocketFactory

log = logging.getLogger(__name__)

LARGEST_MESSAGE = 4096
"""Bytes of what a page may say over its socket; the site closes for less."""

DRAIN = 3.0
"""Seconds from the first signal in which requests under way may end."""

STEP = 0.05
"""Seconds between two looks at whether all have ended."""

CANCEL = 0.3
"""Seconds that what is under way is given to end once it has been cancelled."""


NEW_OBJECTS = 20_000
"""So many more objects than were freed let the collector look for cycles among the young ones: a
page makes thousands that live no longer than itself."""


class SiteServer(Server):  # type: ignore[misc]  # daphne has no types
    """Serves an ASGI application.

    :param proxies: how many proxies of ours stand in front.
    :param most: connections, and as many sockets, that one client may have.
    :param notice: seconds between the first signal and the end of listening, in which ``/readyz``
        answers 503 so that a proxy sends its requests elsewhere.
    :param on_stop: called in a thread of its own when the stop begins; waited for.
    :param too_large: returns the page for who sends too large a body; without it the answer is
        empty.
    """

    def __init__(
        self,
        application: Any,
        *,
        endpoints: Sequence[str],
        proxies: int,
        most: int,
        notice: float = 0.0,
        on_stop: Callable[[], None] | None = None,
        too_large: Callable[[], bytes] = bytes,
        **options: Any,
    ) -> None:
        super().__init__(
            application,
            endpoints=endpoints,
            signal_handlers=False,
            application_close_timeout=2,
            websocket_max_message_size=LARGEST_MESSAGE,
            websocket_max_frame_size=LARGEST_MESSAGE,
            server_name="",
            **options,
        )
        self.proxies = proxies
        self.connection_slots, self.socket_slots = Slots(most), Slots(most)
        self.notice = notice
        self.on_stop = on_stop
        self.too_large = too_large
        self.channels: set[Channel] = set()
        self.ports: list[Any] = []
        self.draining = False
        self.unfinished = 0
        self._end = 0.0
        self._stopping: threading.Thread | None = None

    def run(self) -> None:
        """Serve until a signal comes."""
        self.connections: dict[Any, dict[str, Any]] = {}
        self._make_factories()
        globalLogBeginner.beginLoggingTo([_ignore], redirectStandardIO=False, discardBuffer=True)
        reactor.callLater(1, self.application_checker)
        reactor.callLater(2, self.timeout_checker)
        for endpoint in self.endpoints:
            listening = serverFromString(reactor, endpoint).listen(self.http_factory)
            listening.addCallbacks(self.listen_success, self.listen_error)
        if self.abort_start:
            return
        asyncio.set_event_loop(reactor._asyncioEventloop)
        reactor.addSystemEventTrigger("before", "shutdown", self.kill_all_applications)
        StopSignals(lambda since: reactor.callFromThread(self.drain, since)).install()
        if self.ready_callable:
            self.ready_callable()
        spare_the_collector()
        reactor.run(installSignalHandlers=False)

    def _make_factories(self) -> None:
        self.http_factory = Factory(self)
        self.ws_factory = SocketFactory(self, server=self.server_name)
        self.ws_factory.setProtocolOptions(
            autoPingTimeout=self.ping_timeout,
            allowNullOrigin=True,
            openHandshakeTimeout=self.websocket_handshake_timeout,
            maxMessagePayloadSize=self.websocket_max_message_size,
            maxFramePayloadSize=self.websocket_max_frame_size,
        )

    def listen_success(self, port: Any) -> None:
        """Remember the port, at which the server stops to listen first."""
        self.ports.append(port)
        super().listen_success(port)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Hand a request or a socket to the site, which is told who the client is, and an id.

        Both the access log and the site's own log tell of it under that id.
        """
        scope["request_id"] = protocol.request_id = str(uuid.uuid4())
        if scope["client"]:
            host, port = scope["client"]
            found = client_address(scope["headers"], host, self.proxies)
            scope["client"] = protocol.client_addr = [
                found,
                port if found == plain_address(host) else 0,
            ]
        return super().create_application(protocol, scope)

    # --- The stop -------------------------------------------------------------------------------

    def drain(self, since: float) -> None:
        """Begin the stop: not ready any more, then not listening, then gone.

        :param since: when the signal came, in seconds of ``time.monotonic``: a busy loop takes its
            time from requests under way, not from whoever waits for the stop.
        """
        if self.draining:
            return
        self.draining = True
        self._end = since + DRAIN
        if self.on_stop is not None:
            self._stopping = threading.Thread(target=self.on_stop, name="on-stop", daemon=True)
            self._stopping.start()
        reactor.callLater(self.notice, self._stop_listening)

    def _stop_listening(self) -> None:
        for port in self.ports:
            port.stopListening()
        for protocol in self._sockets():
            protocol.end_for_restart()
        self._wait()

    def _wait(self) -> None:
        """Look again in a moment, or stop when all have ended or must."""
        for channel in list(self.channels):
            channel.end_if_idle()
        self.unfinished = len(self.channels) + len(self._sockets())
        stopping = self._stopping is not None and self._stopping.is_alive()
        if (self.unfinished or stopping) and time.monotonic() < self._end:
            reactor.callLater(STEP, self._wait)
            return
        if self.unfinished:
            log.warning("Stopped with %d connections under way.", self.unfinished)
        reactor.stop()

    def _sockets(self) -> list[Socket]:
        return [
            protocol
            for protocol, details in self.connections.items()
            if isinstance(protocol, Socket) and "disconnected" not in details
        ]

    def kill_all_applications(self) -> Deferred[Any] | None:
        """Cancel what is under way; a thread that waits for the database is not waited for."""
        found = [details.get("application_instance") for details in self.connections.values()]
        tasks = [task for task in found if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if not tasks:
            return None
        return Deferred.fromFuture(asyncio.ensure_future(asyncio.wait(tasks, timeout=CANCEL)))


def _ignore(event: Any) -> None:
    """Let an event of Twisted's own log pass by."""


def spare_the_collector() -> None:
    """Let the garbage collector pass over what is loaded by now, and come by less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
