"""What every game refuses, in the same words: moves that are too late or out of turn."""

from collections.abc import Collection
from typing import Any

from games.kernel.contract import Meta, Ranks, Seat
from games.kernel.errors import IllegalMove, MatchOver, NotYourTurn
from games.kernel.language import gettext


def check_running(ranks: Ranks | None) -> None:
    """:raises MatchOver: the match has a result."""
    if ranks:
        raise MatchOver(gettext("The match is over already."))


def check_drop(seat: Seat, *, dropped: Collection[Seat], ranks: Ranks | None, meta: Meta) -> None:
    """:raises RulesError: the match is over, or the seat has dropped out already."""
    check_running(ranks)
    if seat in dropped:
        message = gettext("{player} has dropped out already.")
        raise IllegalMove(message.format(player=meta.colours[seat].shown_name))


def check_mover(move: Any, seat: Seat, *, mover: Seat, ranks: Ranks | None, meta: Meta) -> None:
    """:raises RulesError: the match is over, or another seat is to move."""
    if ranks:
        raise MatchOver(gettext("{move} comes too late: the match is over.").format(move=move))
    if seat != mover:
        message = gettext("It is {player}'s move, not seat {seat}'s.")
        raise NotYourTurn(message.format(player=meta.colours[mover].shown_name, seat=seat))
