"""The channel layer of a site with many processes: Redis, with a fallback."""

import asyncio
import contextlib
from itertools import count
from typing import Any
from uuid import uuid4

from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.exceptions import RedisError

GROUP_TIMEOUT = 1.0
"""Seconds that joining or leaving a group may take."""

FAILURES = (RedisError, OSError, TimeoutError)


class RedisChannelLayer(RedisPubSubChannelLayer):  # type: ignore[misc]  # no types
    """Channels' layer over one or several Redis servers, with sockets that outlive them.

    Each process keeps the members of its groups itself and subscribes to the groups in Redis. A
    group is at one of the servers, by its name. A socket opens and joins without Redis. While a
    server is silent, ``deliver`` hands messages to the members in this process, and ``rejoin``
    subscribes once it is back.
    """

    silent: frozenset[int] = frozenset()
    """The servers that don't pass messages on, by number (:mod:`games.live.watch` finds out)."""

    behind: frozenset[int] = frozenset()
    """Servers at which a group with members may lack its subscription until ``rejoin``."""

    def a_group_at_each(self, name: str) -> list[str]:
        """Return a group for each server, at that server; their names begin with ``name``."""
        servers = range(len(self._get_layer()._shards))
        names = (f"{name}.{number}" for number in count())
        return [next(group for group in names if self.server_of(group) == s) for s in servers]

    def server_of(self, group: str) -> int:
        """Return the number of the server that a group is at."""
        layer = self._get_layer()
        shard = layer._get_shard(layer._get_group_channel_name(group))
        return int(layer._shards.index(shard))

    async def new_channel(self, prefix: str = "specific.") -> str:
        """Open a channel. Redis needn't know its name: sockets only receive through groups."""
        layer = self._get_layer()
        name = f"{layer.prefix}{prefix}{uuid4().hex}"
        layer.channels[name] = asyncio.Queue()
        return name

    async def group_add(self, group: str, channel: str) -> None:
        layer = self._get_layer()
        server = self.server_of(group)
        layer.groups.setdefault(layer._get_group_channel_name(group), set()).add(channel)
        if server in self.silent:
            self.behind |= {server}
            return
        try:
            async with asyncio.timeout(GROUP_TIMEOUT):
                await layer.group_add(group, channel)
        except FAILURES:
            self.behind |= {server}

    async def group_discard(self, group: str, channel: str) -> None:
        layer = self._get_layer()
        if self.server_of(group) in self.silent:
            layer.groups.get(layer._get_group_channel_name(group), set()).discard(channel)
            return
        with contextlib.suppress(*FAILURES):
            async with asyncio.timeout(GROUP_TIMEOUT):
                await layer.group_discard(group, channel)

    async def pulse(self, group: str) -> None:
        """Subscribe to a group, even while Redis is silent, and send it a message.

        :raises RedisError: Redis is away.
        :raises TimeoutError: Redis doesn't answer.
        """
        layer = self._get_layer()
        name = layer._get_group_channel_name(group)
        async with asyncio.timeout(GROUP_TIMEOUT):
            await layer._get_shard(name).subscribe(name)
            await layer.group_send(group, {"type": "pulse"})

    def deliver(self, group: str, message: dict[str, Any]) -> None:
        """Hand a message to the members of a group in this loop, without Redis."""
        layer = self._get_layer()
        content = self.serialize(message)
        for channel in layer.groups.get(layer._get_group_channel_name(group), ()):
            if channel in layer.channels:
                layer.channels[channel].put_nowait(content)

    async def rejoin(self, server: int) -> None:
        """Subscribe to a server's groups with members, and unsubscribe from its empty ones.

        Work that isn't finished in ``GROUP_TIMEOUT`` is left for the next call.
        """
        layer = self._get_layer()
        shard = layer._shards[server]
        self.behind -= {server}
        try:
            async with asyncio.timeout(GROUP_TIMEOUT):
                for name, members in list(layer.groups.items()):
                    if layer._get_shard(name) is not shard:
                        continue
                    if members:
                        await shard.subscribe(name)
                    else:
                        layer.groups.pop(name, None)
                        await shard.unsubscribe(name)
        except FAILURES:
            self.behind |= {server}
