"""Keeps pages up to date while Redis is down or hangs.

Each web process sends itself a message through Redis every half second. If none comes back for a
second, the process reads recent changes from the database and hands them to its own sockets.
"""

import asyncio
import contextlib
import logging
from collections.abc import Hashable
from uuid import uuid4

from games.live import lookups
from games.live.redis_layer import FAILURES, RedisChannelLayer

log = logging.getLogger(__name__)

CHECK_PERIOD = 0.5
"""Seconds between two messages to itself, and between two polls of the database."""

REDIS_SILENT = "Redis is silent: pages get their changes from the database."
REDIS_RETURNED = "Redis passes messages on again."

SILENCE = 1.0
"""Seconds without a message after which Redis counts as silent."""


class Watch:
    """Watches the channel layer of one process, in the loop that serves its sockets."""

    def __init__(self, layer: RedisChannelLayer) -> None:
        self._layer = layer
        self._group = f"pulse.{uuid4().hex}"
        self._heard = 0.0
        self._delivered: set[Hashable] = set()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start, in the serving loop."""
        loop = asyncio.get_event_loop()
        self._heard = loop.time()
        self._tasks = [loop.create_task(run()) for run in (self._listen, self._send, self._run)]

    async def stop(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self) -> None:
        channel = await self._layer.new_channel()
        await self._layer.group_add(self._group, channel)
        while True:
            await self._layer.receive(channel)
            self._heard = asyncio.get_running_loop().time()

    async def _send(self) -> None:
        while True:
            with contextlib.suppress(*FAILURES):
                await self._layer.pulse(self._group)
            await asyncio.sleep(CHECK_PERIOD)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(CHECK_PERIOD)
            try:
                await self.check(asyncio.get_running_loop().time())
            except Exception as error:  # noqa: BLE001 - the next look may succeed
                log.warning("Pages may be late: %s", type(error).__name__)

    async def check(self, now: float) -> None:
        """Deliver recent changes if Redis is silent at ``now``, by the loop's clock.

        When Redis is back, sockets subscribe again and get the changes that they missed.
        """
        layer = self._layer
        was_silent = self._layer.is_silent
        layer.is_silent = now - self._heard > SILENCE
        if layer.is_silent != was_silent:
            log.warning(REDIS_SILENT if layer.is_silent else REDIS_RETURNED)
        was_behind = layer.is_behind
        if was_behind and not layer.is_silent:
            await layer.rejoin()
        if was_silent or was_behind or layer.is_silent:
            await self._deliver()

    async def _deliver(self) -> None:
        changes = await lookups.recent_changes()
        for change in changes:
            if change not in self._delivered:
                self._layer.deliver(change.group, change.message)
        self._delivered = set(changes)
