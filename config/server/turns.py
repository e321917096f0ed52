"""Lets few requests of a client be worked on at once, so that others don't wait for a flood."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakValueDictionary

from config.server.clients import network_of

Application = Callable[..., Awaitable[None]]
Message = dict[str, Any]

STREAM = (b"content-type", b"application/x-ndjson")
"""The header of responses that go on until somebody ends them."""


def is_stream(message: Message) -> bool:
    """Whether a message begins a response that goes on until somebody ends it."""
    headers = message.get("headers", ())
    return any((name.lower(), value) == STREAM for name, value in headers)


class InTurn:
    """An ASGI application in which the requests of a client wait for one another, in order.

    Threads, database connections and the interpreter are everybody's. A stream ends its turn with
    its headers. Sockets and requests without an address don't wait.

    :param at_once: requests of one client that are worked on at once.
    """

    def __init__(self, application: Application, at_once: int) -> None:
        self._application = application
        self._at_once = at_once
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        """Serve a request when it is its turn."""
        if scope["type"] != "http" or not scope["client"]:
            await self._application(scope, receive, send)
            return
        client = network_of(scope["client"][0])
        turn = self._turns.setdefault(client, asyncio.Semaphore(self._at_once))
        has_turn: bool = await turn.acquire()

        def end_turn() -> None:
            nonlocal has_turn
            if has_turn:
                turn.release()
            has_turn = False

        async def noting_send(message: Message) -> None:
            if message["type"] == "http.response.start" and is_stream(message):
                end_turn()
            await send(message)

        try:
            await self._application(scope, receive, noting_send)
        finally:
            end_turn()
