"""The course of a move: it goes on to new positions, and leaves the one it began with alone."""

from dataclasses import dataclass

from msgspec import Struct

from games.kernel.contract import Seat, TurnEnded
from games.kernel.dice import no_dice
from games.kernel.transition import Transition
from tests.example_games.heap import Taken


@dataclass(frozen=True)
class State:
    heap: int
    turn: int = 0


def test_a_course_begins_where_the_match_is():
    state, dice = State(5), no_dice()
    transition = Transition(state, dice)
    assert transition.outcome == (state, ())
    assert transition.dice is dice


def test_changes_and_events_come_together_in_the_outcome():
    before = State(5)
    transition = Transition(before, no_dice())
    transition.change(heap=3)
    transition.emit(Taken(Seat(0), 2))
    transition.change(turn=1)
    transition.emit(TurnEnded(Seat(0)))
    assert transition.outcome == (State(3, 1), (Taken(Seat(0), 2), TurnEnded(Seat(0))))
    assert before == State(5)


class Declared(Struct, frozen=True):
    heap: int
    turn: int = 0


def test_positions_may_be_structs():
    before = Declared(5)
    transition = Transition(before, no_dice())
    transition.change(heap=3)
    assert (transition.state, before) == (Declared(3), Declared(5))
