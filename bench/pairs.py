"""Pairs of players on their pages: one moves, the other sees the new board and moves in turn.

The time of a move is from hand to eyes: from sending until the opponent's page has the new board.
Runs in a process of its own.
"""

import asyncio
import gc
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import uuid4

from websockets.asyncio.client import ClientConnection

from bench.connections import OK, Browser, ask, get, open_socket, post
from bench.rows import percentile
from bench.site import Server

WARM_UP = 2.0
"""Seconds of play that aren't counted: pages have just been opened, caches are empty."""

PATIENCE = 60.0
"""Seconds after which an unseen move ends the run."""

PAUSE = 1.0
"""Seconds after which a failed request is sent again."""


@dataclass(frozen=True)
class Table:
    """A match and its two players. ``moves`` are seat and text."""

    id: int
    browsers: tuple[Browser, Browser]
    moves: Sequence[tuple[int, str]] = ()


class Played(NamedTuple):
    """The moves of a run: how many each second, and milliseconds of each.

    ``core`` are those of a core that the servers used, ``failures`` the requests that had to be
    sent outside of the socket, or again.
    """

    rate: float
    core: float
    p50: float
    p95: float
    failures: float = 0


class Page:
    """The page of a match in a browser."""

    def __init__(self, table: Table, browser: Browser, socket: ClientConnection) -> None:
        self.table, self.browser, self.socket = table, browser, socket
        self.version, self.failures = 0, 0
        self.changed = asyncio.Event()
        self._address = f"/matches/{table.id}/"
        self._step = 0
        self._awaited: tuple[str, object] = ("", None)
        self._answer: asyncio.Future[dict[str, Any]]
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def open(cls, table: Table, browser: Browser) -> "Page":
        """Open the page. It is live with the first heartbeat."""
        socket = await open_socket(f"/ws/?match={table.id}&parts=3", browser)
        page = cls(table, browser, socket)
        await asyncio.wait_for(page.changed.wait(), PATIENCE)
        return page

    async def play(self, text: str, version: int) -> None:
        """Send a move over the socket, as the page does, or as a form if that fails."""
        sent = {"version": version, "submission": str(uuid4())}
        answer = await self._say("submission", type="play", texts=[text], **sent)
        if answer["type"] == "played":
            await self._take(answer)
        else:
            path = f"{self._address}moves/?part=live"
            await self._insist(post(path, self.browser, word=text, **sent))
            self._hold(version + 1)

    async def enter(self, query: str) -> None:
        """Enter a part of a move, as a click on the board does, and wait for its answer."""
        self._step += 1
        entered = {"step": self._step, "version": self.version, "query": query}
        if "patch" not in await self._say("step", type="enter", **entered):
            await self._insist(get(f"{self._address}?{query}&part=entry", self.browser))

    async def sees(self, version: int) -> None:
        """Wait until the page has the board of a version."""
        while self.version < version:
            self.changed.clear()
            await self.changed.wait()

    async def _say(self, by: str, **message: Any) -> dict[str, Any]:
        """Send a message, and return its answer, which has the same value ``by``."""
        self._awaited = by, message[by]
        self._answer = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps(message))
        return await asyncio.wait_for(self._answer, PATIENCE)

    async def _insist(self, request: bytes) -> None:
        """Send a request until it is answered, as the page does."""
        self.failures += 1
        while (await ask(request, self.browser.port))[0] != OK:
            self.failures += 1
            await asyncio.sleep(PAUSE)

    async def _listen(self) -> None:
        """Handle messages of the socket."""
        async for text in self.socket:
            message = json.loads(text)
            name, value = self._awaited
            if name and message.get(name) == value and not self._answer.done():
                self._answer.set_result(message)
            elif message["type"] == "beat":
                await self.socket.send(json.dumps({"type": "here"}))
                self.changed.set()
            else:
                await self._take(message)

    async def _take(self, message: dict[str, Any]) -> None:
        """Show the board in a message, or fetch it."""
        version = message.get("version", 0)
        if version > self.version:
            if "patch" not in message:
                await self._insist(get(f"{self._address}?part=live", self.browser))
            self._hold(version)

    def _hold(self, version: int) -> None:
        self.version = max(self.version, version)
        self.changed.set()

    async def close(self) -> None:
        self._listening.cancel()
        await self.socket.close()


class Counter:
    """The floor's page: the message is the board."""

    def __init__(self, table: Table, socket: ClientConnection) -> None:
        self.table, self.socket = table, socket
        self.version, self.failures = 0, 0

    @classmethod
    async def open(cls, table: Table, browser: Browser) -> "Counter":
        return cls(table, await open_socket(f"/?{table.id}", browser))

    async def play(self, text: str, version: int) -> None:
        await self.socket.send(json.dumps({"version": version, "text": text, "user": 1}))

    async def sees(self, version: int) -> None:
        """Wait until the page has the board of a version."""
        while self.version < version:
            self.version = json.loads(await self.socket.recv())["version"]

    async def close(self) -> None:
        await self.socket.close()


class Run:
    """The moves of a period. Those of the ``WARM_UP`` before it don't count."""

    def __init__(self, seconds: float) -> None:
        self.begin = time.perf_counter() + WARM_UP
        self.end = self.begin + seconds
        self.times: list[float] = []
        self.in_time, self.failures = 0, 0

    @property
    def is_over(self) -> bool:
        """Whether no more moves are begun."""
        return time.perf_counter() >= self.end

    async def core(self, servers: Sequence[Server]) -> float:
        """Wait for the end. Return the milliseconds of a core that servers used for each move."""
        await asyncio.sleep(self.begin - time.perf_counter())
        used = -sum(server.seconds for server in servers)
        await asyncio.sleep(self.end - time.perf_counter())
        used += sum(server.seconds for server in servers)
        return 1000 * used / max(1, self.in_time)

    async def play(self, pages: Sequence[Page | Counter]) -> None:
        """Let a pair play a match, and close its pages."""
        for version, (seat, text) in enumerate(pages[0].table.moves):
            if self.is_over:
                break
            began = time.perf_counter()
            took = await move(pages, version, seat, text)
            if began >= self.begin:
                self.in_time += not self.is_over
                self.times.append(took)
        self.failures += sum(page.failures for page in pages)
        for page in pages:
            await page.close()


def play(pairs: Sequence[Sequence[Table]], seconds: float, servers: Sequence[Server]) -> Played:
    """Let all pairs play their matches concurrently for some seconds.

    :raises RuntimeError: a pair has played all its matches before.
    """
    gc.disable()
    return asyncio.run(_play(pairs, seconds, servers))


async def _play(
    pairs: Sequence[Sequence[Table]], seconds: float, servers: Sequence[Server]
) -> Played:
    first = [await _open(tables[0]) for tables in pairs]
    run = Run(seconds)

    async def play_all(tables: Sequence[Table], pages: Sequence[Page | Counter]) -> None:
        for following in tables[1:]:
            await run.play(pages)
            if run.is_over:
                return
            pages = await _open(following)
        raise RuntimeError("A pair has no match left to play.")

    core = asyncio.create_task(run.core(servers))
    await asyncio.gather(*map(play_all, pairs, first))
    middle, late = percentile(run.times, 50), percentile(run.times, 95)
    return Played(run.in_time / seconds, await core, middle, late, run.failures)


async def _open(table: Table) -> Sequence[Page | Counter]:
    page: type[Page | Counter] = Counter if table.browsers[0].is_of_floor else Page
    return [await page.open(table, browser) for browser in table.browsers]


async def move(pages: Sequence[Page | Counter], version: int, seat: int, text: str) -> float:
    """Play a move. Return the milliseconds until the opponent's page had the board."""
    began = time.perf_counter()
    answer = asyncio.ensure_future(pages[seat].play(text, version))
    await asyncio.wait_for(pages[1 - seat].sees(version + 1), PATIENCE)
    took = 1000 * (time.perf_counter() - began)
    await answer
    return took
