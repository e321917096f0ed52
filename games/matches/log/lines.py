"""Entries of the log in words, as one viewer may read them."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.kernel.contract import Die, Ended, Event, Seat
from games.kernel.narration import Names
from games.matches import formatting
from games.matches.errors import LOG
from games.matches.log.log_entries import PLAY
from games.matches.models import LogEntry
from games.matches.selectors import MatchSnapshot, reading

TWO = 2

MAX_NOTATION_LENGTH = 16
"""The most characters of a notation that is shown without being asked for."""

MAX_DIE_SIDES = 20
"""The most sides of what is shown as a die."""


@dataclass(frozen=True)
class Line:
    """One entry of the log as a viewer may read it.

    ``text`` is the move in notation, ``sentences`` say what happened, ``headline`` in a few words
    (empty where the sentences are as short). ``taken_back`` says that a later entry undid it;
    ``dice`` are the dice that it rolled.
    """

    entry: LogEntry
    text: str
    sentences: tuple[str, ...]
    taken_back: bool
    dice: tuple[Die, ...] = ()
    headline: str = ""

    @property
    def is_long(self) -> bool:
        """Whether the notation is too long to stand behind the sentences."""
        return len(self.text) > MAX_NOTATION_LENGTH

    @property
    def dice_text(self) -> str:
        """The dice, each as sides and face: ``4:3 6:5``."""
        return " ".join(f"{sides}:{face}" for sides, face in self.dice)


def events_of(snapshot: MatchSnapshot, entry: LogEntry, viewer: Seat | None) -> tuple[Event, ...]:
    """Return what an entry did, as a viewer may know it.

    :raises Unreadable: the stored events cannot be read.
    """
    over = not snapshot.match.is_running
    viewer = snapshot.viewer_at(viewer, entry.number)
    read = snapshot.title.read_event
    with reading(snapshot.match, LOG):
        return tuple(read(event).seen_by(viewer, over=over) for event in entry.events)


def line(
    snapshot: MatchSnapshot, entry: LogEntry, viewer: Seat | None, text: str, *, taken_back: bool
) -> Line:
    """Return an entry in words.

    :raises Unreadable: the rules cannot describe the stored events.
    """
    texts = sentences(snapshot, entry, viewer)
    brief = headline(snapshot, entry, viewer)
    return Line(entry, text, texts, taken_back, dice(snapshot, entry), brief)


def headline(snapshot: MatchSnapshot, entry: LogEntry, viewer: Seat | None) -> str:
    """Return a move in a few words; empty for other entries, and where only sentences will do.

    :raises Unreadable: the rules cannot describe the stored events.
    """
    if entry.kind != PLAY:
        return ""
    viewer = snapshot.viewer_at(viewer, entry.number)
    title = snapshot.title
    events = events_of(snapshot, entry, viewer)
    with reading(snapshot.match, LOG):
        brief = [title.headline(event, viewer) for event in title.joined(events)]
    return " · ".join(filter(None, brief))


def dice(snapshot: MatchSnapshot, entry: LogEntry) -> tuple[Die, ...]:
    """Return the dice that an entry rolled and everybody saw.

    In a game with secrets a roll may be one of them: there the title says what was seen.
    """
    if snapshot.title.meta.has_secrets:
        seen = (event.seen_by(None) for event in map(snapshot.title.read_event, entry.events))
        return tuple(die for event in seen for die in snapshot.title.dice(event))
    drawn = zip(entry.sides, entry.chance, strict=True)
    return tuple((sides, face) for sides, face in drawn if sides and sides <= MAX_DIE_SIDES)


def summary(snapshot: MatchSnapshot, entry: LogEntry, viewer: Seat | None) -> str:
    """Return an entry in one line, which begins with the outcome.

    :raises Unreadable: the rules cannot describe the stored events.
    """
    return " ".join(sentences(snapshot, entry, viewer, first=(Ended, *snapshot.title.outcomes)))


def sentences(
    snapshot: MatchSnapshot,
    entry: LogEntry,
    viewer: Seat | None,
    first: tuple[type[Event], ...] = (),
) -> tuple[str, ...]:
    """Return an entry in sentences: what happened around the game, then what happened in it.

    :param first: the events whose sentences come before the others.
    :raises Unreadable: the rules cannot describe the stored events.
    """
    viewer = snapshot.viewer_at(viewer, entry.number)
    title = snapshot.title
    names = Names(title.meta.colours, viewer)
    around = (_around(snapshot, entry, names),) if entry.kind != PLAY else ()
    events = events_of(snapshot, entry, viewer)
    events = tuple(sorted(events, key=lambda event: not isinstance(event, first)))
    with reading(snapshot.match, LOG):
        texts = (*around, *title.sentences(events, viewer))
    if texts or entry.seat is None or entry.seat not in entry.turns_ended:
        return texts
    return (f"{names.does(entry.seat, 'end')} the turn.",)


DEEDS: Mapping[LogEntry.Kind, tuple[str, str]] = {
    LogEntry.Kind.RESIGN: ("resign", ""),
    LogEntry.Kind.TIMEOUT: ("run", " out of time"),
    LogEntry.Kind.ACCEPT: ("agree", " to end the match"),
    LogEntry.Kind.DECLINE: ("want", " to play on"),
    LogEntry.Kind.TAKE_BACK: ("take", " move {} back"),
    LogEntry.Kind.CANCEL: ("cancel", " the match"),
    LogEntry.Kind.CLOSE: ("accept", ""),
    LogEntry.Kind.PAUSE: ("agree", " to a pause"),
    LogEntry.Kind.RESUME: ("end", " the pause"),
}
"""What a seat does around the game, by the kind of its entry: a verb, and what follows it."""

OFFERS: Mapping[str, tuple[str, str]] = {
    "pause": ("offer", "a pause"),
    "cancel": ("offer", "to cancel the match"),
    "take-back": ("ask", "to take a move back"),
}
"""Other offers than to end the match, by the text of the entry: a verb, and what follows it."""

ANSWERS: Mapping[tuple[LogEntry.Kind, str], tuple[str, str]] = {
    (LogEntry.Kind.ACCEPT, "pause"): ("agree", " to a pause"),
    (LogEntry.Kind.ACCEPT, "cancel"): ("agree", " to cancel the match"),
    (LogEntry.Kind.CANCEL, "cancel"): ("agree", " to cancel the match"),
    (LogEntry.Kind.ACCEPT, "take-back"): ("agree", " to that"),
    (LogEntry.Kind.DECLINE, "pause"): ("want", " no pause"),
    (LogEntry.Kind.DECLINE, "take-back"): ("want", " no move taken back"),
}
"""What a seat answers to another offer than to end the match."""

CLOCKS: Mapping[LogEntry.Kind, str] = {
    LogEntry.Kind.PAUSE: "A moderator stops the clocks.",
    LogEntry.Kind.RESUME: "A moderator lets the clocks run on.",
}
"""What a moderator does to the clocks, by the kind of the entry."""


def offering(offer: str, *, of_two: bool) -> tuple[str, str]:
    """Return a verb and what follows it for an offer: ``offer`` and ``a draw``."""
    to_end = "a draw" if of_two else "to end the match here"
    return OFFERS.get(offer, ("offer", to_end))


def _time_given(entry: LogEntry, seat: int, names: Names) -> str:
    gives = names.does(seat, "give")
    gift = entry.time_given
    if gift is None:
        return f"{gives} time to the opponent."
    to, length = gift
    return f"{gives} {names.of(to)} {formatting.span(length)} more."


def _around(snapshot: MatchSnapshot, entry: LogEntry, names: Names) -> str:
    kind = LogEntry.Kind(entry.kind)
    seat = entry.seat
    of_two = len(snapshot.players) == TWO
    if kind == LogEntry.Kind.GIVE_TIME and seat is not None:
        sentence = _time_given(entry, seat, names)
    elif kind == LogEntry.Kind.ANNUL:
        sentence = "A moderator annuls the match."
    elif seat is None and kind in CLOCKS:
        sentence = CLOCKS[kind]
    elif kind == LogEntry.Kind.CLOSE and (seat is None or not of_two):
        sentence = "The match is closed."
    elif seat is None:
        sentence = f"{entry.get_kind_display()}."
    elif kind == LogEntry.Kind.REMOVE:
        sentence = f"A moderator takes {names.of(seat)} out of the match."
    elif kind == LogEntry.Kind.SUBSTITUTE:
        sentence = f"{names.does(seat, 'take')} over as a substitute."
    elif kind == LogEntry.Kind.OFFER:
        verb, what = offering(entry.text, of_two=of_two)
        sentence = f"{names.does(seat, verb)} {what}."
    elif (kind, entry.text) in ANSWERS:
        verb, rest = ANSWERS[kind, entry.text]
        sentence = f"{names.does(seat, verb)}{rest}."
    else:
        verb, rest = DEEDS[kind]
        sentence = f"{names.does(seat, verb)}{rest.format(entry.undoes)}."
    return f"{sentence} Reason: {entry.reason}" if entry.reason else sentence
