"""The course of a move: the changing position, and the events."""

from dataclasses import replace
from typing import Any, Generic, TypeVar

from msgspec import Struct, structs

from games.kernel.contract import Event
from games.kernel.dice import Dice

S = TypeVar("S")


class Transition(Generic[S]):
    """A move being carried out. Games subclass it and add verbs of their own.

    ``state`` is the position so far, a frozen struct or dataclass. ``events`` are those so far.
    """

    def __init__(self, state: S, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    @property
    def outcome(self) -> tuple[S, tuple[Event, ...]]:
        return self.state, tuple(self.events)

    def change(self, **fields: Any) -> None:
        """Replace some fields of the position."""
        state: Any = self.state
        change = structs.replace if isinstance(state, Struct) else replace
        self.state = change(state, **fields)

    def emit(self, event: Event) -> None:
        self.events.append(event)
