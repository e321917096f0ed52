"""What bots know of DIE: stones and safe cells are burdens, and captured groups a relief."""

import random
from collections.abc import Sequence

from games.kernel.contract import Seat
from games.kernel.heuristics import Heuristics
from games.titles.die.moves import Move
from games.titles.die.position import State


class Knowledge(Heuristics[State, Move]):
    """Playouts to the end, as far as that comes soon; then whoever has fewer stones is ahead."""

    simulations = (12, 60, 300, 2000)
    overlooked = (0.3, 0.0, 0.0, 0.0)
    horizon = 60
    width = 100

    def candidates(self, state: State, seat: Seat, chance: random.Random) -> Sequence[Move]:
        """Return all legal cells in any order."""
        found = list(state.board.cells_of(state.legal))
        chance.shuffle(found)
        return found

    def playout_move(self, state: State, seat: Seat, chance: random.Random) -> Move:
        """Return any legal cell."""
        return chance.choice(list(state.board.cells_of(state.legal)))

    def evaluate(self, state: State, seats: int) -> Sequence[float]:
        """Return the share of the stones that each seat does not have."""
        red, blue = (stones.bit_count() + 1 for stones in state.stones)
        return blue / (red + blue), red / (red + blue)
