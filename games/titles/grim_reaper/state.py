"""Positions of Grim Reaper: as they are written, as they are played, and derived facts.

In play the pieces are sets of squares (see :mod:`games.titles.grim_reaper.squares`), so that steps,
couples and chains are computed for the whole board at once.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, cached_property
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.kernel.contract import Image, Params, Ranks, Seat
from games.kernel.decoding import check_faults, check_params, check_result, decode
from games.kernel.language import gettext
from games.kernel.ranking import DRAWN, WON_BY
from games.kernel.views import Json, View
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.meta import (
    CONNECTED,
    LAST_ALIVE,
    MAX_SPAN,
    META,
    NOBODY_ALIVE,
    SHORTEST_SPAN,
    name_of,
)
from games.titles.grim_reaper.squares import Square, Squares

RED = Seat(0)
BLUE = Seat(1)
LETTERS = tuple(colour.letter for colour in META.colours)

_OTHER_COLOUR = str.maketrans("".join(LETTERS), "".join(LETTERS[::-1]))

STEPS = ((RED, BLUE, BLUE, RED), (BLUE, RED, RED, BLUE))
"""The seats of the four steps, in odd turns and in even ones (``rules.md``, *A turn*)."""

LAST_STEP = len(STEPS[0]) - 1
FIRST_BIRTHS = 2
"""Earlier steps are for placing or moving, later ones for births."""

TERMS = ("size", "male_span", "female_span", "random_life")
"""Parameters of the match that its positions repeat."""

NO_LIVES = bytes(squares.COUNT)
AGED = bytes([0, *range(255)])
"""Maps remaining life turns to those a turn later."""


class Sex(StrEnum):
    """The sex of a piece, by its letter."""

    MALE = "M"
    FEMALE = "F"

    def choose(self, male: str, female: str) -> str:
        """Return the message for this sex. In many languages it changes other words, too."""
        return female if self is Sex.FEMALE else male


_PIECE = re.compile("([rb])([MF])([1-9][0-9]?)")


class Piece(Struct, frozen=True):
    """A piece: its owner, its sex and its remaining life turns. Its text is ``rM10``."""

    seat: Seat
    sex: Sex
    life: int

    @classmethod
    def parse(cls, text: str) -> "Piece":
        """:raises ValueError: the text isn't a piece."""
        if not (match := _PIECE.fullmatch(text)):
            raise ValueError(f"{text!r} is no piece")
        return cls(Seat(LETTERS.index(match[1])), Sex(match[2]), int(match[3]))

    @property
    def label(self) -> str:
        """Its colour and sex, as in ``red female``."""
        # Translators: after a colon, as in "c4: red female, 3 life turns left".
        red = self.sex.choose(gettext("red male"), gettext("red female"))
        blue = self.sex.choose(gettext("blue male"), gettext("blue female"))
        return red if self.seat == RED else blue

    def __str__(self) -> str:
        return f"{LETTERS[self.seat]}{self.sex}{self.life}"


Couples: TypeAlias = Mapping[Square, Squares]
"""The vacant squares between a male and a female, by square with all such females."""

Size: TypeAlias = Literal[6, 8]
Reserve: TypeAlias = Annotated[int, Meta(ge=0)]
SquareName: TypeAlias = Annotated[str, Meta(pattern=rf"^{squares.PATTERN}\Z")]
PieceText: TypeAlias = Annotated[str, Meta(pattern=rf"^{_PIECE.pattern}\Z")]
LifeSpan: TypeAlias = Annotated[int, Meta(ge=SHORTEST_SPAN, le=MAX_SPAN)]
Rank: TypeAlias = Annotated[int, Meta(ge=1, le=2)]


class Position(View, frozen=True):
    """A position as it is written.

    ``reserve`` holds the life reserve of each seat. ``born`` are the squares of the first births of
    this turn until the second births. ``rip`` are those where pieces died at the last ageing, even
    if others have moved there since. ``result`` has a rank for each seat, or is ``None`` while the
    match runs.
    """

    size: Size
    turn: Annotated[int, Meta(ge=1)]
    step: Annotated[int, Meta(ge=0, le=LAST_STEP)]
    reserve: tuple[Reserve, Reserve]
    pieces: dict[SquareName, PieceText]
    born: tuple[SquareName, ...]
    rip: tuple[SquareName, ...]
    male_span: LifeSpan
    female_span: LifeSpan
    random_life: bool
    result: Annotated[tuple[Rank, ...], Meta(min_length=2, max_length=2)] | None = None


class State(Struct, frozen=True, dict=True):
    """A position in play.

    ``sides`` are the squares of each seat's pieces, ``females`` those of both seats' females,
    ``lives`` the remaining life turns of the piece on each square, 0 without one. ``born`` and
    ``rip`` are the sets of squares that :class:`Position` lists.
    """

    size: Size
    male_span: int
    female_span: int
    random_life: bool
    reserves: tuple[int, int]
    sides: tuple[Squares, Squares] = (0, 0)
    females: Squares = 0
    lives: bytes = NO_LIVES
    turn_number: int = 1
    step: int = 0
    born: Squares = 0
    rip: Squares = 0
    ranks: Ranks | None = None

    @property
    def mover(self) -> Seat:
        """The seat to move, or that would be if the match had not ended."""
        return seat_at(self.turn_number, self.step)

    @property
    def phase(self) -> str:
        return "births" if self.is_birth else "act"

    @property
    def is_birth(self) -> bool:
        """Whether this step is for births."""
        return self.step >= FIRST_BIRTHS

    @property
    def reserve(self) -> int:
        """The life reserve of the mover."""
        return self.reserves[self.mover]

    def span(self, sex: Sex) -> int:
        """Return the maximum life turns of a newborn of a sex."""
        return self.female_span if sex is Sex.FEMALE else self.male_span

    @property
    def taken(self) -> Squares:
        return self.sides[RED] | self.sides[BLUE]

    @cached_property
    def vacant(self) -> Squares:
        return squares.board(self.size) & ~self.taken

    def piece(self, square: Square) -> Piece:
        """Return the piece on a square that has one."""
        seat = RED if self.sides[RED] >> square & 1 else BLUE
        sex = Sex.FEMALE if self.females >> square & 1 else Sex.MALE
        return Piece(seat, sex, self.lives[square])

    @property
    def dying(self) -> Squares:
        """The squares of the pieces that die at the next ageing."""
        return squares.set_of(
            square for square in squares.each(self.taken) if self.lives[square] == 1
        )

    def reach(self, origin: Square) -> tuple[Squares, Squares]:
        """Return where the piece on a square can go in one step, and only in two."""
        vacant = self.vacant
        near = squares.around(1 << origin) & vacant
        return near, squares.around(near) & vacant & ~near

    @cached_property
    def couples(self) -> tuple[Couples, Couples]:
        """Where each seat has couples, contested or not. Newborns can't be parents."""
        return self._couples(RED), self._couples(BLUE)

    @property
    def contested(self) -> Squares:
        """The squares where both have a couple, so that nobody may be born there."""
        return squares.set_of(self.couples[RED].keys() & self.couples[BLUE].keys())

    @cached_property
    def birth_squares(self) -> Couples:
        """Where a piece of the mover may be born, with all possible mothers."""
        own = self.couples[self.mover]
        other = self.couples[1 - self.mover]
        return {square: mothers for square, mothers in own.items() if square not in other}

    def chain(self, seat: Seat) -> tuple[Square, ...]:
        """Return a shortest chain of a seat's pieces between its two edges. Empty without one.

        Red's edges are the bottom and the top, Blue's the left and the right. Each piece of the
        chain shares an edge with the next.
        """
        own = self.sides[seat]
        size = self.size
        if seat == RED:
            start = squares.bottom(size)
            goal = squares.bottom(size) << size - 1
        else:
            start = squares.left(size)
            goal = squares.left(size) << squares.STRIDE * (size - 1)
        layers = [own & start]
        rest = own & ~start
        while layers[-1] and not layers[-1] & goal:
            layers.append(squares.beside(layers[-1]) & rest)
            rest &= ~layers[-1]
        return _trace(layers, layers[-1] & goal)

    def _couples(self, seat: Seat) -> Couples:
        parents = self.sides[seat] & ~self.born
        women = parents & self.females
        men = parents & ~self.females
        vacant = self.vacant
        mothers: dict[Square, Squares] = {}
        for step in squares.STEPS:
            for square in squares.each((women << step) & (men >> step) & vacant):
                mothers[square] = mothers.get(square, 0) | 1 << square - step
            for square in squares.each((women >> step) & (men << step) & vacant):
                mothers[square] = mothers.get(square, 0) | 1 << square + step
        return dict(sorted(mothers.items()))


def _trace(layers: list[Squares], ends: Squares) -> tuple[Square, ...]:
    """Return a path through the layers of a search, from its start to one of ``ends``."""
    path: list[Square] = []
    for layer in reversed(layers if ends else []):
        path.append(squares.first(layer & ends))
        ends = squares.beside(squares.bit(path[-1]))
    return tuple(reversed(path))


def seat_at(turn: int, step: int) -> Seat:
    """Return the seat of a step."""
    return STEPS[(turn - 1) % 2][step]


def starting_reserve(params: Params) -> int:
    """Return the initial life reserve of each seat: a multiple of the mean, rounded up."""
    both_spans = params["male_span"] + params["female_span"]
    return int(params["reserve"] * both_spans + 1) // 2


def winner(state: State) -> tuple[str, Ranks] | None:
    """Return ending and result after an ageing. ``None`` if the match continues.

    Source: ``rules.md``, *Winning*.
    """
    alive = [bool(state.sides[seat] or state.reserves[seat]) for seat in (RED, BLUE)]
    if not any(alive):
        return NOBODY_ALIVE, DRAWN
    if not all(alive):
        return LAST_ALIVE, WON_BY[alive.index(True)]
    connected = [seat for seat in (RED, BLUE) if state.chain(seat)]
    return (CONNECTED, WON_BY[connected[0]]) if connected else None


def position_of(state: State) -> Position:
    """Convert a state to its written form. Nothing in it is hidden from anybody."""
    return Position(
        size=state.size,
        turn=state.turn_number,
        step=state.step,
        reserve=state.reserves,
        pieces={str(square): str(state.piece(square)) for square in squares.each(state.taken)},
        born=tuple(squares.names(state.born)),
        rip=tuple(squares.names(state.rip)),
        male_span=state.male_span,
        female_span=state.female_span,
        random_life=state.random_life,
        result=state.ranks,
    )


def images(view: Position) -> Iterator[Image]:
    """Yield a position and its mirror images: left to right, bottom to top, and both.

    Of the turns it matters only who begins.
    """
    begins = view.turn % 2
    rest = [begins, view.step, view.reserve, view.result]
    for names in _mirrors(view.size):
        pieces = {names[square]: piece for square, piece in view.pieces.items()}
        born = sorted(names[square] for square in view.born)
        yield Image([pieces, born, *rest], names)


def exchanged(view: Position) -> Iterator[Position]:
    """Yield a position in the other colours, with columns and rows exchanged, as the edges are."""
    names = _transposed(view.size)
    yield replace(
        view,
        turn=view.turn + 1,
        reserve=view.reserve[::-1],
        pieces={
            names[square]: piece.translate(_OTHER_COLOUR) for square, piece in view.pieces.items()
        },
        born=tuple(names[square] for square in view.born),
    )


@cache
def _transposed(size: int) -> Mapping[str, str]:
    lines = list(zip(squares.COLUMNS[:size], squares.ROWS[:size], strict=True))
    return {column + row: across + up for column, up in lines for across, row in lines}


@cache
def _mirrors(size: int) -> Sequence[Mapping[str, str]]:
    """Return the new name of each square, for each mirror."""
    columns, rows = squares.COLUMNS[:size], squares.ROWS[:size]
    return [
        {
            column + row: to_column + to_row
            for column, to_column in zip(columns, columns[::across], strict=True)
            for row, to_row in zip(rows, rows[::up], strict=True)
        }
        for across in (1, -1)
        for up in (1, -1)
    ]


def state_of(position: Position) -> State:
    """Convert a written position to a state in play."""
    pieces = {Square.parse(name): Piece.parse(text) for name, text in position.pieces.items()}
    lives = bytearray(NO_LIVES)
    for square, piece in pieces.items():
        lives[square] = piece.life
    red, blue = (
        squares.set_of(square for square, piece in pieces.items() if piece.seat == seat)
        for seat in (RED, BLUE)
    )
    return State(
        size=position.size,
        male_span=position.male_span,
        female_span=position.female_span,
        random_life=position.random_life,
        reserves=position.reserve,
        sides=(red, blue),
        females=squares.set_of(s for s, piece in pieces.items() if piece.sex is Sex.FEMALE),
        lives=bytes(lives),
        turn_number=position.turn,
        step=position.step,
        born=squares.set_of(map(Square.parse, position.born)),
        rip=squares.set_of(map(Square.parse, position.rip)),
        ranks=position.result,
    )


def load(data: Json, seats: int, params: Params) -> State:
    """Load a position from JSON.

    :raises BrokenPosition: it isn't a valid position with these parameters.
    """
    position = decode(Position, data)
    check_params(TERMS, position, params)
    check_faults(_shape_faults(position, starting_reserve(params)))
    return state_of(position)


def _shape_faults(position: Position, start: int) -> Iterator[str]:
    """Yield facts impossible with these parameters. Reserves are ``start`` at first."""
    if max(position.reserve) > start:
        message = gettext("Reserves are at most {most} in this match, not {given}.")
        yield message.format(most=start, given=max(position.reserve))
    board = squares.board(position.size)
    for name in (*position.pieces, *position.born, *position.rip):
        if not board >> Square.parse(name) & 1:
            message = gettext("{place} is not on a board of size {size}.")
            yield message.format(place=name, size=position.size)
    longest = {"M": max(start, position.male_span), "F": max(start, position.female_span)}
    for text in position.pieces.values():
        if int(text[2:]) > (most := longest[text[1]]):
            message = gettext("{piece} has more life than the {count} turns that it can have.")
            yield message.format(piece=text, count=most)
    for field, names in (("born", position.born), ("rip", position.rip)):
        if list(names) != sorted(set(names)):
            message = gettext("{field} names each square once, sorted; not so {squares}.")
            yield message.format(field=field, squares=", ".join(names))


def validate(state: State) -> None:
    """:raises BrokenPosition: newborns or result contradict the rest of the position."""
    check_faults(_birth_faults(state))
    has_aged = state.turn_number > 1 and state.step == 0
    decided = winner(state) if has_aged else None
    check_result(state.ranks, decided[1] if decided else None, (*WON_BY, DRAWN))


def _birth_faults(state: State) -> Iterator[str]:
    parent = seat_at(state.turn_number, FIRST_BIRTHS)
    if state.born and state.step <= FIRST_BIRTHS:
        message = gettext("Nobody is born before step {step} of a turn is over.")
        yield message.format(step=FIRST_BIRTHS)
    if strangers := squares.names(state.born & ~state.sides[parent]):
        message = gettext("{square} is in born, but no piece of {player} stands there.")
        yield message.format(square=strangers[0], player=name_of(parent))
