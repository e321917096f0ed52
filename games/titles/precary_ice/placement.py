"""Placing a piece, the only action of a turn.

A piece is held where the player aims and trembles when it is released. The effect on the tower is
observed, and recorded as an :class:`Outcome`. Then the sheet is written.
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
from games.kernel.errors import ChanceError, MatchOver, NotYourTurn, quoted
from games.kernel.language import gettext
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
"""Sides of the die whose rolls are tremors."""

GROWTH = 0.1
"""The increase of the tremor for each piece beyond the first ``START``, as a fraction."""

START = 3

FPS = 30
"""Frames per second of a trace."""


class Spread(NamedTuple):
    """One standard deviation of the tremor: in mm, and in degrees."""

    place: float
    tilt: float


SPREADS: Mapping[str, Spread] = {
    STEADY: Spread(0.35, 1.05),
    NORMAL: Spread(0.5, 1.5),
    SHAKY: Spread(0.8, 2.4),
}
"""The tremor of each hand over the first three pieces."""


class Outcome(Struct, frozen=True, kw_only=True):
    """The recorded observation of a placement.

    ``pieces`` are the final places of all pieces of the tower, the new one last. ``ms`` is the
    number of milliseconds from the release to the fall, and ``None`` while the tower stands.
    """

    pieces: tuple[Placed, ...]
    fallen: bool
    ms: Annotated[int, Meta(ge=0)] | None = None


def check_turn(state: State, seat: Seat, move: Place) -> None:
    """Check that a seat may place a piece now.

    :raises RulesError: it may not. The sentence says why.
    """
    if state.ranks:
        raise MatchOver(gettext("Too late to {move}: the match is over.").format(move=move))
    if seat in state.actors:
        return
    if state.turn is not None:
        message = gettext("It is {player}'s turn, not seat {seat}'s, to place a piece.")
        raise NotYourTurn(message.format(player=name_of(state.turn), seat=seat))
    message = gettext("Seat {seat} cannot {move}: its tower is done for this round.")
    raise NotYourTurn(message.format(seat=seat, move=move))


def place(transition: Transition, seat: Seat, move: Place) -> None:
    """Release a piece, write the outcome on the sheet, and end the turn.

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
    """Return a hand's tremor over a tower with this many pieces. It grows with the tower."""
    place, tilt = SPREADS[hand]
    more = 1 + GROWTH * (pieces - START)
    return Spread(place * more, tilt * more)


def tremble(dice: Dice, hand: str, pieces: int) -> tuple[float, float]:
    """Roll the tremor: in mm for the place, and in degrees for the tilt."""
    place, tilt = spread(hand, pieces)
    return place * quantile(dice.roll(SIDES)), tilt * quantile(dice.roll(SIDES))


@cache
def quantile(face: int) -> float:
    """Return the standard normal quantile of a roll."""
    return NormalDist().inv_cdf((face - 0.5) / SIDES)


def observe(tower: Tower, at: float, tilt: float) -> tuple[Json, trace.Trace]:
    """Release the next piece ``at`` mm from the axis, tilted by ``tilt`` degrees.

    Return the outcome as JSON, and the trace that led to it.
    """
    settled = physics.let_go(tower.pieces, tower.next or "", at, radians(tilt))
    outcome = Outcome(pieces=settled.pieces, fallen=settled.ms is not None, ms=settled.ms)
    return encode(outcome), trace.pack(settled.frames, FPS)


def read_outcome(data: Json, tower: Tower) -> Outcome:
    """Parse the observed outcome of a tower.

    :raises ChanceError: it is impossible.
    """
    try:
        outcome = msgspec.convert(data, Outcome)
    except msgspec.ValidationError as error:
        message = gettext("This is not the outcome of a placement: {reason}.")
        raise ChanceError(message.format(reason=error)) from error
    letters = "".join(piece.letter for piece in outcome.pieces)
    if letters != f"{tower.letters}{tower.next}":
        message = gettext("{given} are not the pieces {wanted}.")
        wanted = f"{tower.letters}{tower.next}"
        raise ChanceError(message.format(given=quoted(letters), wanted=wanted))
    if outcome.fallen is (outcome.ms is None):
        message = gettext("fallen goes with ms, which is {ms}: not {fallen}.")
        values = {"ms": quoted(outcome.ms), "fallen": quoted(outcome.fallen)}
        raise ChanceError(message.format(**values))
    return outcome


def _stand(transition: Transition, seat: Seat, after: Tower) -> None:
    """Write on the sheet that a tower stands, with the bonus if it is complete."""
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
