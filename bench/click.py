"""From a click on the board to its preview, by one pair on a quiet site.

Random matches are entered click by click: each adds an offered word. The time of a click is from
sending it until the page has the answer.
"""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from bench import people, site
from bench.options import chosen
from bench.pairs import Page, Table, move
from bench.rows import Row, percentile, row
from games.kernel import registry
from games.kernel.contract import AnyGame, Seat
from tests.contract.random_play import continuations

SECTION = "From a click on the board to its preview: one pair, one web process"

GAMES = chosen.games or list(registry.titles())
MOVES = 40
"""Number of moves entered per game."""

OBSERVED = "precary-ice"
"""This game computes physics for a preview, so the goals leave it out."""

GOALS = ((50, 6.0), (95, 15.0))
FIRST = 5
"""Number of clicks that don't count, since the process has just seen its first page."""

BETWEEN = 0.12
"""Seconds between clicks. A page with more than ten messages a second for long is disconnected."""


def rows() -> Iterator[Row]:
    """Measure every game."""
    users = people.make(2, "pair")
    with site.web_processes(1) as [web], site.hands() as hands:
        browsers = (people.sign_in(users[0], web.port), people.sign_in(users[1], web.port))
        for title in GAMES:
            clicks: list[list[str]] = []
            script = people.script(title, 1, MOVES, partial(_clicked, clicks))
            match = Table(script.start(users).pk, browsers, script.moves)
            times = hands.submit(measure, match, clicks).result()
            for percent, goal in GOALS:
                here = percentile(times, percent)
                what = f"{title}, p{percent} of {len(times)} clicks"
                if title == OBSERVED:
                    yield row(what, here, "ms")
                else:
                    yield row(what, here, "ms", goal=f"≤ {goal:g} ms", reached=here <= goal)


def _clicked(
    clicks: list[list[str]], game: AnyGame, state: Any, seat: Seat, rng: random.Random
) -> str:
    """Return a random move entered word by word, and add its queries to ``clicks``."""
    words: list[str] = []
    queries: list[str] = []
    while True:
        options = game.options(state, seat, "".join(words))
        if options.complete or not options.next:
            clicks.append(queries)
            return "".join(words)
        words.append(rng.choice(list(continuations(options, rng))))
        queries.append(urlencode([("word", word) for word in words]))


def measure(match: Table, clicks: Sequence[Sequence[str]]) -> list[float]:
    """Enter and play a match, and return the milliseconds of each click.

    :param clicks: the queries of the clicks of each move.
    """
    return asyncio.run(_measure(match, clicks))


async def _measure(match: Table, clicks: Sequence[Sequence[str]]) -> list[float]:
    pages = [await Page.open(match, browser) for browser in match.browsers]
    times = []
    for version, ((seat, text), queries) in enumerate(zip(match.moves, clicks, strict=True)):
        for query in queries:
            await asyncio.sleep(BETWEEN)
            began = time.perf_counter()
            await pages[seat].enter(query)
            times.append(1000 * (time.perf_counter() - began))
        await move(pages, version, seat, text)
    for page in pages:
        await page.close()
    return times[FIRST:]
