"""What follows a placement: ends and beginnings of turns and rounds, and the match's end."""

from games.kernel import transition as kernel
from games.kernel.contract import Ranks, Seat
from games.titles.precary_ice.events import Ended, KnockedOver, Left, PieceDue, RoundEnded
from games.titles.precary_ice.meta import PLAYED_OUT
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import NEW, REMOVED_TOWER, SIDES, Tower

INCIDENT_SIDES = 24
"""Sides of the die of which a 1 is an incident."""


class Transition(kernel.Transition[State]):
    def set_tower(self, seat: Seat, tower: Tower) -> None:
        towers = self.state.towers
        self.change(towers=(*towers[:seat], tower, *towers[seat + 1 :]))

    def take_out(self, seat: Seat) -> None:
        """Remove a seat that has dropped out, with its tower."""
        dropped = (*self.state.dropped, seat)
        self.change(dropped=dropped, in_=tuple(at not in dropped for at in self.state.seats))
        self.set_tower(seat, REMOVED_TOWER)
        self.emit(Left(seat))


def start_round(transition: Transition, number: int) -> None:
    """Give all remaining seats a new tower, and begin the first turn, in free pace all turns."""
    state = transition.state
    starter = state.first_in((number - 1) % len(state.towers))
    towers = tuple(REMOVED_TOWER if seat in state.dropped else NEW for seat in state.seats)
    transition.change(round=number, starter=starter, towers=towers)
    if state.is_free:
        for step in state.seats:
            seat = Seat((starter + step) % len(state.towers))
            if seat not in state.dropped:
                _begin_free_turn(transition, seat)
    else:
        _begin_turn_of(transition, starter)


def go_on(transition: Transition, seat: Seat) -> None:
    """Continue after the turn of a seat, with the next turn or the next round."""
    if not transition.state.builders:
        _end_round(transition)
    elif not transition.state.is_free:
        _begin_turn_of(transition, transition.state.next_builder(seat))
    elif seat in transition.state.builders:
        _begin_free_turn(transition, seat)


def end_match(transition: Transition, ending: str, ranks: Ranks | None = None) -> None:
    """End the match, ranked by points unless the ranks are known."""
    ranks = ranks or transition.state.ranking
    transition.change(ranks=ranks)
    transition.emit(Ended(ending=ending, ranks=ranks, sums=tuple(transition.state.sums)))


def _begin_free_turn(transition: Transition, seat: Seat) -> None:
    """Begin a seat's next turn that no incident takes away."""
    while not _begin_turn(transition, seat):
        pass


def _begin_turn_of(transition: Transition, seat: Seat) -> None:
    """Begin the turn of a seat or, if an incident takes it away, of the next."""
    while not _begin_turn(transition, seat):
        seat = transition.state.next_builder(seat)
    transition.change(turn=seat)


def _begin_turn(transition: Transition, seat: Seat) -> bool:
    """Roll for an incident, and for the next piece. ``False`` if the turn is lost."""
    tower = transition.state.towers[seat]
    if transition.state.incidents and transition.dice.roll(INCIDENT_SIDES) == 1:
        transition.set_tower(seat, tower.rebuilt())
        transition.emit(KnockedOver(seat))
        return False
    die = transition.dice.roll(SIDES) if len(tower.sizes) > 1 else None
    tower = tower.due(die)
    transition.set_tower(seat, tower)
    transition.emit(PieceDue(seat, die, tower.next or ""))
    return True


def _end_round(transition: Transition) -> None:
    """Write the scores of the round. Begin the next one, or end the match after the last."""
    state = transition.state
    added = [None if seat in state.dropped else state.towers[seat].total for seat in state.seats]
    scores = tuple(
        written if score is None else (*written, score)
        for written, score in zip(state.scores, added, strict=True)
    )
    transition.change(scores=scores)
    number = state.round + 1
    is_last = number > state.last_round
    starter = None if is_last else state.first_in((number - 1) % len(state.towers))
    transition.emit(RoundEnded(round=state.round, scores=tuple(added), starter=starter))
    if is_last:
        end_match(transition, PLAYED_OUT)
    else:
        start_round(transition, number)
