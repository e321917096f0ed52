"""Positions of DIE: two sets of cells, one a seat, and what can be seen in them.

Sets of cells are bits of one integer (see :mod:`games.kernel.hexgrid`), so that groups and what
can be reached are found for the whole board at once.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from games.kernel.contract import Json, Params, Position, Ranks, Seat
from games.kernel.errors import BrokenPosition
from games.kernel.hexgrid import Cells, HexBoard, hex_board
from games.kernel.reading import check_terms, read_object, read_result, read_whole
from games.kernel.results import DRAWN, WON_BY
from games.titles.die.meta import META

Stones: TypeAlias = tuple[Cells, Cells]
"""The cells of Red and of Blue."""

RED, BLUE = Seat(0), Seat(1)
EMPTY = "."
LETTERS = tuple(colour.letter for colour in META.colours)
FIRST_REMOVAL = 5
"""The least number of moves that can bound a group: a cell has at least three neighbours."""


@dataclass(frozen=True)
class State:
    """A position: the stones of both seats, the moves made so far, the result."""

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
        return Seat(self.ply % 2)

    @property
    def empty(self) -> Cells:
        """The cells without a stone."""
        return self.board.all ^ (self.stones[RED] | self.stones[BLUE])

    @property
    def reachable(self) -> Cells:
        """The empty cells that a path of empty cells joins to a stone of the mover."""
        own, empty = self.stones[self.mover], self.empty
        return self.board.flood(self.board.around(own), empty) if own else empty

    @cached_property
    def legal(self) -> Cells:
        """The cells on which the mover may place: of the reachable, those with fewest friends."""
        return fewest_friends(self.board, self.reachable, self.stones[self.mover])


def fewest_friends(board: HexBoard, cells: Cells, own: Cells) -> Cells:
    """Return those of ``cells`` that have the fewest neighbours in ``own``."""
    if lonely := cells & ~board.around(own):
        return lonely
    at_least = [cells, 0, 0, 0, 0, 0, 0, 0]
    for seen, friends in enumerate(board.directions(own)):
        for count in range(seen, -1, -1):
            at_least[count + 1] |= at_least[count] & friends
    return next((cells ^ more for more in at_least[1:] if more != cells), 0)


def winner(stones: Stones, ply: int) -> Ranks | None:
    """Return the result by the stones alone: from the second turn on, having none wins."""
    if ply > 1 and not stones[RED]:
        return WON_BY[RED]
    return WON_BY[BLUE] if ply > 1 and not stones[BLUE] else None


def dump(state: State) -> Position:
    """Return a position as JSON, its rows from the top."""
    return {
        "size": state.size,
        "rows": [_row(state, row) for row in reversed(range(state.board.rows))],
        "ply": state.ply,
        "mover": state.mover,
        "result": list(state.ranks) if state.ranks else None,
    }


def load(data: Json, params: Params) -> State:
    """Return the position that JSON describes.

    :raises BrokenPosition: no match of this size can have come to it.
    """
    table = read_object("A position", data)
    check_terms(("size",), table, params)
    board, ply = hex_board(params["size"]), read_whole("ply", table.get("ply"))
    if read_whole("mover", table.get("mover")) != ply % 2:
        raise BrokenPosition(f"After {ply} moves seat {ply % 2} is to move.")
    stones = _stones(board, table.get("rows"))
    _check_counts(stones, ply)
    _check_groups(board, stones)
    ranks = read_result(table.get("result"), winner(stones, ply), (*WON_BY, DRAWN))
    return State(board.size, stones, ply, ranks)


def _row(state: State, row: int) -> str:
    length, shift = state.board.row_length(row), state.board.row_shift(row)
    red, blue = (stones >> shift for stones in state.stones)
    return "".join(
        LETTERS[RED] if red >> at & 1 else LETTERS[BLUE] if blue >> at & 1 else EMPTY
        for at in range(length)
    )


def _stones(board: HexBoard, rows: Json) -> Stones:
    if not isinstance(rows, list) or len(rows) != board.rows:
        raise BrokenPosition(f"A board of size {board.size} has {board.rows} rows, not {rows!r}.")
    red = blue = 0
    for row, letters in enumerate(reversed(rows)):
        if not isinstance(letters, str) or len(letters) != board.row_length(row):
            raise BrokenPosition(f"A row of {board.row_length(row)} cells is not {letters!r}.")
        if wrong := set(letters) - {EMPTY, *LETTERS}:
            raise BrokenPosition(f"{min(wrong)!r} stands for nothing on the board.")
        red |= _bits(letters, LETTERS[RED]) << board.row_shift(row)
        blue |= _bits(letters, LETTERS[BLUE]) << board.row_shift(row)
    return red, blue


def _bits(letters: str, letter: str) -> Cells:
    return sum(1 << at for at, found in enumerate(letters) if found == letter)


def _check_counts(stones: Stones, ply: int) -> None:
    """Check that no more stones stand than were placed, and none is gone too early."""
    for seat, colour in enumerate(META.colours):
        placed, standing = (ply + 1 - seat) // 2, stones[seat].bit_count()
        if standing > placed:
            raise BrokenPosition(f"{colour.name} has {standing} stones after placing {placed}.")
        if standing < placed and ply < FIRST_REMOVAL:
            raise BrokenPosition(f"{colour.name} cannot have lost a stone in {ply} moves.")
    if ply and not any(stones):
        raise BrokenPosition(f"After {ply} moves somebody has a stone on the board.")


def _check_groups(board: HexBoard, stones: Stones) -> None:
    empty = board.all ^ (stones[RED] | stones[BLUE])
    for colour, own in zip(META.colours, stones, strict=True):
        if bounded := own ^ board.flood(board.around(empty), own):
            cell = next(board.cells_of(bounded))
            raise BrokenPosition(
                f"{colour.name}'s group on {cell} touches no empty cell: it cannot have stayed."
            )
