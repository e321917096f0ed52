"""The channel layer of a site with many processes: Redis, with a way around it."""

import asyncio
import contextlib
from typing import Any
from uuid import uuid4

from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.exceptions import RedisError

GROUP_TIMEOUT = 1.0
"""Seconds that joining or leaving a group may take."""

FAILURES = (RedisError, OSError, TimeoutError)


class RedisChannelLayer(RedisPubSubChannelLayer):  # type: ignore[misc]  # no types
    """Channels' layer over Redis, with sockets that outlive Redis.

    Each process keeps the members of its groups itself and subscribes to the groups in Redis. A
    socket therefore opens and joins without Redis. While Redis is silent, ``deliver`` hands
    messages to the members in this process, and ``rejoin`` subscribes once Redis is back.
    """

    is_silent = False
    """Whether Redis doesn't pass messages on (:mod:`games.live.watch` finds out)."""

    is_behind = False
    """Whether a group with members may lack its subscription; ``rejoin`` makes up for it."""

    async def new_channel(self, prefix: str = "specific.") -> str:
        """Open a channel. Redis needn't know its name: sockets only receive through groups."""
        layer = self._get_layer()
        name = f"{layer.prefix}{prefix}{uuid4().hex}"
        layer.channels[name] = asyncio.Queue()
        return name

    async def group_add(self, group: str, channel: str) -> None:
        """Add a channel to a group."""
        layer = self._get_layer()
        name = layer._get_group_channel_name(group)
        layer.groups.setdefault(name, set()).add(channel)
        if self.is_silent:
            self.is_behind = True
            return
        try:
            async with asyncio.timeout(GROUP_TIMEOUT):
                await layer.group_add(group, channel)
        except FAILURES:
            self.is_behind = True

    async def group_discard(self, group: str, channel: str) -> None:
        """Remove a channel from a group."""
        layer = self._get_layer()
        if self.is_silent:
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

    async def rejoin(self) -> None:
        """Subscribe to every group with members, and unsubscribe from the empty ones.

        What it didn't finish in ``GROUP_TIMEOUT`` is left for the next call.
        """
        layer = self._get_layer()
        self.is_behind = False
        try:
            async with asyncio.timeout(GROUP_TIMEOUT):
                for name, members in list(layer.groups.items()):
                    shard = layer._get_shard(name)
                    if members:
                        await shard.subscribe(name)
                    else:
                        layer.groups.pop(name, None)
                        await shard.unsubscribe(name)
        except FAILURES:
            self.is_behind = True
