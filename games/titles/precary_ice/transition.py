"""The transition of a move: the position as it changes, and what happens meanwhile."""

from typing import TypeAlias

from games.kernel import transition as kernel
from games.kernel.contract import Event, Seat
from games.titles.precary_ice.position import State
from games.titles.precary_ice.tower import Tower

Outcome: TypeAlias = tuple[State, tuple[Event, ...]]


class Transition(kernel.Transition[State]):
    """A move being carried out."""

    def set_tower(self, seat: Seat, tower: Tower) -> None:
        """Go on to a position in which a seat has another tower."""
        towers = self.state.towers
        self.change(towers=(*towers[:seat], tower, *towers[seat + 1 :]))
