"""Opens sockets that stay idle, and measures a server's growth. Runs in a process of its own."""

import asyncio
import resource
from collections.abc import Sequence
from typing import NamedTuple

from bench.site import Server
from bench.websocket import Socket, open_socket

WARM_UP = 20
"""Number of sockets that don't count, since the server still imports and connects."""

AT_ONCE = 50
"""Number of sockets opened concurrently."""

QUIET = 5.0
"""Seconds until an opened socket is idle."""


class Address(NamedTuple):
    """The path of a socket, and the cookies of its reader."""

    path: str
    cookies: str = ""


def measure(server: Server, addresses: Sequence[Address], *, beats: bool) -> float:
    """Open sockets, and return the server's growth per socket in kilobytes.

    :param beats: whether the server sends a heartbeat once a socket works.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return asyncio.run(_measure(server, addresses, beats=beats))


async def _measure(server: Server, addresses: Sequence[Address], *, beats: bool) -> float:
    room = asyncio.Semaphore(AT_ONCE)

    async def opened(address: Address) -> Socket:
        async with room:
            socket = await open_socket(server.port, address.path, address.cookies)
            while beats and (await socket.heard.get())["type"] != "beat":
                pass
            return socket

    kept = await asyncio.gather(*map(opened, addresses[:WARM_UP]))
    await asyncio.sleep(QUIET)
    before = server.memory
    kept += await asyncio.gather(*map(opened, addresses[WARM_UP:]))
    await asyncio.sleep(QUIET)
    return (server.memory - before) / (len(kept) - WARM_UP)
