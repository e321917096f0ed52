"""Entries of the log in words, as one viewer may read them."""

from dataclasses import dataclass

from games.kernel.contract import Colour, Die, Event, Seat
from games.matches.errors import LOG
from games.matches.models import LogEntry
from games.matches.selectors import MatchSnapshot, reading

TWO = 2

MOST_SIDES = 20
"""The most sides of what is shown as a die."""


@dataclass(frozen=True)
class Line:
    """One entry of the log as a viewer may read it.

    ``text`` is the move in notation, ``sentences`` say what happened. ``taken_back`` says that a
    later entry undid it; ``dice`` are the dice that it rolled. ``colour`` is that of the seat
    that made it, ``None`` for an entry that no seat made.
    """

    entry: LogEntry
    text: str
    sentences: tuple[str, ...]
    taken_back: bool
    dice: tuple[Die, ...] = ()
    colour: Colour | None = None

    @property
    def dice_text(self) -> str:
        """The dice, each as sides and face: ``4:3 6:5``."""
        return " ".join(f"{sides}:{face}" for sides, face in self.dice)


def events_of(snapshot: MatchSnapshot, entry: LogEntry, viewer: Seat | None) -> tuple[Event, ...]:
    """Return what an entry did, as a viewer may know it.

    :raises Unreadable: the stored events cannot be read.
    """
    over = not snapshot.match.is_running
    with reading(snapshot.match, LOG):
        return tuple(Event.load(event).seen_by(viewer, over=over) for event in entry.events)


def dice(snapshot: MatchSnapshot, entry: LogEntry) -> tuple[Die, ...]:
    """Return the dice that an entry rolled and everybody saw.

    In a game with secrets a roll may be one of them: there the title says what was seen.
    """
    if snapshot.title.meta.has_secrets:
        seen = (event.seen_by(None) for event in map(Event.load, entry.events))
        return tuple(die for event in seen for die in snapshot.title.dice(event))
    drawn = zip(entry.sides, entry.chance, strict=True)
    return tuple((sides, face) for sides, face in drawn if sides and sides <= MOST_SIDES)


def sentences(snapshot: MatchSnapshot, entry: LogEntry, viewer: Seat | None) -> tuple[str, ...]:
    """Return an entry in sentences: what happened around the game, then what happened in it.

    :raises Unreadable: the rules cannot describe the stored events.
    """
    around = (_around(snapshot, entry),) if entry.kind != LogEntry.Kind.PLAY else ()
    events = events_of(snapshot, entry, viewer)
    with reading(snapshot.match, LOG):
        described = [snapshot.title.describe(event, viewer) for event in events]
    return (*around, *filter(None, described))


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
