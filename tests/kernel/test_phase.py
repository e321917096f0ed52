"""Phases: moves go to the step of their kind, and what nobody chooses happens by itself."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import pytest

from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.kernel.errors import IllegalMove, MalformedMove, MatchOver, NotYourTurn
from games.kernel.options import Choice, Options
from games.kernel.phase import NOTHING, Phase, Phases, Step
from games.kernel.transition import Transition
from tests.example_games.darts import META


class Add(NamedTuple):
    number: int

    def __str__(self):
        return f"add {self.number}"


class Stop(NamedTuple):
    def __str__(self):
        return "stop"


@dataclass(frozen=True)
class State:
    """A sum that doubles by itself once somebody stops; above ten the match is over."""

    total: int = 0
    phase: str = "count"
    mover: int = 0
    ranks: tuple[int, ...] | None = None


class AddStep(Step):
    kind = Add

    def moves(self, state):
        return (Add(1), Add(2))

    def refusal(self, state, move):
        return "" if move.number < 3 else "that is too much."

    def play(self, transition, move):
        transition.change(total=transition.state.total + move.number)


class StopStep(Step):
    kind = Stop

    def moves(self, state):
        return (Stop(),)

    def play(self, transition, move):
        transition.change(phase="double")


class Count(Phase):
    name = "count"
    steps = (AddStep(), StopStep())
    asks = "now you count."

    def options(self, state, typed):
        texts = [text for text in map(str, self.moves(state)) if text.startswith(typed)]
        choices = tuple(Choice(text[len(typed) :], text) for text in texts if text != typed)
        return Options(typed in texts, choices) if texts else NOTHING


class Double(Phase):
    name = "double"
    steps = ()
    asks = "nobody has anything to choose."

    def options(self, state, typed):
        return NOTHING

    def settle(self, transition):
        total = 2 * transition.state.total
        transition.change(total=total, ranks=(1, 2) if total > 10 else None)
        return True


PHASES = Phases(META, (Count(), Double()))


def play(state, move, seat=0):
    transition = Transition(state, no_dice())
    PHASES.play(transition, Seat(seat), move)
    return transition.state


def test_moves_are_those_of_all_steps_for_the_mover_alone():
    assert list(map(str, PHASES.moves(State(), Seat(0)))) == ["add 1", "add 2", "stop"]
    assert list(PHASES.moves(State(), Seat(1))) == []
    assert list(PHASES.moves(State(ranks=(1, 2)), Seat(0))) == []


def test_a_move_is_played_by_the_step_of_its_kind():
    assert play(State(3), Add(2)) == State(5)


def test_what_nobody_chooses_happens_until_the_match_is_over():
    assert play(State(3), Stop()) == State(12, "double", ranks=(1, 2))


@pytest.mark.parametrize(
    ("state", "move", "seat", "error", "words"),
    [
        (State(), Add(3), 0, IllegalMove, "Not add 3: that is too much."),
        (State(), "walk", 0, IllegalMove, "Not walk: now you count."),
        (State(), Add(1), 1, NotYourTurn, "Red's move"),
        (State(ranks=(1, 2)), Add(1), 0, MatchOver, "over"),
    ],
)
def test_refusals_name_the_rule(state, move, seat, error, words):
    with pytest.raises(error, match=words):
        play(state, move, seat)


def test_options_are_those_of_the_phase():
    found = PHASES.options(State(), Seat(0), "add ")
    assert [choice.text for choice in found.next] == ["1", "2"]
    assert PHASES.options(State(), Seat(0), "stop").complete
    assert PHASES.options(State(), Seat(1), "") == NOTHING
    for state, seat in ((State(), 0), (replace(State(), ranks=(1, 2)), 0), (State(), 1)):
        with pytest.raises(MalformedMove, match="No move begins with 'walk'"):
            PHASES.options(state, Seat(seat), "walk")
