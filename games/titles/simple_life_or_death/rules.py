"""The rules of Simple Life or Death."""

from collections.abc import Iterable

from games.kernel.contract import Params, Position, Ranks, Seat
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import IllegalMove
from games.kernel.preconditions import check_drop, check_mover, check_running
from games.kernel.ranking import WON_BY
from games.kernel.views import Json, View
from games.titles.simple_life_or_death import actions, deck, legality, turns
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
from games.titles.simple_life_or_death.transition import LEFT, Outcome, Transition

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
        transition = Transition(state, dice)
        if isinstance(move, End):
            turns.end_turn(transition)
        else:
            _carry_out(transition, move)
            if not isinstance(transition.state.pending, (Landing, Duel)):
                turns.settle(transition)
        return transition.outcome

    def drop(self, state: State, seat: Seat, dice: Dice) -> Outcome:
        """Take a seat out of the match with its pieces; of two the other one wins.

        :raises RulesError: the match is over, or the seat has dropped out already.
        """
        check_drop(seat, dropped=state.dropped, ranks=state.ranks, meta=META)
        transition = Transition(state, dice)
        if len(state.seats) == TWO:
            turns.end_match(transition, "dropped", WON_BY[1 - seat])
        else:
            _drop_out(transition, seat)
        return transition.outcome

    def close(self, state: State) -> Outcome:
        """End the match here, ranked by trophies.

        :raises MatchOver: it has ended already.
        """
        check_running(state.ranks)
        transition = Transition(state, no_dice())
        turns.end_match(transition, "closed", turns.rank_all(state))
        return transition.outcome

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

    def validate(self, state: State) -> None:
        """Do nothing: loading has checked it."""


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


def _carry_out(transition: Transition, move: Move) -> None:
    """Do what a legal move says, without what follows from it."""
    pending = transition.state.pending
    if isinstance(move, Place):
        actions.place(transition, move)
    elif isinstance(move, Go):
        actions.go(transition, move)
    elif isinstance(move, Attack):
        actions.attack(transition, move)
    elif isinstance(move, Land) and isinstance(pending, Landing):
        actions.choose_landing(transition, pending, move.square)
    elif isinstance(move, Defend) and isinstance(pending, Duel):
        actions.answer(transition, pending, move.card)


def _drop_out(transition: Transition, seat: Seat) -> None:
    """Void what waits for a seat, take its pieces and cards, and go on behind it."""
    state = transition.state
    transition.change(dropped=(*state.dropped, seat))
    if not state.seats_in[seat]:
        return
    _void_what_waits(transition, seat)
    pieces = transition.state.pieces_of(seat)
    stock = list(state.stock)
    left, stock[seat] = sum(stock[seat]), NO_STOCK
    transition.remove(pieces)
    transition.change(stock=tuple(stock))
    turns.take_out(transition, seat)
    cards = transition.discard_hand(seat)
    told = {"pieces": list(map(str, pieces)), "stock": left, "cards": list(map(str, cards))}
    transition.emit(LEFT, seat, **told)
    if len(still_in := transition.state.still_in) == 1:
        turns.end_match(transition, "dropped", turns.rank_last(transition.state, still_in))
    else:
        turns.go_on(transition)


def _void_what_waits(transition: Transition, seat: Seat) -> None:
    """Void an attack in which a seat has a part; an attacker gets a new card for the old one."""
    pending = transition.state.pending
    if isinstance(pending, Duel) and seat in (pending.attacker.seat, pending.target.seat):
        turns.void(transition)
        if seat == pending.target.seat:
            transition.draw(pending.attacker.seat)
