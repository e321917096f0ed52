"""Who has won, and the ranks when the match ends."""

from collections.abc import Collection

from games.kernel.contract import Ranks, Seat
from games.kernel.ranking import rank
from games.titles.dice_is_health.position import State


def winner(state: State) -> Seat | None:
    """Return the seat that is in the middle with a trinket and three dice, if any."""
    for seat in state.still_in:
        if state.players[seat].has_all and state.at(seat).is_inner:
            return seat
    return None


def ranks(state: State, best: Collection[Seat]) -> Ranks:
    """Rank some seats first, behind them all others still in, then those that dropped out.

    The later a seat dropped out, the better.
    """
    return rank([0] * len(state.seats), best, state.dropped)
