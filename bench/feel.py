"""Games with physics: towers of simulated builders with every hand, and their cost.

``--rounds`` sets the number of towers per builder. 500 take most of an hour of a core.
"""

import os
import time
from collections.abc import Iterator, Sequence
from functools import partial
from statistics import median

from bench import site
from bench.builders import Round, build
from bench.options import chosen
from bench.rows import Row
from games.titles.precary_ice.tower import MAX_POINTS, PEN_TIME

SECTION = "What building feels like (scores of towers; placements)"

ROUNDS = chosen.rounds or 500
SLOWEST, USUAL = 2.0, 0.4
MEDIAN = 0.1
"""Goal for the median placement, in seconds of a core."""

CASES = (
    ("thoughtful, half beyond", "normal", (36, 42)),
    ("thoughtful, on the axis", "normal", (36, 42)),
    ("best known, all beyond", "normal", (43, MAX_POINTS)),
    ("careless", "normal", (26, 33)),
    ("at random", "normal", (0, 25)),
    ("thoughtful, half beyond", "steady", (46, 52)),
    ("thoughtful, half beyond", "shaky", (28, 33)),
)
"""Builder, hand, and the range for the median score.

The best known builder counters the lean, and should have 5 points more than one on the axis.
"""


def rows() -> Iterator[Row]:
    """Let every builder build, and yield the scores and the costs of placements."""
    costs: list[tuple[int, float]] = []
    with site.hands(min(2, os.cpu_count() or 1)) as pool:
        for builder, steadiness, (low, high) in CASES:
            one = partial(build, builder, steadiness, clock=time.process_time)
            found = list(pool.map(one, range(ROUNDS)))
            costs += (cost for tower in found for cost in tower.placements)
            name = f"{builder}, {steadiness} hand"
            middle = median(tower.score for tower in found)
            goal = f"median {low}–{high}"
            yield Row(name, middle, "points", *_spread(found), goal, low <= middle <= high)
    yield from _costs(costs)


def _spread(found: Sequence[Round]) -> tuple[float, str]:
    """Return the lowest tenth of the scores, and the rest of the distribution in words."""
    scores = sorted(tower.score for tower in found)
    falls = [tower.ms for tower in found if tower.ms is not None]
    slow = sum(ms >= PEN_TIME for ms in falls) / max(1, len(falls))
    whole = scores.count(MAX_POINTS) / len(scores)
    tenth, ninth = scores[len(scores) // 10], scores[len(scores) * 9 // 10]
    return tenth, f"to {ninth} (10–90 %), all {whole:.1%}, slow falls {slow:.0%}"


def _costs(costs: Sequence[tuple[int, float]]) -> Iterator[Row]:
    """Yield the cost of a placement, in total and by the tower's height, with the highest one."""
    every = sorted(seconds for _, seconds in costs)
    usual, goal = median(every), f"median ≤ {MEDIAN} s"
    yield Row("a placement", usual, "s", every[-1], "s at most", goal, usual <= MEDIAN)
    for low, high in ((3, 7), (8, 12), (13, 17), (18, 22), (23, 26), (27, 29)):
        took = sorted(seconds for below, seconds in costs if low <= below <= high)
        if took:
            usual, most = median(took), took[-1]
            name = f"a piece over {low} to {high} ({len(took)})"
            reached = usual <= USUAL and most <= SLOWEST
            goal = f"median ≤ {USUAL} s, ≤ {SLOWEST:g} s"
            yield Row(name, usual, "s", most, "s at most", goal, reached)
