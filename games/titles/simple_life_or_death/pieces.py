"""Pieces: pyramids of three sizes, five of each for every seat, and the stacks that they form."""

import re
from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from typing import NamedTuple, TypeAlias

from games.kernel.contract import Seat
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.squares import Square

EACH = 5
"""Pieces of every size that a seat has."""

_SEATS = {colour.letter: Seat(seat) for seat, colour in enumerate(META.colours)}

PATTERN = f"[{''.join(_SEATS)}][sml][1-{EACH}]"
"""What every name of a piece looks like, small."""

_NAME = re.compile(PATTERN)


class Size(Enum):
    """How large a piece is: this and nothing else decides by which dice it moves."""

    SMALL = "S"
    MEDIUM = "M"
    LARGE = "L"

    def __str__(self) -> str:
        return self.value

    @property
    def word(self) -> str:
        """The size in words."""
        return self.name.lower()


SIZES = tuple(Size)


class Piece(NamedTuple):
    """A piece, by whose it is, how large, and its number from 1."""

    seat: Seat
    size: Size
    number: int

    def __str__(self) -> str:
        return f"{META.colours[self.seat].letter}{self.size}{self.number}"

    @classmethod
    def read(cls, name: str) -> "Piece":
        """Return the piece called ``name``, such as ``rS1``, in capitals or not.

        :raises ValueError: there is none.
        """
        if not _NAME.fullmatch(name.lower()):
            raise ValueError(f"{name!r} is no piece.")
        return cls(_SEATS[name[0].lower()], Size(name[1].upper()), int(name[2]))


Stack: TypeAlias = tuple[Piece, ...]
"""The pieces on a square, from the bottom; never none."""

Stacks: TypeAlias = Mapping[Square, Stack]
"""The squares that hold pieces."""


def put(stacks: Stacks, square: Square, pieces: Stack) -> Stacks:
    """Return the stacks once pieces have come on top of what stands on a square."""
    return {**stacks, square: stacks.get(square, ()) + pieces}


def lift(stacks: Stacks, square: Square, piece: Piece) -> tuple[Stacks, Stack]:
    """Return the stacks without a piece and all above it, and those lifted, lowest first."""
    stack = stacks[square]
    height = stack.index(piece)
    return _with(stacks, square, stack[:height]), stack[height:]


def without(stacks: Stacks, gone: Collection[Piece]) -> Stacks:
    """Return the stacks without some pieces; what stood on these has dropped."""
    left = {at: tuple(p for p in stack if p not in gone) for at, stack in stacks.items()}
    return {at: stack for at, stack in left.items() if stack}


def each(stacks: Stacks) -> Iterator[tuple[Piece, Square]]:
    """Yield every piece with where it stands."""
    for square, stack in stacks.items():
        for piece in stack:
            yield piece, square


def _with(stacks: Stacks, square: Square, stack: Stack) -> Stacks:
    others = {at: pieces for at, pieces in stacks.items() if at != square}
    return {**others, square: stack} if stack else others
