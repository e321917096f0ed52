"""What the two kinds of steps of a turn have in common."""

from typing import Any

from games.kernel.phase import Phase, Step
from games.titles.grim_reaper import moves, squares
from games.titles.grim_reaper.events import Passed
from games.titles.grim_reaper.moves import Pass
from games.titles.grim_reaper.squares import Square
from games.titles.grim_reaper.state import State
from games.titles.grim_reaper.transition import Transition


class PassStep(Step[State, Transition]):
    """A step in which nothing is done."""

    kind = Pass

    def play(self, transition: Transition, move: Pass) -> None:
        """Record that the mover passes."""
        state = transition.state
        transition.emit(Passed(state.mover, state.is_birth))


class StepPhase(Phase[State, Transition]):
    """One of the four steps of a turn: a single move, then the next step."""

    parse = staticmethod(moves.parse)

    def play(self, transition: Transition, move: Any) -> None:
        """Do what a legal move says; then end the step."""
        super().play(transition, move)
        transition.end_step()


def refusal_onto(state: State, square: Square) -> str:
    """Return why no piece can come to a square; empty if it is vacant."""
    if not squares.board(state.size) >> square & 1:
        return f"{square} is not on a board of size {state.size}."
    return "" if state.vacant >> square & 1 else f"{square} is taken."
