"""A match as one viewer may see it: board, log, options, preview.

Every door that shows a match goes through here, and from here only a view, never a state,
goes on to a drawing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from games.kernel.contract import COMMON_ENDINGS, TURN_ENDED, Die, Event, Seat
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError
from games.kernel.svg import Drawing
from games.kernel.views import View
from games.matches.errors import LOG
from games.matches.models import LogEntry
from games.matches.selectors import DROPS, MatchSnapshot, reading

TWO = 2

ENDINGS = {
    "resigned": "by resignation",
    "timeout": "on time",
    "removed": "by a moderator",
    "closed": "by agreement",
    "cancelled": "cancelled",
    "annulled": "annulled",
}
"""The endings that the match, not the game, gives; in words."""

MOST_SIDES = 20
"""What is drawn from more is not shown as a die."""

CANCELLABLE = 2
"""The number of moves from which a match can no longer be cancelled."""


@dataclass(frozen=True)
class Line:
    """One entry of the log, told: who, the move in notation, what it did in sentences.

    ``taken_back`` says that a later entry undid it; ``dice`` are those that were rolled.
    """

    entry: LogEntry
    text: str
    sentences: tuple[str, ...]
    taken_back: bool
    dice: tuple[Die, ...] = ()


@dataclass(frozen=True)
class Preview:
    """What a move would do: its canonical text and the board after it.

    Where chance or secrets have a say in what comes of it, or it ends a match with secrets,
    ``drawing`` is the board before it and there is no ``state``.
    """

    text: str
    drawing: Drawing
    sentences: tuple[str, ...] = ()
    state: Any = None


def texts(snapshot: MatchSnapshot, entries: Sequence[LogEntry], viewer: Seat | None) -> list[str]:
    """Return the notation of each entry as a viewer may read it.

    Only the newest move that stands can hide something, and after the end nothing does.
    """
    newest = newest_move(entries) if snapshot.match.is_running else None
    return [
        snapshot.title.redact(entry.text, view_of(snapshot, viewer))
        if entry is newest
        else entry.text
        for entry in entries
    ]


def newest_move(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the last move that was not taken back; ``None`` before the first."""
    undone = {entry.undoes for entry in entries}
    moves = (e for e in reversed(entries) if e.kind == LogEntry.Kind.PLAY)
    return next((move for move in moves if move.number not in undone), None)


def view_of(snapshot: MatchSnapshot, viewer: Seat | None, state: Any = None) -> View:
    """Return a position as a viewer may see it; after the end all is open."""
    state = snapshot.state if state is None else state
    is_hidden = snapshot.match.is_running
    view: View = (
        snapshot.title.rules.view(state, viewer) if is_hidden else snapshot.title.open_view(state)
    )
    return view


def events_of(snapshot: MatchSnapshot, entry: LogEntry, viewer: Seat | None) -> tuple[Event, ...]:
    """Return what an entry did, as a viewer may know it."""
    over = not snapshot.match.is_running
    return tuple(Event.load(event).seen_by(viewer, over=over) for event in entry.events)


def last_event_entry(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the last entry that did something on the board and still stands."""
    undone = {entry.undoes for entry in entries}
    standing = (e for e in reversed(entries) if e.events and e.number not in undone)
    return next(standing, None)


def board(
    snapshot: MatchSnapshot,
    viewer: Seat | None,
    entries: Sequence[LogEntry] = (),
    state: Any = None,
) -> Drawing:
    """Draw a position as a viewer may see it, what the last of ``entries`` did lit on it."""
    last = last_event_entry(entries)
    recent = events_of(snapshot, last, viewer) if last else ()
    return snapshot.title.draw(view_of(snapshot, viewer, state), recent)


def lines(snapshot: MatchSnapshot, entries: Sequence[LogEntry], viewer: Seat | None) -> list[Line]:
    """Tell the log to a viewer."""
    undone = {entry.undoes for entry in entries}
    written = texts(snapshot, entries, viewer)
    return [
        Line(
            entry,
            text,
            sentences(snapshot, entry, viewer),
            entry.number in undone,
            dice(snapshot, entry),
        )
        for entry, text in zip(entries, written, strict=True)
    ]


def dice(snapshot: MatchSnapshot, entry: LogEntry) -> tuple[Die, ...]:
    """Return the dice that an entry rolled and everybody saw.

    Where a game has secrets, what was drawn may be one: then its title says what was seen.
    """
    if snapshot.title.meta.has_secrets:
        seen = (event.seen_by(None) for event in map(Event.load, entry.events))
        return tuple(die for event in seen for die in snapshot.title.dice(event))
    drawn = zip(entry.sides, entry.chance, strict=True)
    return tuple((sides, face) for sides, face in drawn if sides and sides <= MOST_SIDES)


def sentences(snapshot: MatchSnapshot, entry: LogEntry, viewer: Seat | None) -> tuple[str, ...]:
    """Tell one entry: what happened around the game, then what happened in it."""
    around = (_around(snapshot, entry),) if entry.kind != LogEntry.Kind.PLAY else ()
    with reading(snapshot.match, LOG):
        events = events_of(snapshot, entry, viewer)
        told = [snapshot.title.describe(event, viewer) for event in events]
    return (*around, *filter(None, told))


def _around(snapshot: MatchSnapshot, entry: LogEntry) -> str:
    who = "" if entry.seat is None else snapshot.title.meta.colours[entry.seat].name
    of_two = len(snapshot.players) == TWO
    closing = "The match is closed." if entry.seat is None else f"{who} accepts."
    sentence = {
        LogEntry.Kind.RESIGN: f"{who} resigns.",
        LogEntry.Kind.TIMEOUT: f"{who} runs out of time.",
        LogEntry.Kind.OFFER: f"{who} offers {'a draw' if of_two else 'to end the match here'}.",
        LogEntry.Kind.ACCEPT: f"{who} agrees to end the match.",
        LogEntry.Kind.DECLINE: f"{who} wants to play on.",
        LogEntry.Kind.TAKE_BACK: f"{who} takes move {entry.undoes} back.",
        LogEntry.Kind.CANCEL: f"{who} cancels the match.",
        LogEntry.Kind.REMOVE: f"A moderator takes {who} out of the match.",
        LogEntry.Kind.CLOSE: closing if of_two else "The match is closed.",
        LogEntry.Kind.ANNUL: "A moderator annuls the match.",
    }[LogEntry.Kind(entry.kind)]
    return f"{sentence} Reason: {entry.reason}" if entry.reason else sentence


def preview(snapshot: MatchSnapshot, seat: Seat, text: str, state: Any = None) -> Preview:
    """Show what a move would do, as far as its mover may know beforehand.

    ``state`` is the position that earlier moves of the same submission lead to.

    :raises RulesError: the move is not legal.
    """
    rules, move = snapshot.title.rules, snapshot.title.parse(text)
    before = snapshot.state if state is None else state
    try:
        after, events = rules.play(before, seat, move, no_dice())
    except ChanceError:
        return _untold(snapshot, seat, move, before)
    if snapshot.title.outcome_hidden(move) or (
        snapshot.title.meta.has_secrets and rules.result(after)
    ):
        return _untold(snapshot, seat, move, before)
    seen = tuple(event.seen_by(seat) for event in events)
    told = tuple(filter(None, (snapshot.title.describe(event, seat) for event in seen)))
    return Preview(str(move), snapshot.title.draw(rules.view(after, seat), seen), told, after)


def _untold(snapshot: MatchSnapshot, seat: Seat, move: Any, before: Any) -> Preview:
    """Return the preview of a move of which nobody may know yet what comes of it."""
    return Preview(str(move), snapshot.title.draw(snapshot.title.rules.view(before, seat), ()))


def pending_question(snapshot: MatchSnapshot, seat: Seat | None) -> str:
    """Return what a seat is asked in another's turn, as a sentence; empty if nothing is."""
    if seat is None or seat not in snapshot.actors:
        return ""
    return snapshot.title.pending_question(view_of(snapshot, seat), seat)


def ending_in_words(snapshot: MatchSnapshot) -> str:
    """Return how the match ended, as a phrase; empty while it runs."""
    own = {**COMMON_ENDINGS, **snapshot.title.meta.endings}
    ending = snapshot.match.ending
    return ENDINGS.get(ending) or own.get(ending, ending)


def can_take_back(
    snapshot: MatchSnapshot, entries: Sequence[LogEntry], seat: Seat
) -> LogEntry | None:
    """Return the move that a seat may take back at will, if there is one.

    It is the last one that stands, the seat's own, and neither dice nor secrets were shown by
    it.
    """
    undone = {entry.undoes for entry in entries}
    standing = (
        entry
        for entry in reversed(entries)
        if entry.number not in undone and entry.kind in {LogEntry.Kind.PLAY, *DROPS}
    )
    last = next(standing, None)
    if last is None or last.kind != LogEntry.Kind.PLAY or last.seat != seat:
        return None
    bare = not last.chance and not any("hidden" in event for event in last.events)
    return last if bare and snapshot.match.is_running else None


def may_cancel(snapshot: MatchSnapshot, entries: Sequence[LogEntry]) -> bool:
    """Whether the match may still be cancelled: before move 2 and no drop."""
    undone = {entry.undoes for entry in entries}
    made = [e for e in entries if e.kind == LogEntry.Kind.PLAY and e.number not in undone]
    return snapshot.match.is_running and len(made) < CANCELLABLE


def turns_ended(events: Iterable[Event], seat: Seat) -> int:
    """Return how many turns of a seat's own ended with these events."""
    return sum(event.type == TURN_ENDED and event.seat == seat for event in events)
