"""What every game refuses, in the same words: what comes too late, or out of turn."""

from collections.abc import Collection
from typing import Any

from games.kernel.contract import Meta, Ranks, Seat
from games.kernel.errors import IllegalMove, MatchOver, NotYourTurn


def check_running(ranks: Ranks | None) -> None:
    """Check that a match has no result yet.

    :raises MatchOver: it has.
    """
    if ranks:
        raise MatchOver("The match is over already.")


def check_drop(seat: Seat, *, dropped: Collection[Seat], ranks: Ranks | None, meta: Meta) -> None:
    """Check that a seat can drop out.

    :raises RulesError: the match is over, or the seat has dropped out already.
    """
    check_running(ranks)
    if seat in dropped:
        raise IllegalMove(f"{meta.colours[seat].name} has dropped out already.")


def check_mover(move: Any, seat: Seat, *, mover: Seat, ranks: Ranks | None, meta: Meta) -> None:
    """Check that it is a seat's move.

    :raises RulesError: the match is over, or the move is another's.
    """
    if ranks:
        raise MatchOver(f"{move} comes too late: the match is over.")
    if seat != mover:
        raise NotYourTurn(f"It is {meta.colours[mover].name}'s move, not seat {seat}'s.")
