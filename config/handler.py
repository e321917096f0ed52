"""Django's handler of requests, which gives every database connection back."""

import asyncio
import contextlib
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_finished
from django.db import close_old_connections
from django.http.response import HttpResponseBase


class Handler(ASGIHandler):
    """Django's handler, except that neither a stream nor a failure keeps a database connection.

    Connections belong to the thread of a request, and Django takes them back with the signal
    ``request_finished``. It does not send it if a response fails while it is streamed, or if the
    server cancels a request whose thread still works: the connection would be lost to the pool.
    """

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Serve a request to its end, even if it is cancelled."""
        task = asyncio.create_task(super().__call__(scope, receive, send))
        while not task.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({task})
        task.result()

    async def handle(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        try:
            await super().handle(scope, receive, send)
        except BaseException:
            await request_finished.asend(sender=self.__class__)
            raise

    async def send_response(self, response: HttpResponseBase, send: Any) -> None:
        """Send a response. One that streams may take long, so it gets no connection."""
        if response.streaming:
            await sync_to_async(close_old_connections)()
        await super().send_response(response, send)
