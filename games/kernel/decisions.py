"""Decisions: questions about one move of a game, whose answer is a matter of chances.

A title may have a module ``decisions.py`` with a subclass of :class:`Decisions` called
``Questions``, which is found like its heuristics. Puzzles are made of it.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from games.kernel.contract import AnyGame, Params, Seat

S = TypeVar("S")
M = TypeVar("M")

MARGIN = 0.15
"""Minimum difference between the chances of the right decision and of any other."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The right decision: a move that makes it, its chance, and the best chance of any other.

    ``theme`` is one of the game's.
    """

    move: str
    best: float
    second: float
    theme: str


class Decisions(ABC, Generic[S, M]):
    """A question that a game asks about many of its positions.

    All texts are English, marked by ``gettext_noop``. ``question`` asks for a move with the best
    chance. ``odds`` says how often the best choice succeeds, ``{best}``, and any other,
    ``{second}``. ``themes`` maps the keys of its themes to their names. ``remark`` is a sentence
    about all its positions.
    """

    question: ClassVar[str]
    odds: ClassVar[str]
    themes: ClassVar[dict[str, str]]
    remark: ClassVar[str] = ""

    def __init__(self, title: AnyGame) -> None:
        self.title = title

    @abstractmethod
    def positions(
        self, seats: int, chance: random.Random
    ) -> Iterator[tuple[S, Seat, dict[str, Any]]]:
        """Yield positions with the seat that decides and the parameters, without end."""

    @abstractmethod
    def answer(self, state: S, seat: Seat, params: Params) -> Answer | None:
        """Return the right decision. ``None`` if no decision is clearly the best."""

    @abstractmethod
    def is_right(self, state: S, seat: Seat, right: M, move: M) -> bool:
        """Whether a move makes the right decision, as the move ``right`` does."""


AnyDecisions = Decisions[Any, Any]


def clear(chances: Sequence[float]) -> tuple[float, float] | None:
    """Return the highest chance and the second. ``None`` if it isn't clearly the highest."""
    best, second = sorted(chances, reverse=True)[:2]
    return (best, second) if best - second >= MARGIN else None
