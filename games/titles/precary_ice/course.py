"""The course of a move: the position as it changes, and what happens meanwhile."""

from dataclasses import replace
from typing import Any, TypeAlias

from games.kernel.contract import Event, Json, Seat
from games.kernel.dice import Dice
from games.titles.precary_ice.position import State
from games.titles.precary_ice.tower import Tower

Outcome: TypeAlias = tuple[State, tuple[Event, ...]]


class Course:
    """A move being carried out.

    ``state`` is the position so far, ``events`` what has happened; ``dice`` give chance.
    """

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    @property
    def outcome(self) -> Outcome:
        """What the move came to."""
        return self.state, tuple(self.events)

    def change(self, **fields: Any) -> None:
        """Go on to a position that differs in some fields."""
        self.state = replace(self.state, **fields)

    def set_tower(self, seat: Seat, tower: Tower) -> None:
        """Go on to a position in which a seat has another tower."""
        towers = self.state.towers
        self.change(towers=(*towers[:seat], tower, *towers[seat + 1 :]))

    def tell(self, kind: str, seat: Seat | None = None, **data: Json) -> None:
        """Say what happened."""
        self.events.append(Event(kind, seat, data))
