"""Phases: a game whose turn asks for different things in order keeps each in one module.

A phase holds what belongs together: who may act, which moves there are and why others are
refused, what a move does, and how it is entered.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, TypeVar

from games.kernel.options import Options
from games.kernel.transition import Transition

S = TypeVar("S")
T = TypeVar("T", bound=Transition[Any])


class Phase(ABC, Generic[S, T]):
    """What happens while a position is in one phase.

    ``name`` is what positions call it; ``moves_of`` are the types of its moves, and
    ``asks`` is the end of a sentence that refuses a move of another phase.
    """

    name: ClassVar[str]
    moves_of: ClassVar[tuple[type, ...]]
    asks: ClassVar[str]

    @abstractmethod
    def moves(self, state: S) -> Iterable[Any]:
        """Return every legal move of the seat that is asked, each once, lazily if many."""

    @abstractmethod
    def why_not(self, state: S, move: Any) -> str:
        """Return why a move of one of this phase's types is forbidden; empty if it is legal."""

    @abstractmethod
    def play(self, transition: T, move: Any) -> None:
        """Do what a legal move says, and what follows from it by itself."""

    @abstractmethod
    def options(self, state: S, typed: str) -> Options:
        """Return how a text may go on to a legal move; neither complete nor next if it is none."""

    def refusal(self, state: S, move: Any) -> str:
        """Return why a move is forbidden in this phase; empty if it is legal."""
        return self.why_not(state, move) if isinstance(move, self.moves_of) else self.asks
