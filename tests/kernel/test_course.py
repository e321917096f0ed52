"""The course of a move: it goes on to new positions, and leaves the one it began with alone."""

from dataclasses import dataclass

from games.kernel.contract import Event, Seat
from games.kernel.course import Course
from games.kernel.dice import no_dice


@dataclass(frozen=True)
class State:
    heap: int
    turn: int = 0


def test_a_course_begins_where_the_match_is():
    state, dice = State(5), no_dice()
    course = Course(state, dice)
    assert course.outcome == (state, ())
    assert course.dice is dice


def test_changes_and_events_come_together_in_the_outcome():
    before = State(5)
    course = Course(before, no_dice())
    course.change(heap=3)
    course.tell("take", Seat(0), count=2)
    course.change(turn=1)
    course.tell("full")
    told = (Event("take", Seat(0), {"count": 2}), Event("full"))
    assert course.outcome == (State(3, 1), told)
    assert before == State(5)
