"""Limits how many requests of a client are worked on at once, so that no flood delays others."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Self

from config.server.clients import Share, network_of

Application = Callable[..., Awaitable[None]]
Message = dict[str, Any]

HEALTH = ("/healthz", "/readyz")
"""Health checks, which must not wait for other requests from the same address."""

SHARE = 0.5
"""The share of the time in which a client's requests may be worked on in the long run."""

BURST = 5.0
"""Seconds of work before the ``SHARE`` holds."""


def _now() -> float:
    return asyncio.get_running_loop().time()


class InTurn:
    """An ASGI application in which the requests of a client wait for one another, in order.

    Threads, database connections and the interpreter are shared by all clients. Requests without an
    address, and health checks, don't wait.

    :param at_once: requests of one client that are worked on at once.
    """

    def __init__(self, application: Application, at_once: int) -> None:
        self._application = application
        self._at_once = at_once
        self._clients: dict[str, _Client] = {}

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        """Serve a request, or open a socket, when it is its turn."""
        if not scope["client"] or scope["path"] in HEALTH:
            await self._application(scope, receive, send)
            return
        network = network_of(scope["client"][0])
        client = self._clients.setdefault(network, _Client(self._at_once))
        client.in_progress += 1
        is_socket = scope["type"] == "websocket"
        try:
            async with _Turn(client, receive, send, is_socket=is_socket) as turn:
                await self._application(scope, turn.receive, turn.send)
        finally:
            client.in_progress -= 1
            asyncio.get_running_loop().call_later(client.owes, self._forget, network)

    def _forget(self, network: str) -> None:
        """Forget a client that has nothing in progress and is within its share."""
        client = self._clients.get(network)
        if client and not client.in_progress and client.owes <= 0:
            del self._clients[network]


class _Client:
    """A client: its requests and sockets in progress, and the time they have taken."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._free = asyncio.Semaphore(at_once)
        self._share = Share(SHARE, BURST)
        self.in_progress = 0

    @property
    def owes(self) -> float:
        """Seconds until the work so far is within the share."""
        return self._share.owes(_now())

    async def begin(self) -> None:
        await self._free.acquire()
        try:
            await asyncio.sleep(self._share.wait(_now()))
        except asyncio.CancelledError:
            self._free.release()
            raise

    def end(self, began: float) -> None:
        """End a turn that began at a time."""
        self._free.release()
        self._share.spend(began, (_now() - began) / self._at_once)


class _Turn:
    """A turn of a client.

    It ends when the body of the response begins, since a slow reader or a stream may take long. A
    socket's turn ends once the socket is open and waits for messages.
    """

    def __init__(self, client: _Client, receive: Any, send: Any, *, is_socket: bool) -> None:
        self._client = client
        self._receive = receive
        self._send = send
        self._opens_with = 1 if is_socket else None
        self._received = 0
        self._began: float | None = None

    async def __aenter__(self) -> Self:
        await self._client.begin()
        self._began = _now()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        if self._began is not None:
            self._client.end(self._began)
        self._began = None

    async def receive(self) -> Message:
        """Return the client's next message. A socket's first one asks for a turn."""
        if self._received == self._opens_with:
            self._end()
        self._received += 1
        message: Message = await self._receive()
        return message

    async def send(self, message: Message) -> None:
        """Pass a message on to the client."""
        if message["type"] == "http.response.body":
            self._end()
        await self._send(message)
