"""People who only want to read and play: how long they wait for pages, moves and bots.

They act at fixed times, whether the site has answered or not, and a wait counts from the time at
which they wanted to act. So a standstill of seconds counts for every affected person. Runs in a
process of its own.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count, cycle
from typing import Any, Self

from bench import pairs
from bench.connections import FAILURES, OK, ask, get
from bench.pairs import Page, Table

READERS = 50
"""Number of readers, each with a network address of its own."""

PAGE_PERIOD, MOVE_PERIOD = 0.1, 0.25
"""Seconds from one page to the next, and from one move to the next."""

OVER = 403
"""The status for players who want a move after the end of a match."""


@dataclass(frozen=True)
class Scene:
    """Visitors of the site: readers of ``pages``, a pair at ``tables``, and players of ``bots``."""

    ports: Sequence[int]
    pages: Sequence[bytes]
    tables: Sequence[Table]
    bots: Sequence[Table]


@dataclass
class Felt:
    """Milliseconds that each page, each move and each answer of a bot took.

    ``refused`` are the statuses of pages other than 200; 0 without an answer.
    """

    pages: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    bots: list[float] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)

    def __iter__(self) -> Iterator[list[float]]:
        return iter((self.pages, self.moves, self.bots))

    def __iadd__(self, other: Self) -> Self:
        for waits, more in zip(self, other, strict=True):
            waits.extend(more)
        return self


def watch(scene: Scene, seconds: float) -> Felt:
    """Let the people of a scene read and play for some seconds."""
    return asyncio.run(_watch(scene, seconds))


async def _watch(scene: Scene, seconds: float) -> Felt:
    felt, tables = Felt(), iter(scene.tables)
    work = [
        _read(scene, felt),
        _again(partial(_play, tables, felt), felt),
        *(_again(partial(_meet, table, felt), felt) for table in scene.bots),
    ]
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*work), seconds)
    return felt


async def _again(play: Callable[[], Coroutine[Any, Any, None]], felt: Felt) -> None:
    """Play, and start over if the site closes the connection."""
    while True:
        try:
            return await play()
        except FAILURES:
            felt.refused.append(0)
            await asyncio.sleep(1)


@contextlib.contextmanager
def _noted(waits: list[float], since: float) -> Iterator[None]:
    """Measure a wait, even if it is interrupted."""
    try:
        yield
    finally:
        waits.append(1000 * (time.perf_counter() - since))


async def _read(scene: Scene, felt: Felt) -> None:
    async def read(request: bytes, port: int, reader: int) -> None:
        with _noted(felt.pages, time.perf_counter()):
            try:
                status, _ = await ask(request, port, f"127.0.2.{1 + reader % READERS}")
            except OSError:
                status = 0
            if status != OK:
                felt.refused.append(status)

    async with asyncio.TaskGroup() as group:
        for each in zip(cycle(scene.pages), cycle(scene.ports), count()):
            group.create_task(read(*each))
            await asyncio.sleep(PAGE_PERIOD)


async def _play(tables: Iterator[Table], felt: Felt) -> None:
    """Let the pair play one table after another. A closed connection ends only its table.

    The time to open the pages of a table is not part of a move's.
    """
    for table in tables:
        pages = [await Page.open(table, browser) for browser in table.browsers]
        begin = time.perf_counter()
        for version, (seat, text) in enumerate(table.moves):
            since = begin + MOVE_PERIOD * version
            await asyncio.sleep(since - time.perf_counter())
            with _noted(felt.moves, since):
                await pairs.move(pages, version, seat, text)
        for page in pages:
            await page.close()


async def _meet(table: Table, felt: Felt) -> None:
    """Play random moves against a bot to the end, each as soon as the bot has answered."""
    browser = table.browsers[0]
    page = await Page.open(table, browser)
    drawing = get(f"/api/v1/matches/{table.id}/random/", browser)
    while True:
        status, answer = await ask(drawing, browser.port)
        if status == OVER:
            return
        if status != OK:
            felt.refused.append(status)
            await asyncio.sleep(1)
            continue
        drawn = json.loads(answer)
        with _noted(felt.bots, time.perf_counter()):
            await page.play(drawn["move"], drawn["version"])
            await page.sees(drawn["version"] + 2)
