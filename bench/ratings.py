"""How well ratings order players: simulated people with hidden strengths play each other."""

import math
import random
import time
from collections.abc import Iterator, Sequence

from bench.rows import Row
from games.ratings.calculation import CHANCE, MAX_DEVIATION, START, Entrant, Strength, rate

SECTION = "Ratings of 500 simulated players after 30 matches of 2 to 6 each, with ties"

PLAYERS = 500
MATCHES = 30
SEATS = (2, 6)
SEED = 30
GOAL = 0.95

DRAW = 40
"""Results that are closer than this, in points, are mostly ties."""


def rows() -> Iterator[Row]:
    """Measure the order after some rounds, and the stated uncertainty at the end."""
    chance = random.Random(SEED)
    hidden = [chance.gauss(START, MAX_DEVIATION) for _ in range(PLAYERS)]
    known = [Strength() for _ in range(PLAYERS)]
    rated, began = 0, time.process_time()
    for played in range(1, MATCHES + 1):
        rated += _round(known, hidden, chance)
        if played in (10, 20, MATCHES):
            found = spearman([one.mu for one in known], hidden)
            goal = f"≥ {GOAL}" if played == MATCHES else ""
            reached = found >= GOAL if goal else None
            what = f"Spearman's rank correlation after {played} matches each"
            yield Row(what, found, "", 1.0, "of a perfect order", goal, reached)
    spent = 1000 * (time.process_time() - began) / rated
    errors = [one.mu - true for one, true in zip(known, hidden, strict=True)]
    error = math.sqrt(sum(each**2 for each in errors) / PLAYERS)
    stated = math.sqrt(sum(one.sigma**2 for one in known) / PLAYERS)
    yield Row("error of the numbers", error, "points", stated, "points stated")
    yield Row("working out a match", spent, "ms", 0, "")


def _round(known: list[Strength], hidden: Sequence[float], chance: random.Random) -> int:
    """Let everybody play once; return how many matches there were."""
    order = list(range(PLAYERS))
    chance.shuffle(order)
    count = 0
    while order:
        size = min(chance.randint(*SEATS), len(order))
        if len(order) - size == 1:
            size += 1
        table, order = order[:size], order[size:]
        places = _places([hidden[player] for player in table], chance)
        entrants = [Entrant(known[p], place) for p, place in zip(table, places, strict=True)]
        for player, strength in zip(table, rate(entrants), strict=True):
            known[player] = strength
        count += 1
    return count


def _places(strengths: Sequence[float], chance: random.Random) -> list[int]:
    """Draw the places: each pair comes out as the model says, close results tie."""
    spread = CHANCE * math.sqrt(2)
    results = [
        round((mu - spread * math.log(-math.log(chance.random()))) / DRAW) for mu in strengths
    ]
    return [1 + sum(other > result for other in results) for result in results]


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the rank correlation of two lists without ties."""
    count = len(first)
    ranks = [
        {at: rank for rank, at in enumerate(sorted(range(count), key=values.__getitem__))}
        for values in (first, second)
    ]
    apart = sum((ranks[0][at] - ranks[1][at]) ** 2 for at in range(count))
    return 1 - 6 * apart / (count * (count**2 - 1))
