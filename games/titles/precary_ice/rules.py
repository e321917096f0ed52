"""The rules of Precary-Ice."""

from collections.abc import Iterable

from games.kernel.contract import TURN_ENDED, Params, Position, Ranks, Seat
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import MatchOver, NotYourTurn
from games.kernel.preconditions import check_drop, check_running
from games.kernel.ranking import WON_BY
from games.kernel.views import DictView, Json, View
from games.titles.precary_ice import hand, outcome, turns
from games.titles.precary_ice.events import BONUS, FALL, LEAVE, PLACE, STAND
from games.titles.precary_ice.loading import load
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.moves import Place, all_places
from games.titles.precary_ice.outcome import Seen
from games.titles.precary_ice.position import State, Terms, dump
from games.titles.precary_ice.tower import GONE
from games.titles.precary_ice.transition import Outcome, Transition

TWO = 2


class PrecaryIceRules:
    """What may be done in a position, and what comes of it."""

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        """Return the first towers, with the first piece told."""
        nobody = State(
            terms=Terms.of(params),
            round=1,
            starter=Seat(0),
            turn=None,
            towers=(GONE,) * seats,
            scores=((),) * seats,
        )
        transition = Transition(nobody, dice)
        turns.start_round(transition, 1)
        return transition.state

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is, or in free pace all whose towers can grow."""
        return state.actors

    def moves(self, state: State, seat: Seat) -> Iterable[Place]:
        """Yield every placement, in the order of their texts."""
        return all_places() if seat in state.actors else ()

    def play(self, state: State, seat: Seat, move: Place, dice: Dice) -> Outcome:
        """Let go of a piece, and see what becomes of the tower.

        :raises RulesError: the seat may not place a piece now.
        """
        check_turn(state, seat, move)
        transition, tower = Transition(state, dice), state.towers[seat]
        slip, twist = hand.tremble(dice, state.terms.hand, len(tower.pieces))
        watch = outcome.watching(tower, move.at + slip, move.tilt + twist)
        seen = outcome.seen(dice.observe(watch), tower)
        told = {"piece": tower.next, "at": move.at, "tilt": move.tilt, "tremor": [slip, twist]}
        transition.emit(PLACE, seat, **told)
        _judge(transition, seat, seen)
        transition.emit(TURN_ENDED, seat)
        turns.go_on(transition, seat)
        return transition.outcome

    def drop(self, state: State, seat: Seat, dice: Dice) -> Outcome:
        """Take a seat out of the match with its tower; of two the other one wins.

        :raises RulesError: the match is over, or the seat has dropped out already.
        """
        check_drop(seat, dropped=state.dropped, ranks=state.ranks, meta=META)
        transition = Transition(state, dice)
        if len(state.towers) == TWO:
            turns.end_match(transition, "dropped", WON_BY[1 - seat])
        else:
            _drop_out(transition, seat)
        return transition.outcome

    def close(self, state: State) -> Outcome:
        """End the match here, ranked by points; a standing tower counts what its sheet says.

        :raises MatchOver: it has ended already.
        """
        check_running(state.ranks)
        transition = Transition(state, no_dice())
        turns.end_match(transition, "closed")
        return transition.outcome

    def result(self, state: State) -> Ranks | None:
        """Return the ranks by seat, or ``None`` while the match runs."""
        return state.ranks

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return the position: nothing is hidden."""
        return DictView(dump(state))

    def dump(self, state: State) -> Position:
        """Return the whole position as JSON."""
        return dump(state)

    def load(self, data: Json, seats: int, params: Params) -> State:
        """Return the position that JSON describes.

        :raises BrokenPosition: no match of these seats and parameters can have come to it.
        """
        return load(data, seats, params)

    def validate(self, state: State) -> None:
        """Do nothing: loading has checked it."""


def check_turn(state: State, seat: Seat, move: Place) -> None:
    """Check that a seat may place a piece now.

    :raises RulesError: it may not; the sentence says why.
    """
    if state.ranks:
        raise MatchOver(f"Too late to {move}: the match is over.")
    if seat in state.actors:
        return
    if state.turn is not None:
        name = META.colours[state.turn].name
        raise NotYourTurn(f"It is {name}'s turn, not seat {seat}'s, to place a piece.")
    raise NotYourTurn(f"Seat {seat} cannot {move}: its tower is done for this round.")


def _judge(transition: Transition, seat: Seat, seen: Seen) -> None:
    """Write on the sheet what became of a tower."""
    tower = transition.state.towers[seat]
    heap = [list(piece) for piece in seen.pieces]
    if seen.ms is not None:
        after = tower.collapsed(seen.pieces, seen.ms)
        written = len(after.sheet) > len(tower.sheet)
        told = {"ms": seen.ms, "written": written, "total": after.total, "pieces": heap}
        transition.emit(FALL, seat, **told)
    else:
        after = tower.built(seen.pieces)
        transition.emit(STAND, seat, total=after.total)
        if after.done:
            after = after.rewarded()
            transition.emit(BONUS, seat, total=after.total, pieces=heap)
    transition.set_tower(seat, after)


def _drop_out(transition: Transition, seat: Seat) -> None:
    """Take a seat's tower away; the last one left wins, otherwise the rest play on."""
    was_to_move = seat in transition.state.actors
    transition.change(dropped=(*transition.state.dropped, seat))
    transition.set_tower(seat, GONE)
    transition.emit(LEAVE, seat)
    if len(transition.state.still_in) == 1:
        turns.end_match(transition, "dropped")
    elif was_to_move:
        turns.go_on(transition, seat)
