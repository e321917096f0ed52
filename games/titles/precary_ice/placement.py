"""Placing a piece, the one thing that a turn asks for.

A piece is held where the player aims and trembles as it is let go; what becomes of the tower is
observed, and recorded as an :class:`Outcome`; then the sheet is written.
"""

from collections.abc import Mapping
from functools import cache, partial
from math import radians
from statistics import NormalDist
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from games.kernel import trace
from games.kernel.contract import Seat, TurnEnded
from games.kernel.dice import Dice
from games.kernel.errors import ChanceError, MatchOver, NotYourTurn
from games.kernel.views import Json, encode
from games.titles.precary_ice import physics
from games.titles.precary_ice.events import Completed, Fell, Released, Stood
from games.titles.precary_ice.meta import NORMAL, SHAKY, STEADY, name_of
from games.titles.precary_ice.moves import Place
from games.titles.precary_ice.pieces import Placed
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import Tower
from games.titles.precary_ice.turns import Transition, go_on

SIDES = 1000
"""Sides of the die of which a tremor is a roll."""

GROWTH = 0.1
"""How much more a hand trembles for each piece beyond the first ``START``, as a fraction."""

START = 3

FPS = 30
"""Frames a second of a trace."""


class Spread(NamedTuple):
    """One standard deviation of the tremor: in mm, and in degrees."""

    place: float
    tilt: float


SPREADS: Mapping[str, Spread] = {
    STEADY: Spread(0.35, 1.05),
    NORMAL: Spread(0.5, 1.5),
    SHAKY: Spread(0.8, 2.4),
}
"""How a hand trembles over the first three pieces."""


class Outcome(Struct, frozen=True, kw_only=True):
    """What was observed of a placement, as it is recorded.

    ``pieces`` are where all pieces of the tower stay, the new one last; ``ms`` is how many
    milliseconds after the letting go the fall began, and ``None`` while the tower stands.
    """

    pieces: tuple[Placed, ...]
    fallen: bool
    ms: Annotated[int, Meta(ge=0)] | None = None


def check_turn(state: State, seat: Seat, move: Place) -> None:
    """Check that a seat may place a piece now.

    :raises RulesError: it may not; the sentence says why.
    """
    if state.ranks:
        raise MatchOver(f"Too late to {move}: the match is over.")
    if seat in state.actors:
        return
    if state.turn is not None:
        name = name_of(state.turn)
        raise NotYourTurn(f"It is {name}'s turn, not seat {seat}'s, to place a piece.")
    raise NotYourTurn(f"Seat {seat} cannot {move}: its tower is done for this round.")


def place(transition: Transition, seat: Seat, move: Place) -> None:
    """Let go of a piece, write on the sheet what becomes of the tower, and end the turn.

    :raises ChanceError: no simulation can have observed the scripted outcome.
    """
    state = transition.state
    dice = transition.dice
    tower = state.towers[seat]
    slip, twist = tremble(dice, state.hand, len(tower.pieces))
    observed = dice.observe(partial(observe, tower, move.at + slip, move.tilt + twist))
    outcome = read_outcome(observed, tower)
    released = Released(seat, tower.next or "", move.at, move.tilt, (slip, twist))
    transition.emit(released)
    if outcome.ms is None:
        _stand(transition, seat, tower.built(outcome.pieces))
    else:
        _fall(transition, seat, tower, tower.collapsed(outcome.pieces, outcome.ms), outcome.ms)
    transition.emit(TurnEnded(seat))
    go_on(transition, seat)


def spread(hand: str, pieces: int) -> Spread:
    """Return how a hand trembles over a tower of so many pieces: the higher, the more."""
    place, tilt = SPREADS[hand]
    more = 1 + GROWTH * (pieces - START)
    return Spread(place * more, tilt * more)


def tremble(dice: Dice, hand: str, pieces: int) -> tuple[float, float]:
    """Roll what the hand adds to a place, in mm, and to a tilt, in degrees."""
    place, tilt = spread(hand, pieces)
    return place * quantile(dice.roll(SIDES)), tilt * quantile(dice.roll(SIDES))


@cache
def quantile(face: int) -> float:
    """Return the standard normal quantile that a roll stands for."""
    return NormalDist().inv_cdf((face - 0.5) / SIDES)


def observe(tower: Tower, at: float, tilt: float) -> tuple[Json, trace.Trace]:
    """Let go of the piece that is due ``at`` mm from the axis, tilted by ``tilt`` degrees.

    Return the outcome as JSON, and the trace of how it came about.
    """
    settled = physics.let_go(tower.pieces, tower.next or "", at, radians(tilt))
    outcome = Outcome(pieces=settled.pieces, fallen=settled.ms is not None, ms=settled.ms)
    return encode(outcome), trace.pack(settled.frames, FPS)


def read_outcome(data: Json, tower: Tower) -> Outcome:
    """Return what was observed of a tower.

    :raises ChanceError: nothing like it can have been observed.
    """
    try:
        outcome = msgspec.convert(data, Outcome)
    except msgspec.ValidationError as error:
        raise ChanceError(f"This is not the outcome of a placement: {error}.") from error
    letters = "".join(piece.letter for piece in outcome.pieces)
    if letters != f"{tower.letters}{tower.next}":
        raise ChanceError(f"{letters!r} are not the pieces {tower.letters}{tower.next}.")
    if outcome.fallen is (outcome.ms is None):
        raise ChanceError(f"fallen goes with ms, which is {outcome.ms!r}: not {outcome.fallen!r}.")
    return outcome


def _stand(transition: Transition, seat: Seat, after: Tower) -> None:
    """Write on the sheet that a tower stands, and the bonus where all pieces do."""
    transition.emit(Stood(seat, after.total))
    if after.done:
        after = after.rewarded()
        transition.emit(Completed(seat, after.total, after.pieces))
    transition.set_tower(seat, after)


def _fall(transition: Transition, seat: Seat, before: Tower, after: Tower, ms: int) -> None:
    """Write on the sheet that a tower has fallen after ``ms`` milliseconds."""
    written = len(after.sheet) > len(before.sheet)
    transition.emit(Fell(seat, ms, written, after.total, after.pieces))
    transition.set_tower(seat, after)
