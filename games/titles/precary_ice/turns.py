"""What follows a placement: turns end and begin, rounds end and begin, the match ends."""

from games.kernel import ranking
from games.kernel.contract import ENDED, Ranks, Seat
from games.titles.precary_ice.events import DIE, INCIDENT, ROUND
from games.titles.precary_ice.meta import PLAYED_OUT
from games.titles.precary_ice.position import State
from games.titles.precary_ice.tower import GONE, NEW, SIDES
from games.titles.precary_ice.transition import Transition

CAT = 24
"""Sides of the die of which a 1 is an incident."""


def start_round(transition: Transition, number: int) -> None:
    """Give everybody who is in a new tower, and begin the first turn; in free pace all of them."""
    state = transition.state
    starter = state.first_in((number - 1) % len(state.towers))
    towers = tuple(GONE if seat in state.dropped else NEW for seat in state.seats)
    transition.change(round=number, starter=starter, towers=towers)
    if state.terms.is_free:
        for step in state.seats:
            seat = Seat((starter + step) % len(state.towers))
            if seat not in state.dropped:
                begin_free_turn(transition, seat)
    else:
        _begin_turn_of(transition, starter)


def go_on(transition: Transition, seat: Seat) -> None:
    """Go on when the turn of a seat is over: with the next turn, or the next round."""
    if not transition.state.builders:
        end_round(transition)
    elif not transition.state.terms.is_free:
        _begin_turn_of(transition, transition.state.next_builder(seat))
    elif seat in transition.state.builders:
        begin_free_turn(transition, seat)


def begin_free_turn(transition: Transition, seat: Seat) -> None:
    """Begin a seat's next turn that no incident takes away."""
    while not _begin_turn(transition, seat):
        pass


def _begin_turn_of(transition: Transition, seat: Seat) -> None:
    """Begin the turn of a seat, or where an incident takes it away, of the next."""
    while not _begin_turn(transition, seat):
        seat = transition.state.next_builder(seat)
    transition.change(turn=seat)


def _begin_turn(transition: Transition, seat: Seat) -> bool:
    """Roll for an incident, and for the next piece; ``False`` if the turn is lost."""
    tower = transition.state.towers[seat]
    if transition.state.terms.incidents and transition.dice.roll(CAT) == 1:
        transition.set_tower(seat, tower.rebuilt())
        transition.emit(INCIDENT, seat)
        return False
    die = transition.dice.roll(SIDES) if len(tower.sizes) > 1 else None
    tower = tower.due(die)
    transition.set_tower(seat, tower)
    transition.emit(DIE, seat, die=die, piece=tower.next)
    return True


def end_round(transition: Transition) -> None:
    """Write the scores of the round; begin the next one, or end the match after the last."""
    state = transition.state
    added = [None if seat in state.dropped else state.towers[seat].total for seat in state.seats]
    scores = tuple(
        written if score is None else (*written, score)
        for written, score in zip(state.scores, added, strict=True)
    )
    transition.change(scores=scores)
    number = state.round + 1
    is_last = number > state.rounds
    starter = None if is_last else state.first_in((number - 1) % len(state.towers))
    transition.emit(ROUND, None, round=state.round, scores=added, starter=starter)
    if is_last:
        end_match(transition, PLAYED_OUT)
    else:
        start_round(transition, number)


def end_match(transition: Transition, ending: str, ranks: Ranks | None = None) -> None:
    """End the match, ranked by the points unless the ranks are known."""
    ranks = ranks or rank(transition.state)
    transition.change(ranks=ranks)
    transition.emit(ENDED, None, ending=ending, ranks=list(ranks), sums=transition.state.sums)


def rank(state: State) -> Ranks:
    """Rank all who are in by their points, and behind them who dropped out, the last one first."""
    return ranking.rank(state.sums, state.still_in, state.dropped)
