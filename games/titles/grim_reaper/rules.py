"""The rules of Grim Reaper.

Each step of a turn is for placing or moving, or for births; what a step allows and does stands
with its phase.
"""

from collections.abc import Iterable
from itertools import islice
from typing import TypeAlias

from games.kernel.contract import AnswerPolicy, Event, Params, Seat
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import IllegalMove
from games.kernel.preconditions import check_mover
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.moves import Move, Pass
from games.titles.grim_reaper.phases import StepPhase, Transition
from games.titles.grim_reaper.phases.act import ActPhase
from games.titles.grim_reaper.phases.births import BirthPhase
from games.titles.grim_reaper.state import (
    TERMS,
    Position,
    State,
    starting_reserve,
    state_of,
)

ACT = ActPhase()
BIRTHS = BirthPhase()

Outcome: TypeAlias = tuple[State, tuple[Event, ...]]


def setup(seats: int, params: Params, dice: Dice) -> State:
    """Return the empty board, and full reserves."""
    reserve = starting_reserve(params)
    return State(**{name: params[name] for name in TERMS}, reserves=(reserve, reserve))


def moves(state: State, seat: Seat) -> Iterable[Move]:
    """Return placements before moves, or else sets of births; a pass comes last."""
    return phase_of(state).moves(state) if seat == state.mover and not state.ranks else ()


def play(state: State, seat: Seat, move: Move, dice: Dice) -> Outcome:
    """Take one of the four steps of the turn; after the last all pieces age.

    :raises RulesError: the seat may not do that, or not now.
    """
    check_legal(state, seat, move)
    transition = Transition(state, dice)
    phase_of(state).play(transition, move)
    return transition.outcome


def phase_of(state: State) -> StepPhase:
    """Return the phase of the next step."""
    return BIRTHS if state.is_birth else ACT


def check_legal(state: State, seat: Seat, move: Move) -> None:
    """Check that a seat may do something now.

    :raises RulesError: it may not; the sentence says which rule forbids it.
    """
    check_mover(move, seat, mover=state.mover, ranks=state.ranks, meta=META)
    if reason := phase_of(state).refusal(state, move):
        raise IllegalMove(f"Not {move}: {reason}")


def next_turn(state: State, seat: Seat) -> State | None:
    """Return a position at a seat's next step, as if the other took none until then.

    ``None`` if the match ends first.
    """
    transition = Transition(state, no_dice())
    while not transition.state.ranks and transition.state.mover != seat:
        transition.end_step()
    return None if transition.state.ranks else transition.state


def forced_pass(view: Position, seat: Seat) -> str:
    """Return a pass where a seat is to move and can do nothing else; otherwise nothing."""
    state = state_of(view)
    if seat != state.mover or state.ranks:
        return ""
    only = list(islice(phase_of(state).moves(state), 2))
    return str(Pass()) if only == [Pass()] else ""


STANDING_ORDERS = {
    "pass": AnswerPolicy("Pass for me when I can do nothing else", forced_pass, is_forced=True)
}
"""The standing orders by their names."""
