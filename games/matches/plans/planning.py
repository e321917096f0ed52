"""Planning ahead: the match as it will stand, as far as can be foreseen, when a seat moves again.

Planned moves are entered, previewed and checked as any others, on a snapshot of such a position.
It is worked out from what the seat itself may see, and goes no further than chance, hidden
information and the other seats let it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.kernel.contract import Seat
from games.matches.errors import Refused
from games.matches.preview import Preview, preview
from games.matches.selectors import MatchSnapshot

NOTHING_FORESEEN = "Your next turn cannot be foreseen now."
DRAWN_FIRST = "What follows {move} is not known before it has been played."


@dataclass(frozen=True)
class NextTurnSnapshot(MatchSnapshot):
    """A match in a position that is foreseen for a seat, which is to move in it.

    ``phrases`` are the moves in words that the seat has planned before it.
    """

    foreseen: Any
    seat: Seat
    phrases: tuple[str, ...] = ()

    @property
    def state(self) -> Any:
        """The foreseen position."""
        return self.foreseen

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seat that plans."""
        return (self.seat,)


def can_plan(snapshot: MatchSnapshot, seat: Seat) -> bool:
    """Whether a seat that is not to move can plan: its next turn can be foreseen."""
    if not snapshot.match.is_running or seat in snapshot.actors:
        return False
    is_in = snapshot.players[seat] in snapshot.seats_still_in()
    return is_in and snapshot.title.next_turn(snapshot.state, seat) is not None


def next_turn(snapshot: MatchSnapshot, seat: Seat, moves: Sequence[str] = ()) -> NextTurnSnapshot:
    """Return the match as a seat moves again after planned moves, if the others do nothing.

    :raises Refused: that cannot be foreseen.
    :raises RulesError: a planned move is not legal in the position foreseen for it.
    """
    at = _next(snapshot, seat, snapshot.state, NOTHING_FORESEEN)
    for text in moves:
        previewed = preview(at, seat, text)
        unknown = DRAWN_FIRST.format(move=previewed.text)
        if previewed.state is None:
            raise Refused(unknown)
        after = _next(snapshot, seat, previewed.state, unknown)
        at = replace(after, phrases=(*at.phrases, previewed.phrase))
    return at


def _next(snapshot: MatchSnapshot, seat: Seat, state: Any, unknown: str) -> NextTurnSnapshot:
    foreseen = snapshot.title.next_turn(state, seat)
    if foreseen is None:
        raise Refused(unknown)
    return NextTurnSnapshot(snapshot.match, snapshot.players, foreseen, seat)


def goes_on(snapshot: MatchSnapshot, seat: Seat, shown: Preview) -> bool:
    """Whether another move can be planned after one whose preview is ``shown``."""
    return shown.state is not None and snapshot.title.next_turn(shown.state, seat) is not None


def check_waits(snapshot: MatchSnapshot, seat: Seat) -> None:
    """Check that a seat is still in a running match and not to move.

    :raises Refused: it is to move already, or plays no more.
    """
    if not snapshot.match.is_running or snapshot.players[seat] not in snapshot.seats_still_in():
        raise Refused("You play in this match no more.")
    if seat in snapshot.actors:
        raise Refused("It is your turn already.")


def check_plan(snapshot: MatchSnapshot, seat: Seat, moves: Sequence[str]) -> None:
    """Check that planned moves are legal, each in the position foreseen for it.

    :raises Refused: it is the seat's turn already, or one of them cannot be foreseen.
    :raises RulesError: one of them is not legal.
    """
    check_waits(snapshot, seat)
    preview(next_turn(snapshot, seat, moves[:-1]), seat, moves[-1])
