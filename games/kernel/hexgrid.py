"""Hexagonal boards of hexagonal cells, as sets of bits.

Rows are lettered from the bottom, cells in a row numbered from the left. A set of cells is one
Python integer: every row has ``width`` bits, one of them always empty, and the rows lean so
that a cell's neighbours are 1, ``width`` and ``width + 1`` bits up and down, all over the board.
"""

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, reduce
from itertools import compress, permutations
from operator import and_, or_
from typing import NamedTuple, TypeAlias

from games.kernel.errors import BrokenPosition, quoted
from games.kernel.language import gettext

Cells: TypeAlias = int
"""A set of cells: bit ``board.bit(cell)`` is set for each cell in it."""

MAX_SIZE = 13
"""Letters end at 26 rows; 2·13 − 1 are fewer."""

EMPTY = "."
"""The letter of a cell outside of all sets."""

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
        """Parse a cell such as ``c4``. ``None`` if it isn't one."""
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
        self._steps = (1, self.width, self.width + 1)

    def row_length(self, row: int) -> int:
        return self.rows - abs(row - (self.size - 1))

    def row_shift(self, row: int) -> int:
        """Return the bit of the leftmost cell of a row."""
        return row * self.width + max(0, row - (self.size - 1))

    @cached_property
    def symmetries(self) -> Sequence[Mapping[Cell, Cell]]:
        """The twelve rotations and reflections, each as a map of cells. The first changes nothing.

        Source: https://www.redblobgames.com/grids/hexagons/#rotation, cube coordinates.
        """
        middle = self.size - 1
        cubes = {}
        for cell in self.cells:
            up = cell.row - middle
            right = cell.number - 1 + max(0, up) - middle
            cubes[cell] = (right, -up, up - right)
        cells = {cube: cell for cell, cube in cubes.items()}
        return [
            {
                cell: cells[sign * cube[a], sign * cube[b], sign * cube[c]]
                for cell, cube in cubes.items()
            }
            for sign in (1, -1)
            for a, b, c in permutations(range(3))
        ]

    def __contains__(self, cell: Cell) -> bool:
        return cell in self._bits

    def bit(self, cell: Cell) -> Cells:
        """Return the set of this cell alone.

        :raises KeyError: it is not on the board.
        """
        return self._bits[cell]

    def set_of(self, cells: Iterable[Cell]) -> Cells:
        return sum(self._bits[cell] for cell in cells)

    def cells_of(self, cells: Cells) -> Iterator[Cell]:
        """Row by row from the bottom, each from the left."""
        digits = bin(cells)[:1:-1].encode().translate(_DIGITS)
        return compress(self._slots, digits)

    def rows_of(self, sets: Sequence[Cells], letters: str) -> tuple[str, ...]:
        """Write disjoint sets as rows of letters, the top row first, with ``.`` for other cells.

        There is one letter for each set, and at most nine.
        """
        # A decimal digit for each cell, k for the set number k: Python writes all of them at once.
        digits = sum(k * int(f"{cells:b}") for k, cells in enumerate(sets, 1))
        text = f"{digits:0{self.all.bit_length()}}".translate(_written(letters))[::-1]
        starts = [(self.row_shift(row), self.row_length(row)) for row in range(self.rows)]
        return tuple(text[start : start + length] for start, length in reversed(starts))

    def sets_of(self, rows: Sequence[str], letters: str) -> tuple[Cells, ...]:
        """Read what :meth:`rows_of` wrote.

        :raises BrokenPosition: the rows have other lengths, or letters that are not in ``letters``.
        """
        lengths = [self.row_length(row) for row in reversed(range(self.rows))]
        if [len(row) for row in rows] != lengths:
            message = gettext("The rows of a board of size {size} have other lengths.")
            raise BrokenPosition(message.format(size=self.size))
        if unknown := sorted(set().union(*rows) - {EMPTY, *letters}):
            message = gettext("{text} is no letter of a cell.")
            raise BrokenPosition(message.format(text=quoted(unknown[0])))
        shifts = [self.row_shift(row) for row in reversed(range(self.rows))]
        return tuple(
            sum(
                int(row[::-1].translate(digits), 2) << shift
                for row, shift in zip(rows, shifts, strict=True)
            )
            for digits in _digits(letters)
        )

    def lines(self, cells: Cells, length: int) -> Cells:
        """Return those of a set that are in a straight line of at least ``length`` of them."""
        found = 0
        for step in self._steps:
            starts = reduce(and_, (cells >> at * step for at in range(length)))
            found |= reduce(or_, (starts << at * step for at in range(length)))
        return found

    def completions(self, cells: Cells, length: int) -> Cells:
        """Return the cells outside a set that would complete a line of at least ``length``."""
        found = 0
        for step in self._steps:
            for gap in range(length):
                others = (cells >> at * step for at in range(length) if at != gap)
                found |= reduce(and_, others, self.all) << gap * step
        return found & self.all & ~cells

    def around(self, cells: Cells) -> Cells:
        """Return every cell that has a neighbour in a set."""
        left = cells << 1
        right = cells >> 1
        above = (cells | left) << self.width
        below = (cells | right) >> self.width
        return (left | right | above | below) & self.all

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        return tuple(self.cells_of(self.around(self._bits[cell])))

    def flood(self, start: Cells, within: Cells) -> Cells:
        """Return all cells that can be reached from ``start`` by steps inside ``within``."""
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
def _written(letters: str) -> Mapping[int, int]:
    """Return the translation of digits to letters."""
    return str.maketrans(string.digits[: len(letters) + 1], EMPTY + letters)


@cache
def _digits(letters: str) -> tuple[Mapping[int, str], ...]:
    """Return for each letter the translation of rows to binary digits of its set."""
    every = EMPTY + letters
    return tuple(str.maketrans({one: "01"[one == letter] for one in every}) for letter in letters)


@cache
def hex_board(size: int) -> HexBoard:
    """Return the board of a size, cached."""
    return HexBoard(size)
