"""What the entries of a log say about a match: which of them stand, and what they still allow."""

from collections.abc import Iterable, Sequence

from games.kernel.contract import TURN_ENDED, Event, Seat
from games.matches.models import LogEntry
from games.matches.selectors import DROPS, MatchSnapshot

CANCELLABLE = 2
"""The number of moves from which a match can no longer be cancelled."""


def undone(entries: Iterable[LogEntry]) -> set[int | None]:
    """Return the numbers of the entries that later ones undid."""
    return {entry.undoes for entry in entries}


def newest_move(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the last move that was not taken back; ``None`` before the first."""
    taken_back = undone(entries)
    moves = (e for e in reversed(entries) if e.kind == LogEntry.Kind.PLAY)
    return next((move for move in moves if move.number not in taken_back), None)


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
    taken_back = undone(entries)
    made = [e for e in entries if e.kind == LogEntry.Kind.PLAY and e.number not in taken_back]
    return snapshot.match.is_running and len(made) < CANCELLABLE


def turns_ended(events: Iterable[Event], seat: Seat) -> int:
    """Return how many turns of a seat's own ended with these events."""
    return sum(event.type == TURN_ENDED and event.seat == seat for event in events)
