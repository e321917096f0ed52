"""The rules of Precary-Ice."""

from collections.abc import Iterable

from games.kernel.contract import TURN_ENDED, Json, Params, Position, Ranks, Seat, View
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import MatchOver, NotYourTurn
from games.kernel.guards import check_drop, check_running
from games.kernel.results import WON_BY
from games.titles.precary_ice import hand, outcome, turns
from games.titles.precary_ice.course import Course, Outcome
from games.titles.precary_ice.events import BONUS, FALL, LEAVE, PLACE, STAND
from games.titles.precary_ice.loading import load
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.moves import Place, all_places
from games.titles.precary_ice.outcome import Seen
from games.titles.precary_ice.position import State, Terms, dump
from games.titles.precary_ice.tower import GONE

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
        course = Course(nobody, dice)
        turns.start_round(course, 1)
        return course.state

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
        course, tower = Course(state, dice), state.towers[seat]
        slip, twist = hand.tremble(dice, state.terms.hand, len(tower.pieces))
        watch = outcome.watching(tower, move.at + slip, move.tilt + twist)
        seen = outcome.seen(dice.observe(watch), tower)
        told = {"piece": tower.next, "at": move.at, "tilt": move.tilt, "tremor": [slip, twist]}
        course.tell(PLACE, seat, **told)
        _judge(course, seat, seen)
        course.tell(TURN_ENDED, seat)
        turns.go_on(course, seat)
        return course.outcome

    def drop(self, state: State, seat: Seat, dice: Dice) -> Outcome:
        """Take a seat out of the match with its tower; of two the other one wins.

        :raises RulesError: the match is over, or the seat has dropped out already.
        """
        check_drop(seat, dropped=state.dropped, ranks=state.ranks, meta=META)
        course = Course(state, dice)
        if len(state.towers) == TWO:
            turns.end_match(course, "dropped", WON_BY[1 - seat])
        else:
            _drop_out(course, seat)
        return course.outcome

    def close(self, state: State) -> Outcome:
        """End the match here, ranked by points; a standing tower counts what its sheet says.

        :raises MatchOver: it has ended already.
        """
        check_running(state.ranks)
        course = Course(state, no_dice())
        turns.end_match(course, "closed")
        return course.outcome

    def result(self, state: State) -> Ranks | None:
        """Return the ranks by seat, or ``None`` while the match runs."""
        return state.ranks

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return the position: nothing is hidden."""
        return View(dump(state))

    def dump(self, state: State) -> Position:
        """Return the whole position as JSON."""
        return dump(state)

    def load(self, data: Json, seats: int, params: Params) -> State:
        """Return the position that JSON describes.

        :raises BrokenPosition: no match of these seats and parameters can have come to it.
        """
        return load(data, seats, params)


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


def _judge(course: Course, seat: Seat, seen: Seen) -> None:
    """Write on the sheet what became of a tower."""
    tower = course.state.towers[seat]
    heap = [list(piece) for piece in seen.pieces]
    if seen.ms is not None:
        after = tower.collapsed(seen.pieces, seen.ms)
        written = len(after.sheet) > len(tower.sheet)
        told = {"ms": seen.ms, "written": written, "total": after.total, "pieces": heap}
        course.tell(FALL, seat, **told)
    else:
        after = tower.built(seen.pieces)
        course.tell(STAND, seat, total=after.total)
        if after.done:
            after = after.rewarded()
            course.tell(BONUS, seat, total=after.total, pieces=heap)
    course.set_tower(seat, after)


def _drop_out(course: Course, seat: Seat) -> None:
    """Take a seat's tower away; the last one left wins, otherwise the rest play on."""
    was_to_move = seat in course.state.actors
    course.change(dropped=(*course.state.dropped, seat))
    course.set_tower(seat, GONE)
    course.tell(LEAVE, seat)
    if len(course.state.still_in) == 1:
        turns.end_match(course, "dropped")
    elif was_to_move:
        turns.go_on(course, seat)
