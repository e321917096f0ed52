"""Connections that speak HTTP, and their requests, within bounds."""

import json
from typing import TYPE_CHECKING, Any

# Before anything of Twisted.
from daphne.http_protocol import HTTPFactory, WebRequest  # isort: skip

from twisted.internet import reactor
from twisted.web.http import HTTPChannel

from config.redaction import safe_path
from config.server.access_log import named
from config.server.clients import client_address

if TYPE_CHECKING:
    from config.server.server import SiteServer

LARGEST_BODY = 1024 * 1024
"""Bytes of a request's body; a larger one is refused before it is kept."""

ARRIVAL = 30.0
"""Seconds in which a request has to arrive, headers and body."""

FAREWELL = 2.0
"""Seconds in which a client that was refused can read so, and stop sending."""

API = b"/api/"

PAGE_HEADERS = (
    b"Content-Type: text/html; charset=utf-8\r\n"
    b"Cache-Control: no-store\r\n"
    b"Content-Security-Policy: default-src 'self'; frame-ancestors 'none'\r\n"
    b"X-Content-Type-Options: nosniff\r\n"
)
"""The headers of a page that the server sends by itself."""

STREAM = b"application/x-ndjson"
"""The type of answers that go on: one JSON object a line."""

READINESS = b"/readyz"
DRAINING = {"ready": False, "parts": {"server": {"ok": False, "error": "Draining"}}}


class Channel(HTTPChannel):  # type: ignore[misc]  # twisted is untyped here
    """One connection of a client."""

    def connectionMade(self) -> None:  # noqa: N802 - Twisted's name
        """Count the connection; behind a proxy its requests are counted instead."""
        super().connectionMade()
        self.server: SiteServer = self.factory.server
        self.server.channels.add(self)
        self.refused = False
        self._client: str | None = None
        self._late: Any = None
        self.peer = getattr(self.transport.getPeer(), "host", "")
        self._await_request()
        if not self.server.proxies and self.peer:
            self._take_slot(self.peer)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Take what the client sent, unless it was refused."""
        if self.refused:
            return
        if not self._handlingRequest and self._late is None:
            self._await_request()
        super().dataReceived(data)

    def lineReceived(self, line: bytes) -> None:  # noqa: N802
        """Take a line of the headers."""
        if not self.refused:
            super().lineReceived(line)

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802
        """Take a part of a body."""
        if not self.refused:
            super().rawDataReceived(data)

    def allHeadersReceived(self) -> None:  # noqa: N802
        """Refuse a body that is announced as too large, before the client is told to go on."""
        request = self.requests[-1]
        if self.server.proxies:
            client = client_address(request.plain_headers(), self.peer, self.server.proxies)
            self._take_slot(client)
        if self.length is not None and self.length > LARGEST_BODY:
            self.refuse_body()
        if not self.refused:
            super().allHeadersReceived()

    def allContentReceived(self) -> None:  # noqa: N802
        """Hand the request on."""
        self._cancel()
        if not self.refused:
            super().allContentReceived()

    def requestDone(self, request: "Request") -> None:  # noqa: N802
        """Wait for the next request, if there may be one."""
        if self.server.proxies:
            self._give_slot_back()
        super().requestDone(request)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        """Forget the connection."""
        self.leave()
        super().connectionLost(reason)

    def leave(self) -> None:
        """Count the connection no longer: it has ended, or is a socket from now on."""
        self._cancel()
        self._give_slot_back()
        self.server.channels.discard(self)

    def refuse_body(self) -> None:
        """Say that a body is too large, to people with a page."""
        is_program = bytes(getattr(self, "_path", b"")).startswith(API)
        self.refuse(b"413 Content Too Large", b"" if is_program else self.server.too_large())

    def refuse(self, status: bytes, page: bytes = b"") -> None:
        """Answer with a status and perhaps a page, and take nothing more from this client.

        What it still sends is thrown away for a moment: a connection that is closed with data
        unread is reset, and the client would never see the answer.
        """
        if self.refused:
            return
        self.refused = True
        self._cancel()
        self._late = reactor.callLater(FAREWELL, self.transport.abortConnection)
        head = b"HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: %d\r\n"
        self.transport.write(head % (status, len(page)))
        self.transport.write((PAGE_HEADERS if page else b"") + b"\r\n" + page)
        self._networkProducer.resumeProducing()
        self._networkProducer.unregisterProducer()
        self.transport.loseWriteConnection()

    def end_if_idle(self) -> None:
        """Close the connection now, or after the request that is under way.

        A stream would not end: it is cut, and its caller opens it again elsewhere.
        """
        self.persistent = False
        if any(request.is_stream for request in self.requests):
            self.transport.loseConnection()
        elif not self.requests and not self.refused:
            self.loseConnection()

    def _await_request(self) -> None:
        self._late = reactor.callLater(ARRIVAL, self._is_late)

    def _is_late(self) -> None:
        self._late = None
        if self.requests:
            self.refuse(b"408 Request Timeout")
        else:
            self.transport.abortConnection()

    def _cancel(self) -> None:
        if self._late is not None and self._late.active():
            self._late.cancel()
        self._late = None

    def _take_slot(self, client: str) -> None:
        if self.server.connection_slots.take(client):
            self._client = client
        else:
            self.refuse(b"429 Too Many Requests")

    def _give_slot_back(self) -> None:
        if self._client is not None:
            self.server.connection_slots.give_back(self._client)
            self._client = None


class Request(WebRequest):  # type: ignore[misc]  # daphne has no types
    """One request; ``is_stream`` says that its answer goes on until somebody ends it."""

    is_stream = False

    def plain_headers(self) -> list[tuple[bytes, bytes]]:
        """Return the headers, their names in lower case."""
        found = self.requestHeaders.getAllRawHeaders()
        return [(name.lower(), value) for name, values in found for value in values]

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        """Keep a part of the body, of which chunks do not say beforehand how long it is."""
        if self.channel.refused:
            return
        if self.content.tell() + len(data) > LARGEST_BODY:
            self.channel.refuse_body()
            return
        super().handleContentChunk(data)

    def process(self) -> Any:
        """Answer, or open a socket; a server that is about to stop says so."""
        channel = self.channel
        # Daphne believes this of anybody, and all links of the answer would begin with it.
        self.requestHeaders.removeHeader(b"daphne-root-path")
        if self.server.draining and self._is_unwelcome():
            self._say_draining()
            return None
        deferred = super().process()
        if self.transport is None:
            channel.leave()
        return deferred

    def _is_unwelcome(self) -> bool:
        upgrade = self.requestHeaders.getRawHeaders(b"upgrade", [b""])
        return bool(self.path == READINESS or upgrade[0].lower() == b"websocket")

    def _say_draining(self) -> None:
        client = client_address(self.plain_headers(), self.channel.peer, self.server.proxies)
        self.client_addr = [client, 0]
        headers = [(b"Content-Type", b"application/json"), (b"Cache-Control", b"no-store")]
        start = {"type": "http.response.start", "status": 503, "headers": headers}
        self.handle_reply(start)
        self.handle_reply({"type": "http.response.body", "body": json.dumps(DRAINING).encode()})

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Write a part of the answer; a server that is about to stop keeps no connection."""
        if message.get("type") == "http.response.start" and self.channel is not None:
            self.is_stream = (b"Content-Type", STREAM) in map(tuple, message["headers"])
            if self.server.draining:
                self.channel.persistent = False
                self.responseHeaders.setRawHeaders(b"connection", [b"close"])
        # It writes the line of the access log.
        with named(self):
            super().handle_reply(message)

    def __repr__(self) -> str:
        """Return what logs may hold of it."""
        path = safe_path(getattr(self, "uri", b"").decode("latin-1")) if self.path else ""
        return f"<Request {path}>"


class Factory(HTTPFactory):  # type: ignore[misc]  # daphne has no types
    """Makes a channel of each connection."""

    protocol = Channel

    def buildProtocol(self, addr: Any) -> Channel:  # noqa: N802
        """Return the channel of a new connection."""
        channel: Channel = super().buildProtocol(addr)
        channel.requestFactory = Request
        return channel
