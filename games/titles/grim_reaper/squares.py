"""Squares of the board and sets of them.

A set of squares is an integer with one bit for each square. One row more than the largest board has
stays empty above every column, so that a shift never wraps from one column into the next.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TypeAlias

Squares: TypeAlias = int
"""A set of squares: bit n stands for square n."""

COLUMNS = "abcdefgh"
ROWS = "12345678"
PATTERN = f"[{COLUMNS[0]}-{COLUMNS[-1]}][{ROWS[0]}-{ROWS[-1]}]"
"""Regular expression of the names of squares, in lower case."""

STRIDE = len(ROWS) + 1
COUNT = len(COLUMNS) * STRIDE
STEPS = (1, STRIDE, STRIDE + 1, STRIDE - 1)
"""Up, right, and the two diagonals upward and downward to the right."""


class Square(int):
    """A square: ``column × STRIDE + row``, both from 0. Its text is ``c4``.

    Squares are ordered by column, then row.
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> "Square":
        """:raises ValueError: no board has this square."""
        if text not in _BY_NAME:
            raise ValueError(f"{text!r} is no square")
        return _BY_NAME[text]

    @property
    def column(self) -> int:
        """The column, from 0 at the left."""
        return self // STRIDE

    @property
    def row(self) -> int:
        """The row, from 0 at the bottom."""
        return self % STRIDE

    def opposite(self, middle: "Square") -> "Square":
        """Return the square as far beyond ``middle`` as this one is before it."""
        return Square(2 * middle - self)

    def __str__(self) -> str:
        return NAMES[self]


NAMES = [f"{column}{row}" for column in COLUMNS for row in range(1, STRIDE + 1)]
"""The text of each square, by its number."""

_ALL = tuple(map(Square, range(COUNT)))
_BY_NAME = {str(square): square for square in _ALL if square.row < len(ROWS)}


def bit(square: Square) -> Squares:
    return 1 << square


def set_of(squares: Iterable[Square]) -> Squares:
    return sum(map(bit, set(squares)))


def each(squares: Squares) -> Iterator[Square]:
    """Yield the squares of a set, by column, then row."""
    while squares:
        lowest = squares & -squares
        yield _ALL[lowest.bit_length() - 1]
        squares ^= lowest


def first(squares: Squares) -> Square:
    """Return the first square of a non-empty set."""
    return _ALL[(squares & -squares).bit_length() - 1]


def names(squares: Squares) -> list[str]:
    """Return the names of the squares of a set, sorted."""
    return list(map(str, each(squares)))


@cache
def board(size: int) -> Squares:
    """Return all squares of a board with ``size`` squares to a side."""
    return bottom(size) * left(size)


def bottom(size: int) -> Squares:
    return ((1 << size * STRIDE) - 1) // ((1 << STRIDE) - 1)


def left(size: int) -> Squares:
    return (1 << size) - 1


def beside(squares: Squares) -> Squares:
    """Return the squares that share an edge with one of the set. Some may be off the board."""
    return squares << 1 | squares >> 1 | squares << STRIDE | squares >> STRIDE


def around(squares: Squares) -> Squares:
    """Return the squares a king's step from one of the set. Some may be off the board."""
    tall = squares | squares << 1 | squares >> 1
    return (tall | tall << STRIDE | tall >> STRIDE) & ~squares
