"""Spectators on the pages of one match, beside its two players.

Runs in a process of its own.
"""

import asyncio
import os
import resource
import signal
import time
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from bench import pairs
from bench.pairs import Page, Table
from bench.site import Server
from bench.websocket import Socket, open_socket

MOVES = 40
"""Number of timed moves, without spectators and with them."""

DEAF = 10
"""One in this many spectators reads nothing while the match is played."""

AT_ONCE = 200
"""Number of sockets opened concurrently, except in the storm."""

HEARD = 5.0
"""Seconds in which spectators must receive the last move."""

AGAIN = 1.0
"""Seconds after which a refused spectator tries again."""

PAUSE = 0.1


@dataclass(frozen=True)
class Found:
    """The results: milliseconds of moves, kilobytes per socket, otherwise seconds.

    ``lost`` are spectators who didn't receive the last move, ``refused`` the repeated connections.
    """

    alone: Sequence[float]
    watched: Sequence[float]
    memory: float
    lost: int
    storm: float
    stopped: float
    moved: float
    refused: int


def measure(match: Table, web: Sequence[Server], count: int) -> Found:
    """Let spectators watch, half at each web process."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return asyncio.run(_measure(match, web, count))


async def _measure(match: Table, web: Sequence[Server], count: int) -> Found:
    pages = [await Page.open(match, side) for side in match.sides]
    moves = iter(enumerate(match.moves))
    alone = [await _move(pages, *next(moves)) for _ in range(MOVES)]
    before = sum(server.memory for server in web)
    spectators = [Spectator(match.id) for _ in range(count)]
    ports = [server.port for server in islice(cycle(web), count)]
    await _each(map(Spectator.open, spectators, ports), AT_ONCE)
    memory = (sum(server.memory for server in web) - before) / count
    for spectator in spectators[::DEAF]:
        spectator.deafen()
    watched = [await _move(pages, *next(moves)) for _ in range(MOVES)]
    await asyncio.sleep(HEARD)
    lost = sum(one.version < 2 * MOVES for one in spectators if not one.is_deaf)
    storm = await _seconds(_each(map(Spectator.call_again, spectators, ports), count))
    stopped, moved = await _release(spectators, web)
    refused = sum(one.refused for one in spectators)
    return Found(alone, watched, memory, lost, storm, stopped, moved, refused)


async def _release(spectators: Sequence["Spectator"], web: Sequence[Server]) -> tuple[float, float]:
    """End the first process as a release does, while its sockets move to the other."""
    leaving, staying = web
    os.kill(leaving.pid, signal.SIGTERM)
    ended = asyncio.create_task(_seconds(_gone(leaving)))
    calls = (spectator.call_elsewhere(staying.port) for spectator in spectators[:: len(web)])
    moved = await _seconds(_each(calls, len(spectators)))
    return await ended, moved


class Spectator:
    """A spectator's page: it receives moves, and reconnects when the connection is closed."""

    def __init__(self, match_id: int) -> None:
        self._path = f"/ws/?match={match_id}&parts=3"
        self._socket: Socket | None = None
        self._listening: asyncio.Task[None] | None = None
        self.version = self.refused = 0
        self.is_deaf = False

    async def open(self, port: int) -> None:
        """Connect repeatedly, as a page does. It is live with the first heartbeat."""
        while not await self._is_open(port):
            self.refused += 1
            await asyncio.sleep(AGAIN)

    async def _is_open(self, port: int) -> bool:
        try:
            self._socket = await open_socket(port, self._path)
        except ConnectionError:
            return False
        while (await self._socket.heard.get())["type"] != "beat":
            pass
        self._listening = asyncio.create_task(self._listen(self._socket))
        return True

    async def _listen(self, socket: Socket) -> None:
        while True:
            message = await socket.heard.get()
            self.version = message.get("version", self.version)
            if message["type"] == "beat":
                socket.say(type="here")

    def deafen(self) -> None:
        """Stop reading, but stay connected."""
        assert self._socket
        self.is_deaf = True
        self._socket.deafen()

    async def call_again(self, port: int) -> None:
        """Disconnect, and connect again at once."""
        self._hang_up()
        await self.open(port)

    async def call_elsewhere(self, port: int) -> None:
        """Connect to another process once this one has disconnected."""
        assert self._socket
        if not self.is_deaf:
            await self._socket.closed
        await self.call_again(port)

    def _hang_up(self) -> None:
        assert self._socket
        assert self._listening
        self._listening.cancel()
        self._socket.close()
        self.is_deaf = False


async def _each(calls: Iterable[Awaitable[None]], at_once: int) -> None:
    """Await all, at most ``at_once`` concurrently."""
    room = asyncio.Semaphore(at_once)

    async def one(call: Awaitable[None]) -> None:
        async with room:
            await call

    await asyncio.gather(*map(one, calls))


async def _seconds(work: Awaitable[None]) -> float:
    began = time.perf_counter()
    await work
    return time.perf_counter() - began


async def _gone(server: Server) -> None:
    await asyncio.to_thread(_wait_for_end, server)


def _wait_for_end(server: Server) -> None:
    while not server.is_over:
        time.sleep(PAUSE)


async def _move(pages: Sequence[Page], version: int, move: tuple[int, str]) -> float:
    """Play a move. Return the milliseconds until the opponent's page had the new board."""
    times: list[float] = []
    await pairs.move(
        pages, version, *move, lambda began: times.append(1000 * (time.perf_counter() - began))
    )
    return times[0]
