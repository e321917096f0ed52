"""Lets few requests of a client be worked on at once, so that others don't wait for a flood."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Self
from weakref import WeakValueDictionary

from config.server.clients import network_of

Application = Callable[..., Awaitable[None]]
Message = dict[str, Any]

HEALTH = ("/healthz", "/readyz")
"""Checks of the process, which must not wait for what else comes from the same address."""


class InTurn:
    """An ASGI application in which the requests of a client wait for one another, in order.

    Threads, database connections and the interpreter are everybody's. Requests without an address,
    and checks of health, don't wait.

    :param at_once: requests of one client that are worked on at once.
    """

    def __init__(self, application: Application, at_once: int) -> None:
        self._application = application
        self._at_once = at_once
        self._free: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        """Serve a request, or open a socket, when it is its turn."""
        if not scope["client"] or scope["path"] in HEALTH:
            await self._application(scope, receive, send)
            return
        client = network_of(scope["client"][0])
        free = self._free.setdefault(client, asyncio.Semaphore(self._at_once))
        async with _Turn(free, receive, send, is_socket=scope["type"] == "websocket") as turn:
            await self._application(scope, turn.receive, turn.send)


class _Turn:
    """A turn of a client.

    It ends when the body of the response begins, as a slow reader or a stream may take it for
    long. That of a socket ends once the socket is open and waits for messages.
    """

    def __init__(
        self, free: asyncio.Semaphore, receive: Any, send: Any, *, is_socket: bool
    ) -> None:
        self._free = free
        self._receive = receive
        self._send = send
        self._opens_with = 1 if is_socket else None
        self._received = 0
        self._is_over = False

    async def __aenter__(self) -> Self:
        await self._free.acquire()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        if not self._is_over:
            self._free.release()
        self._is_over = True

    async def receive(self) -> Message:
        """Return the next message of the client. The first of a socket asks for it."""
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
