"""What follows a move: seats go out, the match ends, the turn ends and the next begins."""

from collections.abc import Sequence

from games.kernel.contract import ENDED, TURN_ENDED, Ranks, Seat
from games.kernel.ranking import rank
from games.titles.simple_life_or_death.meta import ALL_GONE, LAST_LEFT, ROUNDS_UP
from games.titles.simple_life_or_death.position import ACT, FREE, OVER, PLACE, Duel, State
from games.titles.simple_life_or_death.transition import VOIDED, WENT_OUT, Transition


def settle(transition: Transition) -> None:
    """Let seats without pieces go out; end the match or the turn where that ends it."""
    gone = _out(transition.state)
    for seat in gone:
        take_out(transition, seat)
        cards = transition.discard_hand(seat)
        transition.emit(WENT_OUT, seat, cards=list(map(str, cards)))
    left = transition.state.still_in
    if not left:
        end_match(transition, ALL_GONE, rank_last(transition.state, gone))
    elif len(left) == 1:
        end_match(transition, LAST_LEFT, rank_last(transition.state, left))
    else:
        go_on(transition)


def go_on(transition: Transition) -> None:
    """End the turn if its seat is out, or has done its duties and has nothing to attack."""
    state = transition.state
    is_idle = state.phase == FREE and not state.has_open_targets
    if not state.seats_in[state.turn] or is_idle:
        end_turn(transition)


def end_turn(transition: Transition) -> None:
    """Pass the turn on to the next seat that is in; the last round is over with its turn."""
    state = transition.state
    transition.emit(TURN_ENDED, state.turn)
    seat, number = state.turn, state.round
    while True:
        seat = Seat((seat + state.terms.step) % len(state.seats))
        number += seat == state.first
        if 0 < state.terms.rounds < number:
            end_match(transition, ROUNDS_UP, rank_all(state))
            return
        if state.seats_in[seat]:
            break
    phase = PLACE if any(state.stock[seat]) else ACT
    transition.change(turn=seat, round=number, phase=phase, attacked=frozenset(), pending=None)


def take_out(transition: Transition, seat: Seat) -> None:
    """Note that a seat is out."""
    seats_in = tuple(
        is_in and other != seat for other, is_in in enumerate(transition.state.seats_in)
    )
    transition.change(seats_in=seats_in)


def end_match(transition: Transition, ending: str, ranks: Ranks) -> None:
    """End the match with a result; a card that lies face down is discarded."""
    void(transition)
    transition.change(phase=OVER, pending=None, attacked=frozenset(), ranks=ranks)
    trophies = list(map(len, transition.state.trophies))
    transition.emit(ENDED, ending=ending, ranks=list(ranks), trophies=trophies)


def void(transition: Transition) -> None:
    """Discard the card of an attack that is not going to be answered; go back to the turn."""
    duel = transition.state.pending
    if isinstance(duel, Duel):
        transition.change(phase=duel.then, pending=None)
        transition.discard(duel.card)
        transition.emit(VOIDED, duel.attacker.seat, target=str(duel.target), card=str(duel.card))


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
