"""Games of two: how they end before the rules end them."""

from dataclasses import replace
from typing import Any, TypeVar

from msgspec import Struct, structs

from games.kernel.contract import Ended, Event, Ranks, Seat, State
from games.kernel.dice import Dice
from games.kernel.preconditions import check_running
from games.kernel.ranking import DRAWN, WON_BY

S = TypeVar("S", bound=State)

PAIR = 2


class TwoPlayers:
    """A game of two: a player who drops out loses, and a match closed by agreement is a draw.

    A game names this base class before ``OpenGame`` or ``SecretGame``. Its states are frozen
    structs or dataclasses with a field ``ranks``.
    """

    def drop(self, state: S, seat: Seat, dice: Dice) -> tuple[S, tuple[Event, ...]]:
        """Let the other seat win.

        :raises MatchOver: the match has ended already.
        """
        return stopped(state, "dropped", WON_BY[1 - seat])

    def close(self, state: S) -> tuple[S, tuple[Event, ...]]:
        """End the match as a draw.

        :raises MatchOver: it has ended already.
        """
        return stopped(state, "closed", DRAWN)


def stopped(state: S, ending: str, ranks: Ranks) -> tuple[S, tuple[Event, ...]]:
    """Return a state that has ended with a result, and the event of that.

    :raises MatchOver: it has ended already.
    """
    check_running(state.ranks)
    value: Any = state
    change = structs.replace if isinstance(state, Struct) else replace
    return change(value, ranks=ranks), (Ended(ending=ending, ranks=ranks),)
