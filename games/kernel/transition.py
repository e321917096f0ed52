"""The course of a move: the position as it changes, and what happens meanwhile."""

from dataclasses import replace
from typing import Any, Generic, TypeVar

from msgspec import Struct, structs

from games.kernel.contract import Event
from games.kernel.dice import Dice

S = TypeVar("S")


class Transition(Generic[S]):
    """A move being carried out; a game gives it verbs of its own.

    ``state`` is the position so far, a frozen struct or dataclass; ``events`` are what has
    happened; ``dice`` give chance.
    """

    def __init__(self, state: S, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    @property
    def outcome(self) -> tuple[S, tuple[Event, ...]]:
        """What the move came to."""
        return self.state, tuple(self.events)

    def change(self, **fields: Any) -> None:
        """Go on to a position that differs in some fields."""
        state: Any = self.state
        change = structs.replace if isinstance(state, Struct) else replace
        self.state = change(state, **fields)

    def emit(self, event: Event) -> None:
        """Add what happened."""
        self.events.append(event)
