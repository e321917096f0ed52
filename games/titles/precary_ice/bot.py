"""How bots build: by eye, as people do.

A bot sees how the tip of its tower leans, holds the next piece against it, and errs by what its
level says. It asks no simulation what would happen: neither people nor bots know what the hand
will do.
"""

import random
from collections.abc import Sequence
from math import exp

from games.kernel.contract import Seat
from games.kernel.heuristics import Heuristics
from games.titles.precary_ice.moves import WIDEST, Place
from games.titles.precary_ice.state import State

ERRORS = (5.0, 2.2, 1.0, 0.0)
"""The standard deviations of where the levels hold a piece, in mm, the lowest first."""

COUNTERS = (0.0, 0.5, 0.5, 1.0)
"""The share of the lean by which they hold a piece to the other side."""

SCALE = 12.0
"""So many points ahead make a win about three times as likely as a loss."""


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
        """Return how likely each seat is ahead at the end, by the points so far."""
        worth = [exp(points / SCALE) for points in state.sums]
        return [one / sum(worth) for one in worth]
