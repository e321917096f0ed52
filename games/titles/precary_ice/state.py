"""Positions of Precary-Ice: decoded from JSON, looked at, and checked.

Nothing is hidden: the state in play is the state as it is written, and what everybody sees.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from games.kernel.contract import Params, Ranks, Seat
from games.kernel.decoding import check_params, decode
from games.kernel.errors import BrokenPosition
from games.kernel.ranking import WON_BY, rank
from games.kernel.views import Json, View
from games.titles.precary_ice.meta import FREE, MAX_ROUNDS, MAX_SEATS
from games.titles.precary_ice.pieces import EACH, LETTERS, PIECES
from games.titles.precary_ice.tower import (
    BONUS_POINTS,
    FIRST,
    GONE,
    MAX_POINTS,
    NEW,
    Points,
    Tower,
    reconstructed,
    told_by,
)

PARAMS = ("rounds", "pace", "hand", "incidents")
"""The parameters of the match that its positions repeat."""

TWO = 2

SeatNumber: TypeAlias = Annotated[Seat, Meta(ge=0, lt=MAX_SEATS)]
Rank: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_SEATS)]


class State(View, frozen=True, kw_only=True):
    """A state.

    ``rounds`` is 0 for one more than there are players. ``starter`` began the ``round``; ``turn``
    is ``None`` in free pace. ``scores`` are by seat, then by round: those of a round are written
    when it is over. ``dropped`` are the seats that have dropped out, in order, and ``in_`` says
    of each seat whether it has not. ``ranks`` is ``None`` while the match runs.
    """

    rounds: Annotated[int, Meta(ge=0, le=MAX_ROUNDS)]
    pace: Literal["turns", "free"]
    hand: Literal["steady", "normal", "shaky"]
    incidents: bool
    round: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]
    starter: SeatNumber
    turn: SeatNumber | None = None
    towers: tuple[Tower, ...]
    scores: tuple[tuple[Points, ...], ...]
    in_: tuple[bool, ...] = msgspec.field(name="in")
    dropped: tuple[SeatNumber, ...]
    ranks: tuple[Rank, ...] | None = msgspec.field(name="result", default=None)

    @property
    def seats(self) -> range:
        """All seats, whether they are still in or not."""
        return range(len(self.towers))

    @property
    def last_round(self) -> int:
        """The number of the last round."""
        return self.rounds or len(self.towers) + 1

    @property
    def is_free(self) -> bool:
        """Whether everybody builds at their own speed."""
        return self.pace == FREE

    @property
    def still_in(self) -> list[Seat]:
        """The seats that have not dropped out."""
        return [Seat(seat) for seat in self.seats if seat not in self.dropped]

    @property
    def builders(self) -> list[Seat]:
        """The seats whose towers can still grow in this round."""
        return [seat for seat in self.still_in if not self.towers[seat].done]

    @property
    def mover(self) -> Seat | None:
        """The seat whose turn it is; ``None`` in free pace."""
        return self.turn

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that may place a piece now; none when the match is over."""
        if self.ranks:
            return ()
        return tuple(self.builders) if self.turn is None else (self.turn,)

    @property
    def sums(self) -> list[int]:
        """The points of each seat; in a round that is not over the total of its sheet counts."""
        return [
            sum(scores) + (tower.total if len(scores) < self.round else 0)
            for scores, tower in zip(self.scores, self.towers, strict=True)
        ]

    @property
    def ranking(self) -> Ranks:
        """The ranks by the points so far; behind all others who dropped out, the last one first."""
        return rank(self.sums, self.still_in, self.dropped)

    def first_in(self, seat: int) -> Seat:
        """Return a seat, or the next one behind it that is still in."""
        return min(self.still_in, key=lambda other: (other - seat) % len(self.towers))

    def next_builder(self, seat: int) -> Seat:
        """Return the next seat behind one whose tower can still grow, in the end itself."""
        return min(self.builders, key=lambda other: (other - seat - 1) % len(self.towers))


class Held(Struct, frozen=True):
    """Where the next piece of a seat is held: mm from the axis, and its tilt in degrees."""

    seat: int
    at: float
    tilt: int


class Preview(State, frozen=True, kw_only=True):
    """A state with the placement that is being typed."""

    held: Held


def load(data: Json, seats: int, params: Params) -> State:
    """Return the state that JSON describes.

    :raises BrokenPosition: it has not the shape of a state of these seats and parameters.
    """
    state = decode(State, data)
    check_params(PARAMS, state, params)
    by_seat = {"towers": state.towers, "scores": state.scores, "in": state.in_}
    if state.ranks is not None:
        by_seat["result"] = state.ranks
    for name, values in by_seat.items():
        if len(values) != seats:
            raise BrokenPosition(f"{name} has {len(values)} values for {seats} seats.")
    if max(state.starter, state.turn or 0, *state.dropped) >= seats:
        raise BrokenPosition(f"The seats are 0 to {seats - 1}.")
    return state


# --- What holds in every state ---------------------------------------------------------------


def validate(state: State) -> None:
    """Check that a match can have come to a state.

    Where the pieces of a tower lie is not asked: whatever they do, physics goes on from there.

    :raises BrokenPosition: none can; the sentence says why.
    """
    _check_dropped(state)
    _check_round(state)
    for seat, tower in enumerate(state.towers):
        if seat not in state.dropped:
            _check_tower(tower)
        elif tower != GONE:
            raise BrokenPosition(f"Seat {seat} has dropped out, and its tower is taken away.")
    _check_scores(state)
    if state.ranks is None:
        _check_turns(state)
    elif state.ranks not in _possible_results(state):
        raise BrokenPosition(f"The result cannot be {list(state.ranks)} with these points.")


def _check_dropped(state: State) -> None:
    dropped = state.dropped
    if state.in_ != tuple(seat not in dropped for seat in state.seats):
        raise BrokenPosition(f"in does not fit the seats that have dropped out: {list(dropped)}.")
    if len(set(dropped)) < len(dropped):
        raise BrokenPosition(f"Nobody drops out twice: {list(dropped)}.")
    if dropped and len(state.towers) == TWO:
        raise BrokenPosition("Of two players nobody drops out: the other one wins.")
    left = len(state.still_in)
    if left == 0 or (left == 1 and state.ranks is None):
        raise BrokenPosition("The match is over when all but one have dropped out.")


def _check_round(state: State) -> None:
    if state.round > state.last_round:
        raise BrokenPosition(f"There are {state.last_round} rounds, not {state.round}.")
    first = state.round - 1
    seats = len(state.towers)
    passed = (state.starter - first) % seats
    if any((first + step) % seats not in state.dropped for step in range(passed)):
        raise BrokenPosition(f"Round {state.round} is not begun by seat {state.starter}.")


def _check_tower(tower: Tower) -> None:
    counts = tuple(EACH - tower.letters.count(letter) for letter in LETTERS)
    if counts != tower.left:
        raise BrokenPosition(f"Beside {tower.letters} there are {counts} left, not {tower.left}.")
    if _letters_on_sheet(tower) not in _possible_letters(tower):
        raise BrokenPosition(f"The sheet {list(tower.sheet)} is not that of {tower.letters}.")
    if tower.done != (tower.fallen or not tower.sizes):
        raise BrokenPosition("A tower is done when it has fallen or all pieces are placed.")
    if tower.done and (tower.next or tower.die):
        raise BrokenPosition("No piece is due for a tower that is done.")
    _check_next(tower)


def _letters_on_sheet(tower: Tower) -> str:
    """Return the sizes of the pieces that the sheet counts."""
    is_rewarded = not tower.sizes and not tower.fallen
    sheet = tower.sheet[:-1] if is_rewarded else tower.sheet
    points = {1, 2, 3}
    if is_rewarded and tower.sheet[-1:] != tuple(total + BONUS_POINTS for total in sheet[-1:]):
        raise BrokenPosition(f"The bonus is missing on the sheet {list(tower.sheet)}.")
    if sheet[:1] != NEW.sheet or not {b - a for a, b in pairwise(sheet)} <= points:
        raise BrokenPosition(f"{list(tower.sheet)} is no sheet: it counts pieces from 6 on.")
    return reconstructed(sheet)


def _possible_letters(tower: Tower) -> Sequence[str]:
    """Return what the sheet may count: the last piece of a heap may not have been written."""
    if not tower.fallen:
        return (tower.letters,)
    return (tower.letters, tower.letters[:-1]) if len(tower.pieces) > len(FIRST) else ()


def _check_next(tower: Tower) -> None:
    if tower.next is None:
        if tower.die is not None:
            raise BrokenPosition("The die tells a piece, but none is due.")
        return
    if (tower.die is None) != (len(tower.sizes) == 1):
        raise BrokenPosition("The die is rolled when there are two or three sizes left.")
    if tower.next != told_by(tower.sizes, tower.die):
        raise BrokenPosition(f"A {tower.die} does not tell {tower.next} of {tower.sizes}.")


def _check_scores(state: State) -> None:
    first = state.round - 1
    lengths = {len(state.scores[seat]) for seat in state.still_in}
    if len(lengths) != 1 or not lengths <= {first, first + _is_played_out(state)}:
        raise BrokenPosition(f"Scores are those of the rounds before round {state.round}.")
    if any(len(state.scores[seat]) > first for seat in state.dropped):
        raise BrokenPosition("Who has dropped out has no score of this round.")
    least = NEW.total
    most = sum(EACH * piece.points for piece in PIECES.values())
    allowed = {*range(least, most + 1), MAX_POINTS}
    if any(not set(scores) <= allowed for scores in state.scores):
        raise BrokenPosition(f"A score is {least} to {most}, or {MAX_POINTS} with the bonus.")


def _is_played_out(state: State) -> bool:
    is_last = state.round == state.last_round
    return state.ranks is not None and is_last and not state.builders


def _check_turns(state: State) -> None:
    if not state.builders:
        raise BrokenPosition("The round is over when all towers are done.")
    if (state.turn is None) != state.is_free:
        raise BrokenPosition(f"turn is a seat, and null in free pace: not {state.turn!r}.")
    if not set(state.actors) <= set(state.builders):
        raise BrokenPosition(f"Seat {state.turn} has no tower to build on.")
    for seat, tower in enumerate(state.towers):
        if (tower.next is not None) != (seat in state.actors):
            raise BrokenPosition(f"Seat {seat}: a piece is due for those who are to move.")


def _possible_results(state: State) -> Sequence[Ranks]:
    """Return the results that the match can have ended with."""
    written = len(state.scores[state.still_in[0]])
    if len(state.towers) == TWO and written < state.round:
        return (state.ranking, *WON_BY)
    return (state.ranking,)
