"""Positions of Precary-Ice: decoding, derived facts, and checks.

Nothing is hidden: the state in play is the state as it is written, and everybody's view.
"""

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from games.kernel.contract import Params, Ranks, Seat
from games.kernel.decoding import check_params, decode
from games.kernel.errors import BrokenPosition
from games.kernel.language import gettext
from games.kernel.ranking import rank
from games.kernel.views import Json, View
from games.titles.precary_ice.meta import FREE, MAX_ROUNDS, MAX_SEATS
from games.titles.precary_ice.tower import (
    Points,
    Tower,
)

PARAMS = ("rounds", "pace", "hand", "incidents")
"""The parameters of the match that its positions repeat."""

DUEL = 2

SeatNumber: TypeAlias = Annotated[Seat, Meta(ge=0, lt=MAX_SEATS)]
Rank: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_SEATS)]


class State(View, frozen=True, kw_only=True):
    """A state.

    ``rounds`` is 0 for one more than there are players. ``starter`` began the ``round``. ``turn``
    is ``None`` in free pace. ``scores`` are by seat, then by round. Those of a round are written
    when it is over. ``dropped`` are the seats that have dropped out, in order, and ``in_`` says for
    each seat whether it has not. ``ranks`` is ``None`` while the match runs.
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
        return range(len(self.towers))

    @property
    def last_round(self) -> int:
        return self.rounds or len(self.towers) + 1

    @property
    def is_free(self) -> bool:
        """Whether all seats build at their own speed."""
        return self.pace == FREE

    @property
    def still_in(self) -> list[Seat]:
        """The seats that haven't dropped out."""
        return [Seat(seat) for seat in self.seats if seat not in self.dropped]

    @property
    def builders(self) -> list[Seat]:
        """The seats whose towers can still grow in this round."""
        return [seat for seat in self.still_in if not self.towers[seat].done]

    @property
    def mover(self) -> Seat | None:
        """The seat whose turn it is. ``None`` in free pace."""
        return self.turn

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that may place a piece now. Empty if the match is over."""
        if self.ranks:
            return ()
        return tuple(self.builders) if self.turn is None else (self.turn,)

    @property
    def sums(self) -> list[int]:
        """The points of each seat. In an unfinished round the total of its sheet counts."""
        return [
            sum(scores) + (tower.total if len(scores) < self.round else 0)
            for scores, tower in zip(self.scores, self.towers, strict=True)
        ]

    @property
    def ranking(self) -> Ranks:
        """The ranks by points so far. Dropped-out seats come after the others, the last first."""
        return rank(self.sums, self.still_in, self.dropped)

    def first_in(self, seat: int) -> Seat:
        """Return a seat, or the next one after it that is still in."""
        return min(self.still_in, key=lambda other: (other - seat) % len(self.towers))

    def next_builder(self, seat: int) -> Seat:
        """Return the next seat after one whose tower can still grow, possibly itself."""
        return min(self.builders, key=lambda other: (other - seat - 1) % len(self.towers))


class Held(Struct, frozen=True):
    """Where the next piece of a seat is held: mm from the axis, and its tilt in degrees."""

    seat: int
    at: float
    tilt: int


class Preview(State, frozen=True, kw_only=True):
    """A state with the placement being typed."""

    held: Held


def exchanged(view: State) -> Iterator[State]:
    """Yield a position with the tower and points of each seat given to another, in order."""
    seats = len(view.towers)
    for step in range(1, seats):
        given = [(seat - step) % seats for seat in range(seats)]
        yield msgspec.structs.replace(
            view,
            starter=Seat(given.index(view.starter)),
            turn=None if view.turn is None else Seat(given.index(view.turn)),
            towers=tuple(view.towers[seat] for seat in given),
            scores=tuple(view.scores[seat] for seat in given),
            in_=tuple(view.in_[seat] for seat in given),
            dropped=tuple(Seat(given.index(seat)) for seat in view.dropped),
        )


def load(data: Json, seats: int, params: Params) -> State:
    """Load a state from JSON.

    :raises BrokenPosition: it isn't a valid state for these seats and parameters.
    """
    state = decode(State, data)
    check_params(PARAMS, state, params)
    by_seat = {"towers": state.towers, "scores": state.scores, "in": state.in_}
    if state.ranks is not None:
        by_seat["result"] = state.ranks
    for name, values in by_seat.items():
        if len(values) != seats:
            message = gettext("{name} has {count} values for {seats} seats.")
            raise BrokenPosition(message.format(name=name, count=len(values), seats=seats))
    if max(state.starter, state.turn or 0, *state.dropped) >= seats:
        raise BrokenPosition(gettext("The seats are 0 to {last}.").format(last=seats - 1))
    return state
