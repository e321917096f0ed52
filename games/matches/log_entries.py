"""What the entries of a log say about a match: which of them stand, and what they still allow."""

from collections.abc import Iterable, Sequence

from games.kernel.contract import TURN_ENDED, Event, Seat
from games.matches import selectors
from games.matches.models import LogEntry, Match
from games.matches.selectors import DROPS, MatchSnapshot

CANCELLABLE = 2
"""The number of moves from which a match can no longer be cancelled."""


LATEST = 40
"""The least number of entries that :func:`recent` returns, of a log that has as many."""


def recent(match: Match, upto: int | None = None) -> list[LogEntry]:
    """Return the last entries of a log (or the last up to a number), in order.

    They suffice for what the functions below look for: the last moves that stand, and the last
    entry that did something.
    """
    last, count = match.version if upto is None else upto, LATEST
    while True:
        entries = selectors.log(match, after=last - count, upto=last)
        if count >= last or _suffice(entries):
            return entries
        count *= 4


def _suffice(entries: Sequence[LogEntry]) -> bool:
    return last_event_entry(entries) is not None and len(_standing_moves(entries)) >= CANCELLABLE


def _standing_moves(entries: Sequence[LogEntry]) -> list[LogEntry]:
    taken_back = undone(entries)
    moves = (entry for entry in entries if entry.kind == LogEntry.Kind.PLAY)
    return [move for move in moves if move.number not in taken_back]


def undone(entries: Iterable[LogEntry]) -> set[int | None]:
    """Return the numbers of the entries that later ones undid."""
    return {entry.undoes for entry in entries}


def newest_move(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the last move that was not taken back; ``None`` before the first."""
    return next(reversed(_standing_moves(entries)), None)


def last_event_entry(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the last entry that did something on the board and still stands; else ``None``."""
    taken_back = undone(entries)
    standing = (e for e in reversed(entries) if e.events and e.number not in taken_back)
    return next(standing, None)


def can_take_back(
    snapshot: MatchSnapshot, entries: Sequence[LogEntry], seat: Seat
) -> LogEntry | None:
    """Return the move that a seat may take back at will, ``None`` if there is none.

    It is the last one that stands, the seat's own, and neither dice nor secrets were shown by
    it.
    """
    taken_back = undone(entries)
    standing = (
        entry
        for entry in reversed(entries)
        if entry.number not in taken_back and entry.kind in {LogEntry.Kind.PLAY, *DROPS}
    )
    last = next(standing, None)
    if last is None or last.kind != LogEntry.Kind.PLAY or last.seat != seat:
        return None
    bare = not last.chance and not any("hidden" in event for event in last.events)
    return last if bare and snapshot.match.is_running else None


def may_cancel(snapshot: MatchSnapshot, entries: Sequence[LogEntry]) -> bool:
    """Whether the match may still be cancelled: before move 2 and no drop."""
    return snapshot.match.is_running and len(_standing_moves(entries)) < CANCELLABLE


def turns_ended(events: Iterable[Event], seat: Seat) -> int:
    """Return how many turns of a seat's own ended with these events."""
    return sum(event.type == TURN_ENDED and event.seat == seat for event in events)
