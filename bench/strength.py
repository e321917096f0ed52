"""``python -m bench strength [game …]``: how strong the levels of bots are, against each other.

Each level plays the one below it, the lowest against random play; seats alternate. A sequential
test ends a pair as soon as its interval lies on one side of the goal, after ``MOST`` matches at
the latest. Results are kept in a file, match by match, so that what was broken off goes on.
"""

import json
import math
import os
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from games.bots.levels import LEVELS
from games.bots.questions import Question
from games.bots.search import SampledDice, think
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.contract import AnyTitle, Observation, Params, Seat
from games.kernel.heuristics import score

MOST = int(os.environ.get("MATCHES", "200"))
BATCH = 4
"""Matches that are played before the interval is looked at again."""

LONGEST = 400
"""Moves after which a match is closed, and counts as it is ranked then."""

LISTED = 5_000
Z = 2.5
"""Intervals of so many standard deviations, as the test looks at them several times."""

PRESETS: dict[str, dict[str, Any]] = {"precary-ice": {"rounds": 1}, "die": {"size": 4}}
"""Smaller settings than the usual ones, by game."""

RESULTS = Path("var/strength.json")
RANDOM = None
PAIRS = tuple(
    (level.number, level.number - 1 if level.number else RANDOM, 0.65 if level.number else 0.6)
    for level in LEVELS
)
"""A level, the one that it plays, and the share of the points that it is to win."""

Levels = tuple[int | None, int | None]


def main(slugs: Sequence[str]) -> int:
    """Play what is missing, and print a line for each pair; return how many miss their goals."""
    missed = 0
    with ProcessPoolExecutor(2) as pool:
        for slug in slugs or registry.titles():
            for level, other, goal in PAIRS:
                found = _played(pool, slug, (level, other), goal)
                low, high = interval(found)
                missed += high < goal
                name = "random" if other is None else LEVELS[other].name
                print(
                    f"{slug:22} {LEVELS[level].name:9} v {name:9} {sum(found):5.1f}/{len(found):<4}"
                    f" {low:4.0%} – {high:4.0%}  goal {goal:.0%}  {verdict(found, goal)}",
                    flush=True,
                )
    return missed


def _played(pool: ProcessPoolExecutor, slug: str, levels: Levels, goal: float) -> list[float]:
    """Return the results of a pair, played until they decide; each batch is kept."""
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    found: list[float] = kept.setdefault(f"{slug} {levels}", [])
    while len(found) < MOST and verdict(found, goal) == "open":
        numbers = range(len(found), len(found) + BATCH)
        found += pool.map(partial(play_match, slug, levels), numbers)
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(kept))
    return found


def verdict(found: Sequence[float], goal: float) -> str:
    """Return whether a goal is ``reached`` or ``missed`` for certain; ``open`` before that."""
    low, high = interval(found)
    return "reached" if low >= goal else "missed" if high < goal else "open"


def interval(found: Sequence[float]) -> tuple[float, float]:
    """Return an interval for the share of points (Wilson's, with ``Z``)."""
    count = len(found)
    if not count:
        return 0.0, 1.0
    share, spread = sum(found) / count, Z * Z / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / count + spread / count / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def play_match(slug: str, levels: Levels, number: int) -> float:
    """Return what the first of two levels wins in a match: 1, 0.5 or 0.

    ``None`` plays at random. Seats change with the number of the match.
    """
    title = registry.get(slug)
    chance = random.Random(f"{slug} {levels} {number}")
    own = Seat(number % 2)
    by_seat = levels if own == 0 else levels[::-1]
    params = parameters.complete(title.meta, PRESETS.get(slug, {}))
    state, plies = title.rules.setup(2, params, SampledDice(chance)), 0
    while (actors := title.rules.actors(state)) and plies < LONGEST:
        seat = actors[0]
        seen = _seen(title, params, state, seat)
        text = _text(seen, by_seat[seat], chance) or _any_move(title, state, seat, chance)
        state, _ = title.rules.play(state, seat, title.parse(text), SampledDice(chance))
        plies += 1
    if title.rules.actors(state):
        state, _ = title.rules.close(state)
    return score(title.rules.result(state) or (1, 1))[own]


def _seen(title: AnyTitle, params: Params, state: Any, seat: Seat) -> Observation:
    view = title.rules.view(state, seat).dump()
    return Observation(title.meta.slug, title.meta.rules_version, params, 2, seat, view)


def _text(seen: Observation, level: int | None, chance: random.Random) -> str:
    """Return the move of a level; empty for random play."""
    return "" if level is None else think(Question(seen, level, f"{chance.random()}")).move


def _any_move(title: AnyTitle, state: Any, seat: Seat, chance: random.Random) -> str:
    return str(chance.choice(list(islice(title.rules.moves(state, seat), LISTED))))
