"""The six kinds of move; ``str`` gives each its canonical text."""

from dataclasses import dataclass
from typing import TypeAlias

from games.titles.simple_life_or_death.deck import Card
from games.titles.simple_life_or_death.pieces import Piece, Size
from games.titles.simple_life_or_death.squares import Direction, Square

OFF = "off"
"""The end of a way that leads off the board, in place of the name of a square."""


@dataclass(frozen=True, slots=True)
class Place:
    """A piece from the stock; its text is ``place S c7``."""

    size: Size
    square: Square

    def __str__(self) -> str:
        return f"place {self.size} {self.square}"


@dataclass(frozen=True, slots=True)
class Go:
    """A piece that sets out; its text is ``move rM2 ne d10``, without a die where that is fixed."""

    piece: Piece
    direction: Direction
    die: int | None = None

    def __str__(self) -> str:
        die = "" if self.die is None else f" d{self.die}"
        return f"move {self.piece} {self.direction}{die}"


@dataclass(frozen=True, slots=True)
class Land:
    """Where a moving piece stops, ``None`` being off the board; its text is ``land f10``."""

    square: Square | None

    def __str__(self) -> str:
        return f"land {self.square or OFF}"


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack; its text is ``attack rS1 bM2 KS``, without a card where dice decide."""

    attacker: Piece
    target: Piece
    card: Card | None = None

    def __str__(self) -> str:
        card = "" if self.card is None else f" {self.card}"
        return f"attack {self.attacker} {self.target}{card}"


@dataclass(frozen=True, slots=True)
class Defend:
    """The answer to an attack; its text is ``defend 7H``."""

    card: Card

    def __str__(self) -> str:
        return f"defend {self.card}"


@dataclass(frozen=True, slots=True)
class End:
    """The end of the turn."""

    def __str__(self) -> str:
        return "end"


Move: TypeAlias = Place | Go | Land | Attack | Defend | End


def foresee(move: Move) -> bool:
    """Whether no hidden card has a say in what a move does, nor is turned up by it.

    A landing off the board may carry off somebody's last piece, and then a hand is turned up.
    """
    return isinstance(move, Place | End) or (isinstance(move, Land) and move.square is not None)
