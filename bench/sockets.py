"""The memory of idle sockets of match pages, compared with the floor's bare consumer."""

import asyncio
import json
import resource
from collections.abc import Iterator, Sequence

from django.utils import timezone
from websockets.asyncio.client import ClientConnection

from bench import people, site
from bench.connections import VISITOR, Browser, open_socket
from bench.models import Counter
from bench.options import chosen
from bench.rows import Row, row
from bench.site import Server

SOCKETS = chosen.sockets
SECTION = f"Memory of an idle socket: {SOCKETS:,} of each kind at one process"
GOAL = 50.0
PEOPLE = 20
BARE = "kB, bare consumer"

WARM_UP = 20
"""Number of sockets that don't count, since the server still imports and connects."""

AT_ONCE = 50
"""Number of sockets opened concurrently."""

QUIET = 5.0
"""Seconds until an opened socket is idle."""

MATCHES = (SOCKETS + WARM_UP) // 2

Address = tuple[str, Browser]


def rows() -> Iterator[Row]:
    """Measure each kind in processes of its own."""
    with site.floors(1) as [server]:
        floor = _memory(server, _bare())
    users = people.make(PEOPLE, "idle")
    browsers = list(map(people.sign_in, users))
    script = people.script()
    watched = script.start(users[:2]).pk
    players = []
    for number in range(MATCHES):
        first = 2 * number % PEOPLE
        path = f"/ws/?match={script.start(users[first : first + 2]).pk}&parts=3"
        players += [(path, browsers[first]), (path, browsers[first + 1])]
    spectators = [(f"/ws/?match={watched}&parts=3", VISITOR)] * (2 * MATCHES)
    for kind, addresses in (("spectator", spectators), ("player", players)):
        with site.web_processes(1) as [server]:
            memory = _memory(server, addresses)
        what, goal = f"a {kind}'s socket", f"≤ {GOAL:g} kB"
        is_met = memory <= GOAL
        yield row(what, memory, "kB", floor=floor, floor_is=BARE, goal=goal, reached=is_met)


def _bare() -> list[Address]:
    """Return the sockets of the floor, two to a number."""
    made = Counter.objects.bulk_create(Counter(changed=timezone.now()) for _ in range(MATCHES))
    return [(f"/?{counter.pk}", VISITOR) for counter in made for _ in range(2)]


def _memory(server: Server, addresses: Sequence[Address]) -> float:
    """Return the kilobytes of a socket. A process of its own has the other ends."""
    with site.hands() as hands:
        return hands.submit(measure, server, addresses).result()


def measure(server: Server, addresses: Sequence[Address]) -> float:
    """Open sockets, and return the server's growth per socket in kilobytes."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return asyncio.run(_measure(server, addresses))


async def _measure(server: Server, addresses: Sequence[Address]) -> float:
    room = asyncio.Semaphore(AT_ONCE)

    async def opened(path: str, browser: Browser) -> ClientConnection:
        async with room:
            socket = await open_socket(path, browser, server.port)
            # A page is live with its first heartbeat, which the floor doesn't send.
            while path.startswith("/ws/") and json.loads(await socket.recv())["type"] != "beat":
                pass
            return socket

    async def open_all(some: Sequence[Address]) -> list[ClientConnection]:
        found = await asyncio.gather(*(opened(*address) for address in some))
        await asyncio.sleep(QUIET)
        return found

    kept = await open_all(addresses[:WARM_UP])
    before = server.memory
    kept += await open_all(addresses[WARM_UP:])
    return (server.memory - before) / (len(kept) - WARM_UP)
