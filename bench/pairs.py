"""Pairs of players on their pages: one moves, the other sees the new board and moves in turn.

The time of a move is from hand to eyes: from sending until the opponent's page has the new board.
Runs in a process of its own.
"""

import asyncio
import gc
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from bench import load
from bench.load import Line, Request, WrongStatus
from bench.site import Server
from bench.websocket import Socket, open_line, open_socket

WARM_UP = 2.0
"""Seconds of play that aren't counted: pages have just been opened, caches are empty."""

PATIENCE = 60.0
"""Seconds after which an unseen move ends the run."""

FIRST_CLICKS = 5
"""Number of clicks that don't count, since the process has just seen its first page."""

BETWEEN_CLICKS = 0.12
"""Seconds between clicks. A page with more than ten messages a second for long is disconnected."""

PAUSE = 1.0
"""Seconds after which a failed request is sent again."""


@dataclass(frozen=True)
class Side:
    """A player's browser: its process, its cookies, the token of its forms."""

    port: int
    cookies: str = ""
    token: str = ""


@dataclass(frozen=True)
class Table:
    """A match and its two players. ``moves`` are seat and text."""

    id: int
    sides: tuple[Side, Side]
    moves: Sequence[tuple[int, str]]


@dataclass(frozen=True)
class Played:
    """The moves of a run: how many each second, and how long each took, in milliseconds.

    ``cpu`` are the milliseconds of core that the servers used for each, ``failures`` the requests
    that had to be sent outside of the socket, or again.
    """

    rate: float
    times: list[float]
    cpu: float
    failures: int = 0


class Run:
    """The moves of a period. Those of the ``WARM_UP`` before it don't count."""

    def __init__(self, seconds: float, servers: Sequence[Server]) -> None:
        self._begin = time.perf_counter() + WARM_UP
        self._end = self._begin + seconds
        self._servers = servers
        self.times: list[float] = []
        self.in_time, self.failures = 0, 0

    @property
    def is_over(self) -> bool:
        """Whether no more moves are begun."""
        return time.perf_counter() >= self._end

    def seen(self, began: float) -> None:
        """Record a move that was sent at a time and has been seen now."""
        if began >= self._begin:
            self.in_time += not self.is_over
            self.times.append(1000 * (time.perf_counter() - began))

    async def cpu(self) -> float:
        """Wait for the end. Return the servers' CPU milliseconds per move since the beginning."""
        await asyncio.sleep(self._begin - time.perf_counter())
        used = -sum(server.seconds for server in self._servers)
        await asyncio.sleep(self._end - time.perf_counter())
        used += sum(server.seconds for server in self._servers)
        return 1000 * used / max(1, self.in_time)


class Page:
    """The page of a match in a browser: a socket, and a connection for other requests."""

    def __init__(self, table: Table, side: Side, socket: Socket, line: Line) -> None:
        self.table, self.side, self.socket = table, side, socket
        self._line = line
        self._address = f"/matches/{table.id}/"
        self.version, self.failures = 0, 0
        self.changed = asyncio.Event()
        self._fetching = asyncio.Lock()
        self._sent = ""
        self._answer: asyncio.Future[dict[str, Any]]
        self._step = 0
        self._entered: asyncio.Future[dict[str, Any]]
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def open(cls, table: Table, side: Side) -> "Page":
        """Open the page. It is live with the first heartbeat."""
        socket = await open_socket(side.port, f"/ws/?match={table.id}&parts=3", side.cookies)
        page = cls(table, side, socket, await open_line(side.port))
        await asyncio.wait_for(page.changed.wait(), PATIENCE)
        return page

    async def play(self, text: str, version: int) -> None:
        """Send a move over the socket, as the page does, or as a form if that fails."""
        submission = str(uuid4())
        self._sent, self._answer = submission, asyncio.get_running_loop().create_future()
        self.socket.say(type="play", version=version, submission=submission, texts=[text])
        heard = await asyncio.wait_for(self._answer, PATIENCE)
        if heard["type"] == "played":
            await self._take(heard)
        else:
            await self._post(text, version, submission)

    async def _post(self, text: str, version: int, submission: str) -> None:
        """Send a move as the form on the page does, and show the page in the answer."""
        self.failures += 1
        fields = {
            "version": version,
            "submission": submission,
            "csrfmiddlewaretoken": self.side.token,
        }
        path = f"{self._address}moves/?part=live"
        cookies = self.side.cookies
        await self._insist(load.post(self.side.port, path, cookies, 200, **fields, word=text))
        self._holds(version + 1)

    async def _insist(self, request: Request) -> None:
        """Send a request until it gets the expected answer, as the page does."""
        while True:
            try:
                return await self._line.ask(request)
            except WrongStatus:
                self.failures += 1
                await asyncio.sleep(PAUSE)

    async def enter(self, query: str) -> None:
        """Enter a part of a move, as a click on the board does, and wait for its answer."""
        self._step += 1
        self._entered = asyncio.get_running_loop().create_future()
        self.socket.say(type="enter", step=self._step, version=self.version, query=query)
        if "patch" not in await asyncio.wait_for(self._entered, PATIENCE):
            self.failures += 1
            path = f"{self._address}?{query}&part=entry"
            await self._insist(load.get(self.side.port, path, self.side.cookies))

    async def sees(self, version: int) -> None:
        """Wait until the page has the board of a version."""
        while self.version < version:
            self.changed.clear()
            await self.changed.wait()

    async def _listen(self) -> None:
        """Handle messages of the socket."""
        while True:
            message = await self.socket.heard.get()
            if message.get("submission") == self._sent and not self._answer.done():
                self._answer.set_result(message)
            elif message["type"] == "entered" and message["step"] == self._step:
                self._entered.set_result(message)
            elif message["type"] == "beat":
                self.socket.say(type="here")
                self.changed.set()
            elif message.get("version", 0) > self.version:
                await self._take(message)

    async def _take(self, message: dict[str, Any]) -> None:
        """Show the board in a message, or fetch it."""
        async with self._fetching:
            if message.get("version", 0) > self.version and "patch" not in message:
                self.failures += 1
                path = f"{self._address}?part=live"
                await self._insist(load.get(self.side.port, path, self.side.cookies, "text/html"))
            self._holds(message["version"])

    def _holds(self, version: int) -> None:
        self.version = max(self.version, version)
        self.changed.set()

    def close(self) -> None:
        self._listening.cancel()
        self.socket.close()


class Counter:
    """The floor's page: the message is the board."""

    def __init__(self, table: Table, socket: Socket) -> None:
        self.table, self.socket = table, socket
        self.version, self.failures = 0, 0

    @classmethod
    async def open(cls, table: Table, side: Side) -> "Counter":
        return cls(table, await open_socket(side.port, f"/?{table.id}"))

    async def play(self, text: str, version: int) -> None:
        self.socket.say(version=version, text=text, user=1)

    async def sees(self, version: int) -> None:
        """Wait until the page has the board of a version."""
        while self.version < version:
            self.version = (await self.socket.heard.get())["version"]

    def close(self) -> None:
        self.socket.close()


Open = Callable[[Table, Side], Coroutine[Any, Any, Page | Counter]]


def play(
    pairs: Sequence[Sequence[Table]],
    seconds: float,
    servers: Sequence[Server],
    *,
    floor: bool = False,
) -> Played:
    """Let all pairs play their matches concurrently for some seconds.

    :raises RuntimeError: a pair has played all its matches before.
    """
    gc.disable()
    return asyncio.run(_play(pairs, seconds, servers, Counter.open if floor else Page.open))


async def _play(
    pairs: Sequence[Sequence[Table]], seconds: float, servers: Sequence[Server], opened: Open
) -> Played:
    first = [[await opened(tables[0], side) for side in tables[0].sides] for tables in pairs]
    run = Run(seconds, servers)
    each = zip(pairs, first, strict=True)
    cpu = asyncio.create_task(run.cpu())
    await asyncio.gather(*(_pair(tables, pages, opened, run) for tables, pages in each))
    return Played(run.in_time / seconds, run.times, await cpu, run.failures)


async def _pair(
    tables: Sequence[Table], pages: Sequence[Page | Counter], opened: Open, run: Run
) -> None:
    for table in tables[1:]:
        await _table(pages, run)
        run.failures += sum(page.failures for page in pages)
        for page in pages:
            page.close()
        if run.is_over:
            return
        pages = [await opened(table, side) for side in table.sides]
    raise RuntimeError("A pair has no match left to play: give MATCHES a higher number.")


async def _table(pages: Sequence[Page | Counter], run: Run) -> None:
    for version, (seat, text) in enumerate(pages[0].table.moves):
        if run.is_over:
            return
        await move(pages, version, seat, text, run.seen)


async def move(
    pages: Sequence[Page | Counter],
    version: int,
    seat: int,
    text: str,
    seen: Callable[[float], None],
) -> None:
    """Play a move; call ``seen`` with its start once the opponent's page has the board."""
    began = time.perf_counter()
    answer = asyncio.ensure_future(pages[seat].play(text, version))
    await asyncio.wait_for(pages[1 - seat].sees(version + 1), PATIENCE)
    seen(began)
    await answer


def click(match: Table, clicks: Sequence[Sequence[str]]) -> list[float]:
    """Enter and play a match, and return the milliseconds of each click.

    :param clicks: the queries of the clicks of each move.
    """
    return asyncio.run(_click(match, clicks))


async def _click(match: Table, clicks: Sequence[Sequence[str]]) -> list[float]:
    pages = [await Page.open(match, side) for side in match.sides]
    times = []
    for version, ((seat, text), queries) in enumerate(zip(match.moves, clicks, strict=True)):
        for query in queries:
            await asyncio.sleep(BETWEEN_CLICKS)
            began = time.perf_counter()
            await pages[seat].enter(query)
            times.append(1000 * (time.perf_counter() - began))
        await move(pages, version, seat, text, lambda _: None)
    for page in pages:
        page.close()
    return times[FIRST_CLICKS:]
