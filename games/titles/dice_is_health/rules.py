"""The rules of Dice Is Health, Strength, and Money."""

from collections.abc import Iterable

from games.kernel.contract import Params, Position, Ranks, Seat
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import IllegalMove
from games.kernel.preconditions import check_drop, check_mover, check_running
from games.kernel.ranking import WON_BY
from games.kernel.views import DictView, Json, View
from games.titles.dice_is_health import actions, legality, ranking, turns
from games.titles.dice_is_health.loading import load
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.moves import Move
from games.titles.dice_is_health.position import MOVE, Player, State, dump
from games.titles.dice_is_health.spaces import DIE_SPACES, RING, SECTORS, SPACES, home
from games.titles.dice_is_health.transition import Outcome, Transition

TWO = 2


class DiceIsHealthRules:
    """What may be done in a position, and what comes of it."""

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        """Return the first position: the fan, the monster, then the first movement are rolled."""
        fan, den = dice.roll(SECTORS) - 1, SPACES[dice.roll(RING) - 1]
        state = State(
            rounds=params["rounds"],
            round=1,
            fan=fan,
            players=tuple(Player(home(seat, seats), home(seat, seats)) for seat in range(seats)),
            dropped=(),
            monsters=(den,),
            pickups=frozenset(DIE_SPACES),
            walls={},
            turn=Seat(0),
            phase=MOVE,
        )
        transition = Transition(state, dice)
        turns.begin_turn(transition, Seat(0))
        return transition.state

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is, or who has something to choose; nobody after the end."""
        return () if state.ranks else (state.actor,)

    def moves(self, state: State, seat: Seat) -> Iterable[Move]:
        """Return the moves in the order of their texts; movements lazily, for they are many."""
        return legality.moves(state) if seat in self.actors(state) else ()

    def play(self, state: State, seat: Seat, move: Move, dice: Dice) -> Outcome:
        """Make a move, and whatever follows from it.

        :raises RulesError: the seat may not do that, or not now.
        """
        check_legal(state, seat, move)
        transition = Transition(state, dice)
        actions.carry_out(transition, move)
        turns.settle(transition)
        return transition.outcome

    def drop(self, state: State, seat: Seat, dice: Dice) -> Outcome:
        """Take a seat out of the match with all that it has; of two the other one wins.

        :raises RulesError: the match is over, or the seat has dropped out already.
        """
        check_drop(seat, dropped=state.dropped, ranks=state.ranks, meta=META)
        transition = Transition(state, dice)
        if len(state.seats) == TWO:
            transition.end("dropped", WON_BY[1 - seat])
        else:
            actions.drop_out(transition, seat)
        return transition.outcome

    def close(self, state: State) -> Outcome:
        """End the match here: all who are still in tie.

        :raises MatchOver: it has ended already.
        """
        check_running(state.ranks)
        transition = Transition(state, no_dice())
        transition.end("closed", ranking.ranks(state, state.still_in))
        return transition.outcome

    def result(self, state: State) -> Ranks | None:
        """Return the ranks by seat, or ``None`` while the match runs."""
        return state.ranks

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return the position: nothing is hidden from anybody."""
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


def check_legal(state: State, seat: Seat, move: Move) -> None:
    """Check that a seat may do something now.

    :raises RulesError: it may not; the sentence says which rule forbids it.
    """
    check_mover(move, seat, mover=state.actor, ranks=state.ranks, meta=META)
    if reason := legality.why_not(state, move):
        raise IllegalMove(f"Not {move}: {reason}")
