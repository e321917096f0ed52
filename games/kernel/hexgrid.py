"""Hexagonal boards of hexagonal cells, as sets of bits.

Rows are lettered from the bottom, cells in a row numbered from the left. A set of cells is one
Python integer: every row has ``width`` bits, one of them always empty, and the rows lean so
that a cell's neighbours are 1, ``width`` and ``width + 1`` bits up and down, all over the board.
"""

import re
import string
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import compress
from typing import NamedTuple, TypeAlias

Cells: TypeAlias = int
"""A set of cells: bit ``board.bit(cell)`` is set for each cell in it."""

MAX_SIZE = 13
"""Letters end at 26 rows; 2·13 − 1 are fewer."""

_DIGITS = bytes.maketrans(b"01", bytes((0, 1)))
_TEXT = re.compile(r"([a-z])([1-9][0-9]?)")


class Cell(NamedTuple):
    """A cell: its row, 0 the lowest, and its number in the row, 1 the leftmost."""

    row: int
    number: int

    def __str__(self) -> str:
        return f"{string.ascii_lowercase[self.row]}{self.number}"

    @classmethod
    def read(cls, text: str) -> "Cell | None":
        """Return the cell that a text such as ``c4`` names; ``None`` if it names none."""
        match = _TEXT.fullmatch(text)
        return cls(ord(match[1]) - ord("a"), int(match[2])) if match else None


class HexBoard:
    """A hexagon of cells with ``size`` cells to a side."""

    def __init__(self, size: int) -> None:
        if not 1 <= size <= MAX_SIZE:
            raise ValueError(f"A hexagon has 1 to {MAX_SIZE} cells to a side, not {size}.")
        self.size = size
        self.rows = 2 * size - 1
        self.width = 2 * size
        lengths = [self.row_length(row) for row in range(self.rows)]
        self.cells = tuple(Cell(r, n) for r, long in enumerate(lengths) for n in range(1, long + 1))
        self._bits = {
            cell: 1 << (self.row_shift(cell.row) + cell.number - 1) for cell in self.cells
        }
        # Bits that belong to no cell are never set.
        by_bit = {bit.bit_length() - 1: cell for cell, bit in self._bits.items()}
        self._slots = tuple(by_bit.get(at, self.cells[0]) for at in range(self.rows * self.width))
        self.all = self.set_of(self.cells)

    def row_length(self, row: int) -> int:
        """Return how many cells a row has."""
        return self.rows - abs(row - (self.size - 1))

    def row_shift(self, row: int) -> int:
        """Return the bit of the leftmost cell of a row."""
        return row * self.width + max(0, row - (self.size - 1))

    def __contains__(self, cell: Cell) -> bool:
        return cell in self._bits

    def bit(self, cell: Cell) -> Cells:
        """Return the set of this cell alone.

        :raises KeyError: it is not on the board.
        """
        return self._bits[cell]

    def set_of(self, cells: Iterable[Cell]) -> Cells:
        """Return cells as a set."""
        return sum(self._bits[cell] for cell in cells)

    def cells_of(self, cells: Cells) -> Iterator[Cell]:
        """Return the cells of a set, row by row from the bottom, each from the left."""
        digits = bin(cells)[:1:-1].encode().translate(_DIGITS)
        return compress(self._slots, digits)

    def around(self, cells: Cells) -> Cells:
        """Return every cell that has a neighbour in a set."""
        left = cells << 1
        right = cells >> 1
        above = (cells | left) << self.width
        below = (cells | right) >> self.width
        return (left | right | above | below) & self.all

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the neighbours of one cell."""
        return tuple(self.cells_of(self.around(self._bits[cell])))

    def flood(self, start: Cells, within: Cells) -> Cells:
        """Return what can be reached from ``start`` by steps inside ``within``."""
        width = self.width
        reached = start & within
        before = 0
        while before != reached:
            before = reached
            # Steps along the rows first: those to the rows beside them then start further on.
            reached |= (reached << 1 | reached >> 1) & within
            above = (reached | reached << 1) << width
            below = (reached | reached >> 1) >> width
            reached |= (above | below) & within
        return reached

    def groups(self, cells: Cells) -> Iterator[Cells]:
        """Yield the connected groups of a set, in the order of their lowest cells."""
        while cells:
            group = self.flood(cells & -cells, cells)
            yield group
            cells ^= group

    def directions(self, cells: Cells) -> tuple[Cells, ...]:
        """Return six sets: the cells whose neighbour in each direction is in ``cells``."""
        width = self.width
        board = self.all
        steps = (cells << 1, cells >> 1, cells << width, cells >> width)
        slant = (cells << width + 1, cells >> width + 1)
        return tuple(step & board for step in (*steps, *slant))


@cache
def hex_board(size: int) -> HexBoard:
    """Return the board of a size, made once."""
    return HexBoard(size)
