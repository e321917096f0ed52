"""What the two kinds of steps of a turn have in common."""

from collections.abc import Iterable
from typing import Any

from games.kernel import completion
from games.kernel.errors import MalformedMove
from games.kernel.options import Choice, Options
from games.kernel.phase import NOTHING, Phase, Step
from games.titles.grim_reaper import squares
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

    def play(self, transition: Transition, move: Any) -> None:
        """Do what a legal move says; then end the step."""
        super().play(transition, move)
        transition.end_step()


def refusal_onto(state: State, square: Square) -> str:
    """Return why no piece can come to a square; empty if it is vacant."""
    if not squares.board(state.size) >> square & 1:
        return f"{square} is not on a board of size {state.size}."
    return "" if state.vacant >> square & 1 else f"{square} is taken."


def choose(choices: Iterable[Choice], typed: str, prompt: str) -> Options:
    """Return those of ``choices`` that go on from what is typed of them."""
    by_text = {choice.text: choice for choice in choices}
    try:
        return completion.complete(
            by_text,
            typed,
            label=lambda text: by_text[text].label,
            marks=lambda text: by_text[text].marks,
            prompt=prompt,
        )
    except MalformedMove:
        return NOTHING
