"""Connections that speak WebSocket, within bounds."""

from typing import Any

from daphne.ws_protocol import ConnectionDeny, WebSocketFactory, WebSocketProtocol

from config.server.access_log import named
from config.server.clients import client_address

RESTART = 1012
"""The close code of a server that stops (RFC 6455 registry: Service Restart)."""

TOO_MANY = 429


class Socket(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """The socket of one page."""

    client: str | None = None
    maxMessagePayloadSize: int  # noqa: N815 - Autobahn's name

    def onConnect(self, request: Any) -> Any:  # noqa: N802 - Autobahn's name
        """Open the socket, unless its client has as many as anybody may."""
        server = self.factory.server_class
        peer = getattr(self.transport.getPeer(), "host", "")
        found = request.headers.items()
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in found]
        client = client_address(headers, peer, server.proxies)
        if not server.socket_slots.take(client):
            raise ConnectionDeny(TOO_MANY, "Too Many Requests")
        self.client = client
        return super().onConnect(request)

    def applicationCreateWorked(self, application_queue: Any) -> None:  # noqa: N802
        """Hand the socket to the site."""
        with named(self):
            super().applicationCreateWorked(application_queue)

    def onOpen(self) -> None:  # noqa: N802
        """Say that the site has taken the socket."""
        with named(self):
            super().onOpen()

    def serverReject(self) -> None:  # noqa: N802
        """Say that the site has refused the socket."""
        with named(self):
            super().serverReject()

    def onClose(self, wasClean: Any, code: int, reason: str) -> None:  # noqa: N802, N803
        """Forget the socket; one that never was opened is not known to Daphne."""
        if self.client is None:
            return
        self.factory.server_class.socket_slots.give_back(self.client)
        self.client = None
        with named(self):
            super().onClose(wasClean, code, reason)

    def sendMessage(self, payload: bytes, *args: Any, **how: Any) -> None:  # noqa: N802
        """Send a message of any length: Autobahn's bound is meant for what is received."""
        bound, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0
        try:
            super().sendMessage(payload, *args, **how)
        finally:
            self.maxMessagePayloadSize = bound

    def end_for_restart(self) -> None:
        """Close the socket, whose page connects again to another process."""
        if self.state == self.STATE_OPEN:
            self.sendCloseFrame(code=RESTART)
        elif self.state == self.STATE_CONNECTING:
            self.dropConnection(abort=True)


class SocketFactory(WebSocketFactory):  # type: ignore[misc]  # daphne has no types
    """Makes a socket of each connection that asks for one."""

    protocol = Socket
