"""Boards in drawings: where cells are, their reading order, and the labels around them.

Cells are read from the top row to the bottom, each from the left. Lengths are in SVG units.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from games.kernel import svg
from games.kernel.hexgrid import hex_board
from games.kernel.svg import Element, Point

LETTERS = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase))
"""The names of columns of squares from the left, and of rows of hexagons from the bottom."""


@dataclass(frozen=True)
class SquareGrid:
    """Squares named by column and row, as in ``c4``, with columns from the left, rows from below.

    ``margin`` is the distance of the squares from the edge of the picture.
    """

    columns: int
    rows: int
    side: int
    margin: int

    @property
    def width(self) -> int:
        """The width of the picture."""
        return self.columns * self.side + 2 * self.margin

    @property
    def height(self) -> int:
        """The height of the picture."""
        return self.rows * self.side + 2 * self.margin

    def middle(self, column: float, row: float) -> Point:
        """Return the middle of a square by its column and row from 0, also beyond the board."""
        x = self.margin + (column + 0.5) * self.side
        return x, self.margin + (self.rows - 0.5 - row) * self.side

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each square by its name, in reading order."""
        return {
            f"{LETTERS[column]}{row + 1}": self.middle(column, row)
            for row in reversed(range(self.rows))
            for column in range(self.columns)
        }

    def letters(self, y: float) -> Iterator[Element]:
        """Yield the letters of the columns on a baseline."""
        for column in range(self.columns):
            yield svg.text(self.middle(column, 0)[0], y, LETTERS[column])

    def numbers(self, x: float, below: float) -> Iterator[Element]:
        """Yield the numbers of the rows around ``x``, on baselines below the rows' middles."""
        for row in range(self.rows):
            yield svg.text(x, self.middle(0, row)[1] + below, str(row + 1))


@dataclass(frozen=True)
class HexGrid:
    """A hexagon of hexagonal cells that stand on a corner, named as in :mod:`games.kernel.hexgrid`.

    ``across`` is the width of a cell. ``margin`` is the distance of the outer cells' middles from
    the edge of the picture.
    """

    size: int
    across: float
    margin: float

    @property
    def radius(self) -> float:
        """The distance of a cell's corners from its middle."""
        return self.across / math.sqrt(3)

    @property
    def rise(self) -> float:
        """The distance between the middles of two rows."""
        return self.radius * 1.5

    @property
    def width(self) -> int:
        """The width of the picture."""
        return round((2 * self.size - 2) * self.across + 2 * self.margin)

    @property
    def height(self) -> int:
        """The height of the picture."""
        return round((2 * self.size - 2) * self.rise + 2 * self.margin)

    def middle(self, row: float, number: float) -> Point:
        """Return the middle of a cell by row from 0 and number from 1, also beyond the board."""
        indent = abs(row - (self.size - 1)) / 2
        x = self.margin + (number - 1 + indent) * self.across
        y = self.margin + (2 * self.size - 2 - row) * self.rise
        return (round(x, 2), round(y, 2))

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each cell by its name, in reading order."""
        cells = sorted(hex_board(self.size).cells, key=lambda cell: (-cell.row, cell.number))
        return {str(cell): self.middle(*cell) for cell in cells}


def corners(at: Point, radius: float, count: int = 6) -> list[Point]:
    """Return the corners of a regular polygon, clockwise from the one at the top."""
    turns = [2 * math.pi * k / count - math.pi / 2 for k in range(count)]
    return [(at[0] + radius * math.cos(turn), at[1] + radius * math.sin(turn)) for turn in turns]
