"""Planning ahead: the match as foreseen at a seat's next turn.

Planned moves are entered, previewed and checked as any others, on a table with such a position. It
is computed from what the seat itself may see, and goes no further than chance, hidden information
and the other seats allow.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.kernel.contract import Seat
from games.matches.errors import Refused
from games.matches.preview import Preview, preview
from games.matches.table import Table

NOTHING_FORESEEN = gettext_noop("Your next turn cannot be foreseen now.")
DRAWN_FIRST = gettext_noop("What follows {move} is not known before it has been played.")


def can_plan(table: Table, seat: Seat) -> bool:
    """Whether a seat that isn't to move can plan: its next turn can be foreseen."""
    if not table.match.is_running or seat in table.actors:
        return False
    is_in = table.players[seat] in table.seats_still_in()
    return is_in and table.title.next_turn(table.state, seat) is not None


def next_turn(table: Table, seat: Seat, moves: Sequence[str] = ()) -> tuple[Table, Sequence[str]]:
    """Return the match at a seat's next turn after planned moves, if the others do nothing.

    Also returns the planned moves in words.

    :raises Refused: that can't be foreseen.
    :raises RulesError: a planned move isn't legal in the position foreseen for it.
    """
    at = _next(table, seat, table.state, _(NOTHING_FORESEEN))
    phrases = []
    for text in moves:
        previewed = preview(at, seat, text)
        unknown = _(DRAWN_FIRST).format(move=previewed.text)
        if previewed.state is None:
            raise Refused(unknown)
        at = _next(table, seat, previewed.state, unknown)
        phrases.append(previewed.phrase)
    return at, phrases


def _next(table: Table, seat: Seat, state: Any, unknown: str) -> Table:
    foreseen = table.title.next_turn(state, seat)
    if foreseen is None:
        raise Refused(unknown)
    return Table(table.match, table.players, foreseen, acting=(seat,))


def goes_on(table: Table, seat: Seat, shown: Preview) -> bool:
    """Whether another move can be planned after one whose preview is ``shown``."""
    return shown.state is not None and table.title.next_turn(shown.state, seat) is not None


def check_waits(table: Table, seat: Seat) -> None:
    """Check that a seat is still in a running match and not to move.

    :raises Refused: it is to move already, or has left the match.
    """
    if not table.match.is_running or table.players[seat] not in table.seats_still_in():
        raise Refused(_("You don’t play in this match any more."))
    if seat in table.actors:
        raise Refused(_("It is your turn already."))


def check_plan(table: Table, seat: Seat, moves: Sequence[str]) -> None:
    """Check that planned moves are legal, each in the position foreseen for it.

    :raises Refused: it is the seat's turn already, or one of them can't be foreseen.
    :raises RulesError: one of them isn't legal.
    """
    check_waits(table, seat)
    at = next_turn(table, seat, moves[:-1])[0]
    preview(at, seat, moves[-1])
