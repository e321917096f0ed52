"""How bots build: by eye, as people do.

A bot sees how the tip of its tower leans, holds the next piece against it, and errs by what its
level says. It asks no simulation what would happen: neither people nor bots know what the hand
will do.
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
"""The share of the lean by which they hold a piece to the other side."""

SCALE = 5.0
"""So many points ahead make a win about three times as likely as a loss while one tower can still
grow; with more of them more points are needed."""

USUAL = 24
"""The points that a tower usually gets."""

FEWEST = 3
"""The fewest points that a tower which still stands may hope for."""


class Knowledge(Heuristics[State, Place]):
    """A steady aim in place of a search."""

    def choose(self, state: State, seat: Seat, level: int, chance: random.Random) -> Place:
        """Return where the next piece is held."""
        lean, _ = state.towers[seat].tip
        at = round(10 * chance.gauss(-COUNTERS[level] * lean, ERRORS[level]))
        return Place(max(-WIDEST, min(WIDEST, at)), 0)

    def candidates(self, state: State, seat: Seat, chance: random.Random) -> Sequence[Place]:
        """Return the steadiest aim alone: nothing is to be searched."""
        return (self.choose(state, seat, len(ERRORS) - 1, chance),)

    def evaluate(self, state: State, seats: int) -> Sequence[float]:
        """Return how likely each seat is ahead at the end, by its points and its hopes."""
        rounds_left = state.last_round - state.round
        growing = len(state.builders) + rounds_left * len(state.still_in)
        scale = SCALE * sqrt(max(growing, 1))
        hopes = [_hope(state, Seat(seat), rounds_left) for seat in range(seats)]
        best = max(hopes)
        worth = [exp((hope - best) / scale) for hope in hopes]
        return [one / sum(worth) for one in worth]


def _hope(state: State, seat: Seat, rounds_left: int) -> float:
    """Return the points that a seat may expect in this round; nothing where it can't win."""
    points = state.sums[seat]
    if seat in state.dropped:
        return -inf
    if seat in state.builders:
        return points + max(USUAL - state.towers[seat].total, FEWEST)
    others = (state.sums[other] for other in state.still_in)
    return -inf if not rounds_left and points < max(others) else points
