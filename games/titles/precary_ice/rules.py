"""The rules of Precary-Ice."""

from collections.abc import Iterable

from games.kernel.contract import Event, Params, Seat
from games.kernel.dice import Dice, no_dice
from games.kernel.preconditions import check_drop, check_running
from games.kernel.ranking import WON_BY
from games.titles.precary_ice import placement, turns
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.moves import Place, all_places
from games.titles.precary_ice.state import PARAMS, TWO, State
from games.titles.precary_ice.tower import REMOVED_TOWER
from games.titles.precary_ice.turns import Transition


def setup(seats: int, params: Params, dice: Dice) -> State:
    """Return the first towers, with the first piece told."""
    empty = State(
        **{name: params[name] for name in PARAMS},
        round=1,
        starter=Seat(0),
        towers=(REMOVED_TOWER,) * seats,
        scores=((),) * seats,
        in_=(True,) * seats,
        dropped=(),
    )
    transition = Transition(empty, dice)
    turns.start_round(transition, 1)
    return transition.state


def moves(state: State, seat: Seat) -> Iterable[Place]:
    """Yield every placement, in the order of their texts."""
    return all_places() if seat in state.actors else ()


def play(state: State, seat: Seat, move: Place, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Let go of a piece, and see what becomes of the tower.

    :raises RulesError: the seat may not place a piece now.
    """
    placement.check_turn(state, seat, move)
    transition = Transition(state, dice)
    placement.place(transition, seat, move)
    return transition.outcome


def drop(state: State, seat: Seat, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Take a seat out of the match with its tower; of two the other one wins.

    The last one left wins; otherwise the rest play on.

    :raises RulesError: the match is over, or the seat has dropped out already.
    """
    check_drop(seat, dropped=state.dropped, ranks=state.ranks, meta=META)
    transition = Transition(state, dice)
    if len(state.towers) == TWO:
        turns.end_match(transition, "dropped", WON_BY[1 - seat])
        return transition.outcome
    transition.take_out(seat)
    if len(transition.state.still_in) == 1:
        turns.end_match(transition, "dropped")
    elif seat in state.actors:
        turns.go_on(transition, seat)
    return transition.outcome


def close(state: State) -> tuple[State, tuple[Event, ...]]:
    """End the match here, ranked by points; a standing tower counts what its sheet says.

    :raises MatchOver: it has ended already.
    """
    check_running(state.ranks)
    transition = Transition(state, no_dice())
    turns.end_match(transition, "closed")
    return transition.outcome
