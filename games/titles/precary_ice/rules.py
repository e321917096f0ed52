"""The rules of Precary-Ice."""

from collections.abc import Iterable

from games.kernel.contract import Event, Params, Ranks, Seat
from games.kernel.dice import Dice, no_dice
from games.titles.precary_ice import placement, turns
from games.titles.precary_ice.moves import Place, all_places
from games.titles.precary_ice.state import PARAMS, State
from games.titles.precary_ice.tower import REMOVED_TOWER
from games.titles.precary_ice.turns import Transition


def setup(seats: int, params: Params, dice: Dice) -> State:
    """Return the first towers, with the first piece rolled."""
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
    """Release a piece over the tower.

    :raises RulesError: the seat may not place a piece now.
    """
    placement.check_turn(state, seat, move)
    transition = Transition(state, dice)
    placement.place(transition, seat, move)
    return transition.outcome


def leave(state: State, seat: Seat, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Take a seat out of the match with its tower. The last one left wins."""
    transition = Transition(state, dice)
    transition.take_out(seat)
    if len(transition.state.still_in) == 1:
        turns.end_match(transition, "dropped")
    elif seat in state.actors:
        turns.go_on(transition, seat)
    return transition.outcome


def stop(state: State, ending: str, ranks: Ranks) -> tuple[State, tuple[Event, ...]]:
    """End the match with a result."""
    transition = Transition(state, no_dice())
    turns.end_match(transition, ending, ranks)
    return transition.outcome
