"""How bots build: by eye, as people do.

A bot sees how the tip of its tower leans, holds the next piece against it, and errs according to
its level. It runs no simulation, since neither people nor bots can foresee the tremor of the hand.
"""

import random
from collections.abc import Sequence
from math import exp, inf, sqrt

from games.kernel.contract import Seat
from games.kernel.heuristics import Heuristics
from games.titles.precary_ice.moves import WIDEST, Place
from games.titles.precary_ice.state import State

ERRORS = (5.0, 2.2, 1.0, 0.0)
"""The standard deviations of where the levels hold a piece, in mm, the lowest first."""

COUNTERS = (0.0, 0.5, 0.5, 1.0)
"""The share of the lean that each level compensates for."""

SCALE = 5.0
"""This many points of advantage make a win about three times as likely as a loss.

That is so while one tower can still grow. With more of them more points are needed.
"""

USUAL = 24
"""The usual points of a tower."""

FEWEST = 3
"""Minimum points that a standing tower may expect."""


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
        """Return each seat's chance to be ahead at the end, by its points and its prospects."""
        rounds_left = state.last_round - state.round
        growing = len(state.builders) + rounds_left * len(state.still_in)
        scale = SCALE * sqrt(max(growing, 1))
        hopes = [_hope(state, Seat(seat), rounds_left) for seat in range(seats)]
        best = max(hopes)
        worth = [exp((hope - best) / scale) for hope in hopes]
        return [one / sum(worth) for one in worth]


def _hope(state: State, seat: Seat, rounds_left: int) -> float:
    """Return the points that a seat may expect in this round. 0 if it can't win."""
    points = state.sums[seat]
    if seat in state.dropped:
        return -inf
    if seat in state.builders:
        return points + max(USUAL - state.towers[seat].total, FEWEST)
    others = (state.sums[other] for other in state.still_in)
    return -inf if not rounds_left and points < max(others) else points
