"""Keeps pages up to date while Redis is down or hangs.

Each web process sends itself a message through each Redis server every half second. If none comes
back for a second, the process reads recent changes from the database and hands those of that
server's groups to its own sockets.
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
        self._name = f"pulse.{uuid4().hex}"
        self._heard: list[float] = []
        self._delivered: set[Hashable] = set()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        loop = asyncio.get_event_loop()
        self._tasks = [loop.create_task(self._run())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def begin(self, now: float) -> list[str]:
        """Assume at ``now`` that all servers work. Return a group on each, for its own messages."""
        groups = self._layer.a_group_at_each(self._name)
        self._heard = [now for _ in groups]
        return groups

    async def _listen(self, server: int, group: str) -> None:
        channel = await self._layer.new_channel()
        await self._layer.group_add(group, channel)
        while True:
            await self._layer.receive(channel)
            self._heard[server] = asyncio.get_running_loop().time()

    async def _send(self, group: str) -> None:
        while True:
            with contextlib.suppress(*FAILURES):
                await self._layer.pulse(group)
            await asyncio.sleep(CHECK_PERIOD)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        for server, group in enumerate(self.begin(loop.time())):
            self._tasks += map(loop.create_task, (self._listen(server, group), self._send(group)))
        while True:
            await asyncio.sleep(CHECK_PERIOD)
            try:
                await self.check(loop.time())
            except Exception as error:  # noqa: BLE001 - the next look may succeed
                log.warning("Pages may be late: %s", type(error).__name__)

    async def check(self, now: float) -> None:
        """Deliver recent changes of groups whose server is silent at ``now``, by the loop's clock.

        When a server is back, sockets subscribe again and get the changes that they missed.
        """
        layer = self._layer
        were_silent, were_behind = layer.silent, layer.behind
        heard = enumerate(self._heard)
        silent = frozenset(server for server, at in heard if now - at > SILENCE)
        layer.silent = silent
        if bool(silent) != bool(were_silent):
            log.warning(REDIS_SILENT if silent else REDIS_RETURNED)
        for server in were_behind - silent:
            await layer.rejoin(server)
        if late := were_silent | were_behind | silent:
            await self._deliver(late)

    async def _deliver(self, servers: frozenset[int]) -> None:
        recent = await lookups.recent_changes()
        changes = [change for change in recent if self._layer.server_of(change.group) in servers]
        for change in changes:
            if change not in self._delivered:
                self._layer.deliver(change.group, change.message)
        self._delivered = set(changes)
