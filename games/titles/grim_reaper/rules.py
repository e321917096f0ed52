"""The rules of Grim Reaper.

Each step of a turn is for placing or moving, or for births. The phases define what a step allows
and does.
"""

import re
from collections.abc import Mapping
from itertools import islice

from games.kernel.contract import AnswerPolicy, Event, Params, Seat
from games.kernel.dice import Dice, no_dice
from games.kernel.formatting import refusal_sentence
from games.kernel.language import gettext, gettext_noop
from games.kernel.phase import Phases
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.moves import Move, Pass
from games.titles.grim_reaper.phases.act import ActPhase
from games.titles.grim_reaper.phases.births import BirthPhase, refusal_on
from games.titles.grim_reaper.squares import PATTERN, Square
from games.titles.grim_reaper.state import (
    TERMS,
    Position,
    State,
    starting_reserve,
    state_of,
)
from games.titles.grim_reaper.transition import Transition

PHASES = Phases(META, (ActPhase(), BirthPhase()))


def setup(seats: int, params: Params, dice: Dice) -> State:
    """Return the empty board, and full reserves."""
    reserve = starting_reserve(params)
    return State(**{name: params[name] for name in TERMS}, reserves=(reserve, reserve))


def play(state: State, seat: Seat, move: Move, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Take one of the four steps of the turn. After the last one all pieces age.

    :raises RulesError: the seat may not do that, or not now.
    """
    transition = Transition(state, dice)
    PHASES.play(transition, seat, move)
    return transition.outcome


def next_turn(state: State, seat: Seat) -> State | None:
    """Return a position at a seat's next step, as if the other took none until then.

    ``None`` if the match ends first.
    """
    transition = Transition(state, no_dice())
    while not transition.state.ranks and transition.state.mover != seat:
        transition.end_step()
    return None if transition.state.ranks else transition.state


def explain(state: State, mark: str) -> str:
    """Return why no move begins with a square of the board. Empty for other marks."""
    square = Square.parse(mark) if re.fullmatch(PATTERN, mark) else None
    if square is None or not (state.vacant | state.taken) >> square & 1:
        return ""
    if state.is_birth:
        return refusal_sentence(refusal_on(state, [square]))
    if state.vacant >> square & 1:
        return gettext("Your reserve is empty, so you can’t place a piece.")
    owner = state.piece(square).seat
    if owner != state.mover:
        message = gettext("The piece on {square} is {player}’s.")
        return message.format(square=mark, player=META.colours[owner].shown_name)
    message = gettext("Your piece on {square} can’t move: there is no vacant square beside it.")
    return message.format(square=mark)


def forced_pass(view: Position, seat: Seat) -> str:
    """Return a pass if a seat is to move and can do nothing else. Otherwise empty."""
    state = state_of(view)
    only = list(islice(PHASES.moves(state, seat), 2))
    return str(Pass()) if only == [Pass()] else ""


STANDING_ORDERS: Mapping[str, AnswerPolicy] = {
    "pass": AnswerPolicy(gettext_noop("Always pass when I can’t act"), forced_pass, is_forced=True)
}
"""The standing orders by name."""
