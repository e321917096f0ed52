"""What follows a move: seats go out, the match ends, the turn ends and the next begins."""

from collections.abc import Sequence

from games.kernel.contract import ENDED, TURN_ENDED, Ranks, Seat
from games.kernel.results import rank
from games.titles.simple_life_or_death.course import VOIDED, WENT_OUT, Course
from games.titles.simple_life_or_death.meta import ALL_GONE, LAST_LEFT, ROUNDS_UP
from games.titles.simple_life_or_death.position import ACT, FREE, OVER, PLACE, Duel, State


def settle(course: Course) -> None:
    """Let seats without pieces go out; end the match or the turn where that ends it."""
    gone = _out(course.state)
    for seat in gone:
        take_out(course, seat)
        cards = course.discard_hand(seat)
        course.tell(WENT_OUT, seat, cards=list(map(str, cards)))
    left = course.state.still_in
    if not left:
        end_match(course, ALL_GONE, rank_last(course.state, gone))
    elif len(left) == 1:
        end_match(course, LAST_LEFT, rank_last(course.state, left))
    else:
        go_on(course)


def go_on(course: Course) -> None:
    """End the turn if its seat is out, or has done its duties and has nothing to attack."""
    state = course.state
    is_idle = state.phase == FREE and not state.has_open_targets
    if not state.seats_in[state.turn] or is_idle:
        end_turn(course)


def end_turn(course: Course) -> None:
    """Pass the turn on to the next seat that is in; the last round is over with its turn."""
    state = course.state
    course.tell(TURN_ENDED, state.turn)
    seat, number = state.turn, state.round
    while True:
        seat = Seat((seat + state.terms.step) % len(state.seats))
        number += seat == state.first
        if 0 < state.terms.rounds < number:
            end_match(course, ROUNDS_UP, rank_all(state))
            return
        if state.seats_in[seat]:
            break
    phase = PLACE if any(state.stock[seat]) else ACT
    course.change(turn=seat, round=number, phase=phase, attacked=frozenset(), pending=None)


def take_out(course: Course, seat: Seat) -> None:
    """Note that a seat is out."""
    seats_in = tuple(is_in and other != seat for other, is_in in enumerate(course.state.seats_in))
    course.change(seats_in=seats_in)


def end_match(course: Course, ending: str, ranks: Ranks) -> None:
    """End the match with a result; a card that lies face down is discarded."""
    void(course)
    course.change(phase=OVER, pending=None, attacked=frozenset(), ranks=ranks)
    trophies = list(map(len, course.state.trophies))
    course.tell(ENDED, ending=ending, ranks=list(ranks), trophies=trophies)


def void(course: Course) -> None:
    """Discard the card of an attack that is not going to be answered; go back to the turn."""
    duel = course.state.pending
    if isinstance(duel, Duel):
        course.change(phase=duel.then, pending=None)
        course.discard(duel.card)
        course.tell(VOIDED, duel.attacker.seat, target=str(duel.target), card=str(duel.card))


def rank_all(state: State) -> Ranks:
    """Return the ranks by trophies of all who did not drop out; those who did come after."""
    return rank_last(state, [seat for seat in state.seats if seat not in state.dropped])


def rank_last(state: State, last: Sequence[Seat]) -> Ranks:
    """Return the ranks when the last seats are ranked by trophies, and the rest lost before.

    Behind them come those that went out, then those that dropped out.
    """
    return rank(list(map(len, state.trophies)), last, state.dropped)


def _out(state: State) -> list[Seat]:
    """Return the seats that are in but have no piece left."""
    on_board = {piece.seat for piece in state.squares}
    return [seat for seat in state.still_in if seat not in on_board and not any(state.stock[seat])]
