"""Squares of the board and sets of them.

A square is a number, column by column; a set of squares is a whole number with one bit for
each. One row more than the largest board has stands empty above every column, so that a shift
never wraps from one column into the next.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NewType, TypeAlias

Square = NewType("Square", int)
"""``column × STRIDE + row``, both from 0: squares in order are ordered by column, then row."""

Squares: TypeAlias = int
"""A set of squares: bit n stands for square n."""

STRIDE = 9
COUNT = 8 * STRIDE
STEPS = (1, STRIDE, STRIDE + 1, STRIDE - 1)
"""Up, right, and the two diagonals upward and downward to the right."""

PATTERN = "[a-h][1-8]"
_NAME = re.compile(PATTERN)


def square(name: str) -> Square:
    """Return the square called ``name``, such as ``c4``.

    :raises ValueError: no board has it.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no square.")
    return Square((ord(name[0]) - ord("a")) * STRIDE + int(name[1]) - 1)


def name_of(spot: Square) -> str:
    """Return the name of a square: its column's letter and its row, from 1."""
    return f"{'abcdefgh'[column(spot)]}{row(spot) + 1}"


def column(spot: Square) -> int:
    """Return the column, from 0 at the left."""
    return spot // STRIDE


def row(spot: Square) -> int:
    """Return the row, from 0 at the bottom."""
    return spot % STRIDE


def bit(spot: Square) -> Squares:
    """Return the set of one square."""
    return 1 << spot


def set_of(spots: Iterable[Square]) -> Squares:
    """Return the set of some squares."""
    return sum(map(bit, set(spots)))


def each(spots: Squares) -> Iterator[Square]:
    """Yield the squares of a set, by column, then row."""
    while spots:
        lowest = spots & -spots
        yield Square(lowest.bit_length() - 1)
        spots ^= lowest


def first(spots: Squares) -> Square:
    """Return the first square of a set that is not empty."""
    return Square((spots & -spots).bit_length() - 1)


def names(spots: Squares) -> list[str]:
    """Return the names of a set's squares, sorted."""
    return [name_of(spot) for spot in each(spots)]


def board(size: int) -> Squares:
    """Return all squares of a board with ``size`` squares to a side."""
    return ((1 << size * STRIDE) - 1) // ((1 << STRIDE) - 1) * ((1 << size) - 1)


def bottom(size: int) -> Squares:
    """Return the lowest row."""
    return ((1 << size * STRIDE) - 1) // ((1 << STRIDE) - 1)


def left(size: int) -> Squares:
    """Return the first column."""
    return (1 << size) - 1


def facing(spot: Square, middle: Square) -> Square:
    """Return the square as far beyond ``middle`` as ``spot`` lies before it."""
    return Square(2 * middle - spot)


def beside(spots: Squares) -> Squares:
    """Return the squares that share an edge with one of the set; some may lie off the board."""
    return spots << 1 | spots >> 1 | spots << STRIDE | spots >> STRIDE


def around(spots: Squares) -> Squares:
    """Return the squares a king's step from one of the set; some may lie off the board."""
    tall = spots | spots << 1 | spots >> 1
    return (tall | tall << STRIDE | tall >> STRIDE) & ~spots
