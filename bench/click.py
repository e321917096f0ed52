"""From a click on the board to its preview, by one pair on a quiet site.

Random matches are entered click by click: each adds an offered word. The time of a click is from
sending it until the page has the answer.
"""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

from bench import pairs, people, scripts, site, table
from bench.options import chosen
from bench.rows import Row, percentile
from bench.site import web_processes
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


def rows() -> Iterator[Row]:
    """Measure every game."""
    people.make(2, "pair")
    with web_processes(1) as [web], site.hands() as hands:
        for title in GAMES:
            clicks: list[list[str]] = []
            script = scripts.write(title, 1, MOVES, partial(_clicked, clicks))
            ((match, *_),) = table.seated([script], [(web, web)])
            times = hands.submit(pairs.click, match, clicks).result()
            for percent, goal in GOALS:
                here = percentile(times, percent)
                limit = None if title == OBSERVED else goal
                said = f"≤ {goal:g} ms" if limit else ""
                what = f"{title}, p{percent} of {len(times)} clicks"
                yield Row(what, here, "ms", 0, "", said, here <= limit if limit else None)


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
