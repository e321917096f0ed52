"""Positions of DIE: two sets of cells, one a seat, and what can be seen in them.

Sets of cells are bits of one integer (see :mod:`games.kernel.hexgrid`), so that groups and what
can be reached are found for the whole board at once.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from games.kernel.contract import Params, Ranks, Seat
from games.kernel.decoding import check_faults, check_params, check_result, decode
from games.kernel.errors import BrokenPosition
from games.kernel.hexgrid import Cells, HexBoard, hex_board
from games.kernel.ranking import DRAWN, WON_BY
from games.kernel.views import Json, View
from games.titles.die.meta import MAX_SIZE, META, MIN_SIZE

Stones: TypeAlias = tuple[Cells, Cells]
"""The cells of Red and of Blue."""

SEATS = RED, BLUE = Seat(0), Seat(1)
EMPTY = "."
LETTERS = tuple(colour.letter for colour in META.colours)
DIGITS = {
    letter: str.maketrans({each: "01"[each == letter] for each in (EMPTY, *LETTERS)})
    for letter in LETTERS
}
WRITTEN = str.maketrans(dict(zip("012", (EMPTY, *LETTERS), strict=True)))
Rank: TypeAlias = Annotated[int, Meta(ge=1, le=2)]
MAX_PLY = 10**6
"""More moves than any match has."""

FIRST_REMOVAL = 5
"""The least number of moves that can bound a group: a cell has at least three neighbours."""


class Position(View, frozen=True):
    """A position as it is written: ``rows`` from the top, a letter for each cell.

    ``ply`` counts the moves made; ``mover`` is the seat to move, or that would be if the match
    had not ended; ``result`` has a rank for each seat, or is ``None`` while the match runs.
    """

    size: Annotated[int, Meta(ge=MIN_SIZE, le=MAX_SIZE)]
    rows: tuple[Annotated[str, Meta(pattern=f"^[{EMPTY}{''.join(LETTERS)}]*$")], ...]
    ply: Annotated[int, Meta(ge=0, le=MAX_PLY)]
    mover: Annotated[Seat, Meta(ge=0, le=1)]
    result: Annotated[tuple[Rank, ...], Meta(min_length=2, max_length=2)] | None = None


class State(Struct, frozen=True, dict=True):
    """A position in play: the stones of both seats, the moves made so far, the result."""

    size: int
    stones: Stones
    ply: int
    ranks: Ranks | None = None

    @property
    def board(self) -> HexBoard:
        """The board it stands on."""
        return hex_board(self.size)

    @property
    def mover(self) -> Seat:
        """The seat to move, or that would be if the match had not ended."""
        return SEATS[self.ply % 2]

    @property
    def empty(self) -> Cells:
        """The cells without a stone."""
        return self.board.all ^ (self.stones[RED] | self.stones[BLUE])

    @property
    def reachable(self) -> Cells:
        """The empty cells that a path of empty cells joins to a stone of the mover."""
        board = self.board
        own = self.stones[self.mover]
        empty = self.empty
        return board.flood(board.around(own), empty) if own else empty

    @cached_property
    def legal(self) -> Cells:
        """The cells on which the mover may place: of the reachable, those with fewest friends."""
        board = self.board
        own = self.stones[self.mover]
        reachable = self.reachable
        lonely = reachable & ~board.around(own)
        return lonely or fewest_friends(board, reachable, own)


def fewest_friends(board: HexBoard, cells: Cells, own: Cells) -> Cells:
    """Return those of ``cells`` that have the fewest neighbours in ``own``."""
    # All cells are counted at once, in three sets: the binary digits of their numbers of friends.
    ones = twos = fours = 0
    for friends in board.directions(own):
        carry = ones & friends
        ones ^= friends
        fours |= twos & carry
        twos ^= carry
    for digit in (fours, twos, ones):
        cells = cells & ~digit or cells
    return cells


def winner(stones: Stones, ply: int) -> Ranks | None:
    """Return the result by the stones alone: from the second turn on, having none wins."""
    if ply > 1 and not stones[RED]:
        return WON_BY[RED]
    return WON_BY[BLUE] if ply > 1 and not stones[BLUE] else None


def position_of(state: State) -> Position:
    """Return a position as it is written; nothing in it is hidden from anybody."""
    return Position(
        size=state.size,
        rows=_rows(state),
        ply=state.ply,
        mover=state.mover,
        result=state.ranks,
    )


def load(data: Json, seats: int, params: Params) -> State:
    """Return the position that JSON describes.

    :raises BrokenPosition: it has not the shape of a position of this size.
    """
    position = decode(Position, data)
    check_params(("size",), position, params)
    if position.mover != position.ply % 2:
        raise BrokenPosition(f"After {position.ply} moves seat {position.ply % 2} is to move.")
    board = hex_board(position.size)
    stones = _stones(board, position.rows)
    return State(board.size, stones, position.ply, position.result)


def validate(state: State) -> None:
    """Check that a match can have come to a position.

    :raises BrokenPosition: its stones, its length and its result do not fit each other.
    """
    check_faults(_faults(state))
    check_result(state.ranks, winner(state.stones, state.ply), (*WON_BY, DRAWN))


def _rows(state: State) -> tuple[str, ...]:
    """Return the rows as letters, the top one first."""
    board = state.board
    red, blue = state.stones
    # A decimal digit for each cell, 1 for red and 2 for blue: Python writes all of them at once.
    digits = int(f"{red:b}") + 2 * int(f"{blue:b}")
    letters = f"{digits:0{board.all.bit_length()}}".translate(WRITTEN)[::-1]
    starts = [(board.row_shift(row), board.row_length(row)) for row in range(board.rows)]
    return tuple(letters[start : start + length] for start, length in reversed(starts))


def _stones(board: HexBoard, rows: Sequence[str]) -> Stones:
    lengths = [board.row_length(row) for row in reversed(range(board.rows))]
    if [len(letters) for letters in rows] != lengths:
        raise BrokenPosition(f"The rows of a board of size {board.size} have other lengths.")
    red = blue = 0
    for row, letters in enumerate(reversed(rows)):
        red |= _bits(letters, LETTERS[RED]) << board.row_shift(row)
        blue |= _bits(letters, LETTERS[BLUE]) << board.row_shift(row)
    return red, blue


def _bits(letters: str, letter: str) -> Cells:
    return int(letters[::-1].translate(DIGITS[letter]), 2)


def _faults(state: State) -> Iterator[str]:
    yield from _count_faults(state.stones, state.ply)
    yield from _group_faults(state.board, state.stones)


def _count_faults(stones: Stones, ply: int) -> Iterator[str]:
    """Yield stones that were never placed, and stones removed too early."""
    for seat, colour in enumerate(META.colours):
        placed = (ply + 1 - seat) // 2
        standing = stones[seat].bit_count()
        if standing > placed:
            yield f"{colour.name} has {standing} stones after placing {placed}."
        if standing < placed and ply < FIRST_REMOVAL:
            yield f"{colour.name} cannot have lost a stone in {ply} moves."
    if ply and not any(stones):
        yield f"After {ply} moves somebody has a stone on the board."


def _group_faults(board: HexBoard, stones: Stones) -> Iterator[str]:
    empty = board.all ^ (stones[RED] | stones[BLUE])
    for colour, own in zip(META.colours, stones, strict=True):
        if bounded := own ^ board.flood(board.around(empty), own):
            cell = next(board.cells_of(bounded))
            yield f"{colour.name}'s group on {cell} touches no empty cell: it cannot have stayed."
