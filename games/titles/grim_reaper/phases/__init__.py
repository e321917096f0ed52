"""Base classes for the two kinds of steps of a turn."""

from typing import Any

from games.kernel.language import gettext
from games.kernel.phase import Phase, Step
from games.titles.grim_reaper import moves, squares
from games.titles.grim_reaper.events import Passed
from games.titles.grim_reaper.moves import Pass
from games.titles.grim_reaper.squares import Square
from games.titles.grim_reaper.state import State
from games.titles.grim_reaper.transition import Transition


class PassStep(Step[State, Transition]):
    """A step without an action."""

    kind = Pass

    def play(self, transition: Transition, move: Pass) -> None:
        state = transition.state
        transition.emit(Passed(state.mover, state.is_birth))


class StepPhase(Phase[State, Transition]):
    """One of the four steps of a turn: a single move, then the next step."""

    parse = staticmethod(moves.parse)

    def play(self, transition: Transition, move: Any) -> None:
        super().play(transition, move)
        transition.end_step()


def refusal_onto(state: State, square: Square) -> str:
    """Return why no piece can enter a square. Empty if it is vacant."""
    if not squares.board(state.size) >> square & 1:
        message = gettext("{place} is not on a board of size {size}.")
        return message.format(place=square, size=state.size)
    return "" if state.vacant >> square & 1 else gettext("{place} is taken.").format(place=square)
