"""Positions of DIE: two sets of cells, one a seat, and facts derived from them.

Sets of cells are bits of one integer (see :mod:`games.kernel.hexgrid`), so that groups and
reachable cells are computed for the whole board at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.kernel.contract import Image, Params, Ranks, Seat
from games.kernel.decoding import check_faults, check_params, check_result, decode
from games.kernel.errors import BrokenPosition
from games.kernel.hexgrid import Cells, HexBoard, hex_board
from games.kernel.language import gettext
from games.kernel.ranking import DRAWN, WON_BY
from games.kernel.views import Json, View
from games.titles.die.meta import MAX_SIZE, META, MIN_SIZE

Stones: TypeAlias = tuple[Cells, Cells]
"""The cells of Red and of Blue."""

SEATS = RED, BLUE = Seat(0), Seat(1)
LETTERS = "".join(colour.letter for colour in META.colours)
_OTHER_COLOUR = str.maketrans(LETTERS, LETTERS[::-1])
Rank: TypeAlias = Annotated[int, Meta(ge=1, le=2)]
MAX_PLY = 10**6
"""More moves than any match has."""

FIRST_REMOVAL = 5
"""Minimum number of moves that can bound a group: a cell has at least three neighbours."""


class Position(View, frozen=True):
    """A position as it is written: ``rows`` from the top, a letter for each cell.

    ``ply`` counts the moves made. ``mover`` is the seat to move, or that would be if the match had
    not ended. ``result`` has a rank for each seat, or is ``None`` while the match runs.
    """

    size: Annotated[int, Meta(ge=MIN_SIZE, le=MAX_SIZE)]
    rows: tuple[str, ...]
    ply: Annotated[int, Meta(ge=0, le=MAX_PLY)]
    mover: Annotated[Seat, Meta(ge=0, le=1)]
    result: Annotated[tuple[Rank, ...], Meta(min_length=2, max_length=2)] | None = None


class State(Struct, frozen=True, dict=True):
    """A position in play: the stones of both seats, the number of moves so far, the result."""

    size: int
    stones: Stones
    ply: int
    ranks: Ranks | None = None

    @property
    def board(self) -> HexBoard:
        return hex_board(self.size)

    @property
    def mover(self) -> Seat:
        """The seat to move, or that would be if the match had not ended."""
        return SEATS[self.ply % 2]

    @property
    def empty(self) -> Cells:
        return self.board.all ^ (self.stones[RED] | self.stones[BLUE])

    @property
    def reachable(self) -> Cells:
        """The empty cells connected to a stone of the mover by empty cells."""
        board = self.board
        own = self.stones[self.mover]
        empty = self.empty
        return board.flood(board.around(own), empty) if own else empty

    @cached_property
    def legal(self) -> Cells:
        """The cells on which the mover may place: the reachable ones with the fewest friends."""
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
    """Return the result by stones alone: from the second turn on, a seat without stones wins."""
    if ply > 1 and not stones[RED]:
        return WON_BY[RED]
    return WON_BY[BLUE] if ply > 1 and not stones[BLUE] else None


@lru_cache(64)
def position_of(state: State) -> Position:
    """Convert a state to its written form. Nothing in it is hidden from anybody."""
    return Position(
        size=state.size,
        rows=state.board.rows_of(state.stones, LETTERS),
        ply=state.ply,
        mover=state.mover,
        result=state.ranks,
    )


def images(view: Position) -> Iterator[Image]:
    """Yield the twelve images of a board, each with the seat to move and the result."""
    letters = "".join(view.rows)
    for places, names in _symmetries(view.size):
        yield Image(["".join(letters[at] for at in places), view.mover, view.result], names)


@cache
def _symmetries(size: int) -> Sequence[tuple[Sequence[int], Mapping[str, str]]]:
    """Return for each symmetry where its letters come from, and the new name of each cell."""
    board = hex_board(size)
    cells = sorted(board.cells, key=lambda cell: (-cell.row, cell.number))
    at = {cell: index for index, cell in enumerate(cells)}
    return [
        (
            [at[origin] for origin in sorted(moved, key=lambda cell: at[moved[cell]])],
            {str(cell): str(image) for cell, image in moved.items()},
        )
        for moved in board.symmetries
    ]


def exchanged(view: Position) -> Iterator[Position]:
    """Yield a position in the other colours."""
    rows = tuple(row.translate(_OTHER_COLOUR) for row in view.rows)
    yield replace(view, rows=rows, ply=view.ply + 1, mover=SEATS[1 - view.mover])


def load(data: Json, seats: int, params: Params) -> State:
    """Load a position from JSON.

    :raises BrokenPosition: it isn't a valid position of this size.
    """
    position = decode(Position, data)
    check_params(("size",), position, params)
    if position.mover != position.ply % 2:
        message = gettext("After {count} moves seat {seat} is to move.")
        raise BrokenPosition(message.format(count=position.ply, seat=position.ply % 2))
    board = hex_board(position.size)
    red, blue = board.sets_of(position.rows, LETTERS)
    return State(board.size, (red, blue), position.ply, position.result)


def validate(state: State) -> None:
    """:raises BrokenPosition: stones, length and result contradict each other."""
    check_faults(_faults(state))
    check_result(state.ranks, winner(state.stones, state.ply), (*WON_BY, DRAWN))


def _faults(state: State) -> Iterator[str]:
    yield from _count_faults(state.stones, state.ply)
    yield from _group_faults(state.board, state.stones)


def _count_faults(stones: Stones, ply: int) -> Iterator[str]:
    """Yield stones that were never placed, and stones removed too early."""
    for seat, colour in enumerate(META.colours):
        placed = (ply + 1 - seat) // 2
        standing = stones[seat].bit_count()
        if standing > placed:
            message = gettext("{player} has {standing} stones after placing {placed}.")
            yield message.format(player=colour.shown_name, standing=standing, placed=placed)
        if standing < placed and ply < FIRST_REMOVAL:
            message = gettext("{player} cannot have lost a stone in {count} moves.")
            yield message.format(player=colour.shown_name, count=ply)
    if ply and not any(stones):
        message = gettext("After {count} moves somebody has a stone on the board.")
        yield message.format(count=ply)


def _group_faults(board: HexBoard, stones: Stones) -> Iterator[str]:
    empty = board.all ^ (stones[RED] | stones[BLUE])
    for colour, own in zip(META.colours, stones, strict=True):
        if bounded := own ^ board.flood(board.around(empty), own):
            cell = next(board.cells_of(bounded))
            message = gettext(
                "{player}'s group on {cell} touches no empty cell: it cannot have stayed."
            )
            yield message.format(player=colour.shown_name, cell=cell)
