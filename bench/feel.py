"""Games with physics: towers of simulated builders with every hand.

``--rounds`` sets the number of towers per builder. 500 take most of an hour of a core.
"""

import os
from collections.abc import Iterator
from functools import partial
from statistics import median

from bench import site
from bench.builders import build
from bench.options import chosen
from bench.rows import Row
from games.titles.precary_ice.tower import MAX_POINTS, PEN_TIME

SECTION = "What building feels like: scores of towers"
HEADINGS = ("builder", "goal", "median", "10–90 %", "all sixty", "slow falls", "")

ROUNDS = chosen.rounds or 500
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
    """Let every builder build."""
    with site.hands(min(2, os.cpu_count() or 1)) as pool:
        for builder, steadiness, (low, high) in CASES:
            towers = list(pool.map(partial(build, builder, steadiness), range(ROUNDS)))
            scores = sorted(tower.score for tower in towers)
            middle, count = median(scores), len(scores)
            falls = [tower.ms for tower in towers if tower.ms is not None]
            slow = sum(ms >= PEN_TIME for ms in falls) / max(1, len(falls))
            yield (
                f"{builder}, {steadiness} hand",
                f"{low}–{high}",
                f"{middle:g}",
                f"{scores[count // 10]}–{scores[count * 9 // 10]}",
                f"{scores.count(MAX_POINTS) / count:.1%}",
                f"{slow:.0%}",
                "reached" if low <= middle <= high else "MISSED",
            )
