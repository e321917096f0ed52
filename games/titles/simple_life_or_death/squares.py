"""Squares of the board, their names, and the directions between them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from string import ascii_lowercase
from typing import NamedTuple

from games.titles.simple_life_or_death.meta import LARGEST

COLUMNS = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase))[:LARGEST]
"""The names of the columns, from the left."""

PATTERN = "(?:a?[a-z])(?:[1-9][0-9]?)"
"""What every name of a square looks like, small."""

_NAME = re.compile("(a?[a-z])([1-9][0-9]?)")


class Direction(Enum):
    """A way in which a piece can go: columns to the right and rows up with every step."""

    N = (0, 1)
    NE = (1, 1)
    E = (1, 0)
    SE = (1, -1)
    S = (0, -1)
    SW = (-1, -1)
    W = (-1, 0)
    NW = (-1, 1)

    def __str__(self) -> str:
        return self.name.lower()


class Square(NamedTuple):
    """A place on the board, its column and row counted from 0 at the bottom left."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"{COLUMNS[self.column]}{self.row + 1}"

    @classmethod
    def read(cls, name: str) -> "Square":
        """Return the square called ``name``, such as ``c7``.

        :raises ValueError: no board has it.
        """
        found = _NAME.fullmatch(name)
        if not found or found[1] not in COLUMNS or int(found[2]) > LARGEST:
            raise ValueError(f"{name!r} is no square.")
        return cls(COLUMNS.index(found[1]), int(found[2]) - 1)

    def step(self, direction: Direction, count: int = 1) -> "Square":
        """Return the square so many steps away; it may lie off the board."""
        right, up = direction.value
        return Square(self.column + count * right, self.row + count * up)

    def toward(self, other: "Square") -> Direction:
        """Return the direction in which another square on the same line lies."""
        across, up = other.column - self.column, other.row - self.row
        return Direction(((across > 0) - (across < 0), (up > 0) - (up < 0)))

    def is_beside(self, other: "Square") -> bool:
        """Whether the two are one and the same or touch, at an edge or a corner."""
        return abs(self.column - other.column) <= 1 and abs(self.row - other.row) <= 1


@dataclass(frozen=True, slots=True)
class Board:
    """A board by its sides, in squares."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"a board of {self.width} by {self.height} squares"

    def __contains__(self, square: Square) -> bool:
        return 0 <= square.column < self.width and 0 <= square.row < self.height

    def squares(self) -> Iterator[Square]:
        """Yield every square, column by column from the left, each from the bottom."""
        for column in range(self.width):
            for row in range(self.height):
                yield Square(column, row)

    def line(self, start: Square, direction: Direction) -> Iterator[Square]:
        """Yield the squares from ``start``, left out, straight on to the edge."""
        square = start.step(direction)
        while square in self:
            yield square
            square = square.step(direction)
