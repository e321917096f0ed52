"""The channel layer of a site that runs in one process."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from channels.layers import InMemoryChannelLayer

SEND_TIMEOUT = 5.0
"""Seconds that a sender in another loop waits for the serving loop."""


class OneLoopChannelLayer(InMemoryChannelLayer):  # type: ignore[misc]  # channels has no types
    """Channels' in-memory layer, made safe for senders in other threads and loops.

    Its queues belong to the loop in which consumers wait: filling one from another loop wakes
    nobody. All calls are therefore run in the loop that last asked for a channel.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._home: asyncio.AbstractEventLoop | None = None

    async def new_channel(self, prefix: str = "specific.") -> str:
        """Return a new channel name for a consumer in this loop."""
        self._home = asyncio.get_running_loop()
        return str(await super().new_channel(prefix))

    async def receive(self, channel: str) -> dict[str, Any]:
        """Wait in this loop for the next message of the channel."""
        self._home = asyncio.get_running_loop()
        return dict(await super().receive(channel))

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        """Put a message on the channel, from any thread or loop."""
        await self._at_home(super().send, channel, message)

    async def group_add(self, group: str, channel: str) -> None:
        await self._at_home(super().group_add, group, channel)

    async def group_discard(self, group: str, channel: str) -> None:
        await self._at_home(super().group_discard, group, channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Put a message on every channel of the group, from any thread or loop."""
        await self._at_home(super().group_send, group, message)

    async def flush(self) -> None:
        await self._at_home(super().flush)

    async def _at_home(self, call: Callable[..., Awaitable[None]], *args: Any) -> None:
        """Await the call in the loop of the consumers.

        :raises TimeoutError: that loop doesn't answer, for example while the site stops.
        """
        home = self._home
        if home is None or home is asyncio.get_running_loop() or not home.is_running():
            await call(*args)
            return
        sending = _awaited(call, args)
        future = asyncio.run_coroutine_threadsafe(sending, home)
        try:
            await asyncio.wait_for(asyncio.wrap_future(future), SEND_TIMEOUT)
        except TimeoutError:
            if inspect.getcoroutinestate(sending) == inspect.CORO_CREATED:
                sending.close()  # that loop stopped before it began
            raise


async def _awaited(call: Callable[..., Awaitable[None]], args: tuple[Any, ...]) -> None:
    await call(*args)
