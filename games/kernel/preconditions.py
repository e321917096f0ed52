"""What every game refuses, in the same words: moves that are too late or out of turn."""

from collections.abc import Collection
from typing import Any

from games.kernel.contract import Meta, Ranks, Seat
from games.kernel.errors import IllegalMove, MatchOver, NotYourTurn


def check_running(ranks: Ranks | None) -> None:
    """:raises MatchOver: the match has a result."""
    if ranks:
        raise MatchOver("The match is over already.")


def check_drop(seat: Seat, *, dropped: Collection[Seat], ranks: Ranks | None, meta: Meta) -> None:
    """:raises RulesError: the match is over, or the seat has dropped out already."""
    check_running(ranks)
    if seat in dropped:
        raise IllegalMove(f"{meta.colours[seat].name} has dropped out already.")


def check_mover(move: Any, seat: Seat, *, mover: Seat, ranks: Ranks | None, meta: Meta) -> None:
    """:raises RulesError: the match is over, or another seat is to move."""
    if ranks:
        raise MatchOver(f"{move} comes too late: the match is over.")
    if seat != mover:
        raise NotYourTurn(f"It is {meta.colours[mover].name}'s move, not seat {seat}'s.")
