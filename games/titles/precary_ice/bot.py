"""How bots build: by eye, as people do.

A bot sees how the tip of its tower leans, holds the next piece against it, and errs according to
its level. It runs no simulation, since neither people nor bots can foresee the tremor of the hand.
"""

import random
from collections.abc import Sequence
from functools import cache
from math import exp

from games.kernel.contract import Seat
from games.kernel.heuristics import Heuristics
from games.titles.precary_ice.meta import NORMAL, SHAKY, STEADY
from games.titles.precary_ice.moves import WIDEST, Place
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import BONUS_POINTS, MAX_POINTS, NEW

ERRORS = (5.0, 2.2, 1.0, 0.0)
"""The standard deviations of where the levels hold a piece, in mm, the lowest first."""

COUNTERS = (0.0, 0.5, 0.5, 1.0)
"""The share of the lean that each level compensates for."""

SCALES = {STEADY: 55.0, NORMAL: 44.0, SHAKY: 31.0}
SHAPE = 2.9
"""How far towers of the best builder grow, by hand: the parameters of a Weibull distribution.

About a third of the towers get ``SCALES`` points higher than a new one. ``bench feel`` has the
figures.
"""

ALL_PIECES = MAX_POINTS - BONUS_POINTS
"""The points of a tower of all pieces without the bonus."""

Chances = Sequence[float]
"""The chances of 0, 1, 2 … points."""


class Knowledge(Heuristics[State, Place]):
    """A steady aim instead of a search."""

    def choose(self, state: State, seat: Seat, level: int, chance: random.Random) -> Place:
        """Return where the next piece is held."""
        lean, _ = state.towers[seat].tip
        at = round(10 * chance.gauss(-COUNTERS[level] * lean, ERRORS[level]))
        return Place(max(-WIDEST, min(WIDEST, at)), 0)

    def candidates(self, state: State, seat: Seat, chance: random.Random) -> Sequence[Place]:
        """Return only the steadiest aim, since nothing is searched."""
        return (self.choose(state, seat, len(ERRORS) - 1, chance),)

    def evaluate(self, state: State, seats: int) -> Sequence[float]:
        """Return each seat's chance to be ahead at the end, from how far towers usually grow."""
        known = {seat: _final_points(state, seat) for seat in state.still_in}
        length = max(map(len, known.values()))
        ahead = [1.0] * length
        below = {seat: _below(chances, length) for seat, chances in known.items()}
        for one in below.values():
            ahead = [all_of * own for all_of, own in zip(ahead, one, strict=True)]
        worth = [0.0] * seats
        for seat, chances in known.items():
            worth[seat] = sum(
                chance * all_of / own
                for chance, all_of, own in zip(chances, ahead, below[seat], strict=False)
                if chance
            )
        return [one / sum(worth) for one in worth]


def _final_points(state: State, seat: Seat) -> Chances:
    """Return the chances of a seat's points at the end of the match."""
    points = state.sums[seat]
    later = _later(state.hand, state.last_round - state.round)
    if seat in state.builders:
        total = state.towers[seat].total
        points -= total
        later = _added(_grown(state.hand, total), later)
    return (0.0,) * points + tuple(later)


@cache
def _later(hand: str, rounds: int) -> Chances:
    """Return the chances of the points in a number of whole rounds."""
    return _added(_grown(hand, NEW.total), _later(hand, rounds - 1)) if rounds else (1.0,)


@cache
def _grown(hand: str, total: int) -> Chances:
    """Return the chances of the final points of a tower that stands with a total."""
    scale = SCALES[hand]
    higher = [
        exp(-((max(0, points - NEW.total) / scale) ** SHAPE)) for points in range(ALL_PIECES + 1)
    ]
    chances = [0.0] * (MAX_POINTS + 1)
    for points in range(total, ALL_PIECES):
        chances[points] = (higher[points] - higher[points + 1]) / higher[total]
    chances[MAX_POINTS] = higher[ALL_PIECES] / higher[total]
    return chances


def _added(one: Chances, other: Chances) -> Chances:
    """Return the chances of the sum of two numbers of points."""
    chances = [0.0] * (len(one) + len(other) - 1)
    for points, chance in enumerate(one):
        if chance:
            for more, its_chance in enumerate(other):
                chances[points + more] += chance * its_chance
    return chances


def _below(chances: Chances, length: int) -> Chances:
    """Return for 0, 1, 2 … the chance of fewer points, and half that of as many."""
    below, result = 0.0, []
    for points in range(length):
        chance = chances[points] if points < len(chances) else 0.0
        result.append(below + chance / 2)
        below += chance
    return result
