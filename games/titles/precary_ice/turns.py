"""What follows a placement: turns end and begin, rounds end and begin, the match ends."""

from games.kernel import results
from games.kernel.contract import ENDED, Ranks, Seat
from games.titles.precary_ice.course import Course
from games.titles.precary_ice.events import DIE, INCIDENT, ROUND
from games.titles.precary_ice.meta import PLAYED_OUT
from games.titles.precary_ice.position import State
from games.titles.precary_ice.tower import GONE, NEW, SIDES

CAT = 24
"""Sides of the die of which a 1 is an incident."""


def start_round(course: Course, number: int) -> None:
    """Give everybody who is in a new tower, and begin the first turn; in free pace all of them."""
    state = course.state
    starter = state.first_in((number - 1) % len(state.towers))
    towers = tuple(GONE if seat in state.dropped else NEW for seat in state.seats)
    course.change(round=number, starter=starter, towers=towers)
    if state.terms.is_free:
        for step in state.seats:
            seat = Seat((starter + step) % len(state.towers))
            if seat not in state.dropped:
                begin_free_turn(course, seat)
    else:
        _begin_turn_of(course, starter)


def go_on(course: Course, seat: Seat) -> None:
    """Go on when the turn of a seat is over: with the next turn, or the next round."""
    if not course.state.builders:
        end_round(course)
    elif not course.state.terms.is_free:
        _begin_turn_of(course, course.state.next_builder(seat))
    elif seat in course.state.builders:
        begin_free_turn(course, seat)


def begin_free_turn(course: Course, seat: Seat) -> None:
    """Begin a seat's next turn that no incident takes away."""
    while not _begin_turn(course, seat):
        pass


def _begin_turn_of(course: Course, seat: Seat) -> None:
    """Begin the turn of a seat, or where an incident takes it away, of the next."""
    while not _begin_turn(course, seat):
        seat = course.state.next_builder(seat)
    course.change(turn=seat)


def _begin_turn(course: Course, seat: Seat) -> bool:
    """Roll for an incident, and for the next piece; ``False`` if the turn is lost."""
    tower = course.state.towers[seat]
    if course.state.terms.incidents and course.dice.roll(CAT) == 1:
        course.set_tower(seat, tower.rebuilt())
        course.tell(INCIDENT, seat)
        return False
    die = course.dice.roll(SIDES) if len(tower.sizes) > 1 else None
    tower = tower.due(die)
    course.set_tower(seat, tower)
    course.tell(DIE, seat, die=die, piece=tower.next)
    return True


def end_round(course: Course) -> None:
    """Write the scores of the round; begin the next one, or end the match after the last."""
    state = course.state
    added = [None if seat in state.dropped else state.towers[seat].total for seat in state.seats]
    scores = tuple(
        written if score is None else (*written, score)
        for written, score in zip(state.scores, added, strict=True)
    )
    course.change(scores=scores)
    number = state.round + 1
    is_last = number > state.rounds
    starter = None if is_last else state.first_in((number - 1) % len(state.towers))
    course.tell(ROUND, None, round=state.round, scores=added, starter=starter)
    if is_last:
        end_match(course, PLAYED_OUT)
    else:
        start_round(course, number)


def end_match(course: Course, ending: str, ranks: Ranks | None = None) -> None:
    """End the match, ranked by the points unless the ranks are known."""
    ranks = ranks or rank(course.state)
    course.change(ranks=ranks)
    course.tell(ENDED, None, ending=ending, ranks=list(ranks), sums=course.state.sums)


def rank(state: State) -> Ranks:
    """Rank all who are in by their points, and behind them who dropped out, the last one first."""
    return results.rank(state.sums, state.still_in, state.dropped)
