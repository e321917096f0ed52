"""The rules of Simple Life or Death."""

from collections.abc import Iterable

from games.kernel.contract import Json, Params, Position, Ranks, Seat, View
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import IllegalMove
from games.kernel.guards import check_drop, check_mover, check_running
from games.kernel.results import WON_BY
from games.titles.simple_life_or_death import actions, deck, legality, turns
from games.titles.simple_life_or_death.course import LEFT, Course, Outcome
from games.titles.simple_life_or_death.loading import load
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.moves import Attack, Defend, End, Go, Land, Move, Place
from games.titles.simple_life_or_death.position import (
    FULL_STOCK,
    NO_STOCK,
    PLACE,
    Duel,
    Landing,
    State,
    Terms,
    dump,
    view,
)

TWO = 2


class SimpleLifeOrDeathRules:
    """What may be done in a position, and what comes of it."""

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        """Return the empty board, cards dealt, and whoever rolls highest to begin."""
        terms = Terms.of(params)
        hands, pile = deck.deal(seats, dice) if terms.has_cards else (((),) * seats, ())
        first = highest(seats, dice)
        return State(
            terms=terms,
            stock=(FULL_STOCK,) * seats,
            stacks={},
            trophies=((),) * seats,
            hands=hands,
            draw=pile,
            discard=(),
            seats_in=(True,) * seats,
            dropped=(),
            first=first,
            turn=first,
            round=1,
            phase=PLACE,
        )

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is, or who has to answer an attack; nobody after the end."""
        return () if state.ranks else (state.actor,)

    def moves(self, state: State, seat: Seat) -> Iterable[Move]:
        """Yield placements, then moves, attacks and the end of the turn."""
        return legality.moves(state) if seat in self.actors(state) else ()

    def play(self, state: State, seat: Seat, move: Move, dice: Dice) -> Outcome:
        """Make a move, and whatever follows from it.

        :raises RulesError: the seat may not do that, or not now.
        """
        check_legal(state, seat, move)
        course = Course(state, dice)
        if isinstance(move, End):
            turns.end_turn(course)
        else:
            _carry_out(course, move)
            if not isinstance(course.state.pending, (Landing, Duel)):
                turns.settle(course)
        return course.outcome

    def drop(self, state: State, seat: Seat, dice: Dice) -> Outcome:
        """Take a seat out of the match with its pieces; of two the other one wins.

        :raises RulesError: the match is over, or the seat has dropped out already.
        """
        check_drop(seat, dropped=state.dropped, ranks=state.ranks, meta=META)
        course = Course(state, dice)
        if len(state.seats) == TWO:
            turns.end_match(course, "dropped", WON_BY[1 - seat])
        else:
            _drop_out(course, seat)
        return course.outcome

    def close(self, state: State) -> Outcome:
        """End the match here, ranked by trophies.

        :raises MatchOver: it has ended already.
        """
        check_running(state.ranks)
        course = Course(state, no_dice())
        turns.end_match(course, "closed", turns.rank_all(state))
        return course.outcome

    def result(self, state: State) -> Ranks | None:
        """Return the ranks by seat, or ``None`` while the match runs."""
        return state.ranks

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return the position with the cards face down that are hidden from a viewer."""
        return view(state, viewer)

    def dump(self, state: State) -> Position:
        """Return the whole position as JSON."""
        return dump(state)

    def load(self, data: Json, seats: int, params: Params) -> State:
        """Return the position that JSON describes.

        :raises BrokenPosition: no match of these seats and parameters can have come to it.
        """
        return load(data, seats, params)


def highest(seats: int, dice: Dice) -> Seat:
    """Return who rolls highest; those who share the highest number roll again."""
    rolling = list(range(seats))
    while len(rolling) > 1:
        rolls = {seat: dice.roll(6) for seat in rolling}
        most = max(rolls.values())
        rolling = [seat for seat in rolling if rolls[seat] == most]
    return Seat(rolling[0])


def check_legal(state: State, seat: Seat, move: Move) -> None:
    """Check that a seat may do something now.

    :raises RulesError: it may not; the sentence says which rule forbids it.
    """
    check_mover(move, seat, mover=state.actor, ranks=state.ranks, meta=META)
    if reason := legality.why_not(state, move):
        raise IllegalMove(f"Not {move}: {reason}")


def _carry_out(course: Course, move: Move) -> None:
    """Do what a legal move says, without what follows from it."""
    pending = course.state.pending
    if isinstance(move, Place):
        actions.place(course, move)
    elif isinstance(move, Go):
        actions.go(course, move)
    elif isinstance(move, Attack):
        actions.attack(course, move)
    elif isinstance(move, Land) and isinstance(pending, Landing):
        actions.choose_landing(course, pending, move.square)
    elif isinstance(move, Defend) and isinstance(pending, Duel):
        actions.answer(course, pending, move.card)


def _drop_out(course: Course, seat: Seat) -> None:
    """Void what waits for a seat, take its pieces and cards, and go on behind it."""
    state = course.state
    course.change(dropped=(*state.dropped, seat))
    if not state.seats_in[seat]:
        return
    _void_what_waits(course, seat)
    pieces = course.state.pieces_of(seat)
    stock = list(state.stock)
    left, stock[seat] = sum(stock[seat]), NO_STOCK
    course.remove(pieces)
    course.change(stock=tuple(stock))
    turns.take_out(course, seat)
    cards = course.discard_hand(seat)
    told = {"pieces": list(map(str, pieces)), "stock": left, "cards": list(map(str, cards))}
    course.tell(LEFT, seat, **told)
    if len(still_in := course.state.still_in) == 1:
        turns.end_match(course, "dropped", turns.rank_last(course.state, still_in))
    else:
        turns.go_on(course)


def _void_what_waits(course: Course, seat: Seat) -> None:
    """Void an attack in which a seat has a part; an attacker gets a new card for the old one."""
    pending = course.state.pending
    if isinstance(pending, Duel) and seat in (pending.attacker.seat, pending.target.seat):
        turns.void(course)
        if seat == pending.target.seat:
            course.draw(pending.attacker.seat)
