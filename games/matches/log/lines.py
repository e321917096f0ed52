"""Entries of the log in words, as one viewer may read them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.kernel.contract import Die, Ended, Event, Seat, SeatEvent
from games.kernel.formatting import with_full_stop
from games.kernel.language import gettext as _
from games.kernel.language import gettext_noop
from games.kernel.narration import Names
from games.matches import formatting
from games.matches.errors import LOG, reading
from games.matches.log.log_entries import PLAY
from games.matches.models import LogEntry
from games.matches.table import Table

DUEL = 2

MAX_NOTATION_LENGTH = 16
"""Maximum length of a notation that is always shown."""

MAX_BEFALLEN = 3
"""Maximum number of events in the news that affected the reader."""

MAX_DEEDS = 2
"""Maximum number of other events in the news."""

MAX_NEWS = 140
"""Maximum length of the news, in characters: three lines of a phone."""

MAX_DIE_SIDES = 20
"""Maximum number of sides of a die that is drawn."""


@dataclass(frozen=True)
class LogLine:
    """One entry of the log as a viewer may read it.

    ``text`` is the move in notation, ``sentences`` say what happened, ``headline`` in a few words
    (empty where the sentences are as short). ``taken_back`` says that a later entry undid it;
    ``dice`` are the dice that it rolled. ``doer`` is the seat whose deed it tells, in an
    answer to an attack the attacker.
    """

    entry: LogEntry
    text: str
    sentences: tuple[str, ...]
    taken_back: bool
    dice: tuple[Die, ...] = ()
    headline: str = ""
    doer: int | None = None

    @property
    def is_long(self) -> bool:
        """Whether the notation is too long to follow the sentences."""
        return len(self.text) > MAX_NOTATION_LENGTH

    @property
    def dice_text(self) -> str:
        """The dice, each as sides and face: ``4:3 6:5``."""
        return " ".join(f"{sides}:{face}" for sides, face in self.dice)


def events_of(table: Table, entry: LogEntry, viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events of an entry, as a viewer may know them.

    :raises Unreadable: the stored events can't be read.
    """
    over = not table.match.is_running
    viewer = table.viewer_at(viewer, entry.number)
    read = table.title.read_event
    with reading(table.match, LOG):
        return tuple(read(event).seen_by(viewer, over=over) for event in entry.events)


def line(
    table: Table,
    entry: LogEntry,
    viewer: Seat | None,
    text: str,
    *,
    taken_back: bool,
    undone: LogEntry | None = None,
) -> LogLine:
    """Return an entry in words.

    :param undone: the move that the entry takes back, if it is known.
    :raises Unreadable: the rules can't describe the stored events.
    """
    events = events_of(table, entry, viewer)
    texts = sentences(table, entry, viewer, undone=undone, events=events)
    brief = headline(table, entry, viewer, events)
    outcomes = tuple(table.title.outcomes)
    told = (one for one in events if isinstance(one, outcomes))
    doer = next((event.seat for event in told if isinstance(event, SeatEvent)), entry.seat)
    return LogLine(entry, text, texts, taken_back, dice(table, entry), brief, doer)


def headline(
    table: Table,
    entry: LogEntry,
    viewer: Seat | None,
    events: Sequence[Event] | None = None,
) -> str:
    """Return a move in a few words. Empty for other entries, and if only sentences exist.

    :param events: the result of :func:`events_of`, if it is known.
    :raises Unreadable: the rules can't describe the stored events.
    """
    if entry.kind != PLAY:
        return ""
    viewer = table.viewer_at(viewer, entry.number)
    title = table.title
    events = events_of(table, entry, viewer) if events is None else events
    with reading(table.match, LOG):
        brief = [title.headline(event, viewer) for event in title.joined(events)]
    return " · ".join(filter(None, brief))


def dice(table: Table, entry: LogEntry) -> tuple[Die, ...]:
    """Return the dice that an entry rolled openly.

    In a game with secrets a roll may be secret: there the title says what was seen.
    """
    if table.title.meta.has_secrets:
        seen = (event.seen_by(None) for event in map(table.title.read_event, entry.events))
        return tuple(die for event in seen for die in table.title.dice(event))
    drawn = zip(entry.sides, entry.chance, strict=True)
    return tuple((sides, face) for sides, face in drawn if sides and sides <= MAX_DIE_SIDES)


def summary(
    table: Table,
    entry: LogEntry,
    viewer: Seat | None,
    undone: LogEntry | None = None,
) -> str:
    """Return an entry in one line, which begins with the outcome.

    :param undone: see :func:`line`.
    :raises Unreadable: the rules can't describe the stored events.
    """
    first: tuple[type[Event], ...] = (Ended, *table.title.outcomes)
    return " ".join(sentences(table, entry, viewer, first=first, undone=undone))


def news(table: Table, entries: Sequence[LogEntry], viewer: Seat | None) -> str:
    """Return what some moves did to a viewer, then what else was done; empty without moves.

    It names the last few events of both kinds; the second kind only as far as the line stays short.

    :raises Unreadable: the rules cannot describe the stored events.
    """
    title = table.title
    told = (*title.outcomes, *title.deeds)
    seen = [event for entry in entries for event in events_of(table, entry, viewer)]
    with reading(table.match, LOG):
        seen = list(title.joined(seen))
        befallen = [one for one in seen if viewer is not None and title.befalls(one, viewer)]
        if not befallen and (text := title.news(seen, viewer)):
            return text
        cause = title.cause(seen, viewer) if befallen and viewer is not None else ""
        texts = [title.describe(event, viewer) for event in befallen[-MAX_BEFALLEN:]]
        if sum(map(len, texts)) > MAX_NEWS and len(texts) > 1:
            brief = (title.headline(event, viewer) for event in befallen)
            texts = [with_full_stop(text) for text in brief if text]
            texts = texts[-MAX_BEFALLEN:]
            while sum(map(len, texts)) > MAX_NEWS and len(texts) > 1:
                texts = texts[1:]
        texts = list(filter(None, (cause, *texts)))
        others = [one for one in seen if isinstance(one, told) and one not in befallen]
        deeds = [] if cause else [title.describe(event, viewer) for event in others]
    last = list(filter(None, deeds))[-MAX_DEEDS:]
    while sum(map(len, (*texts, *last))) > MAX_NEWS and len(last) > (0 if texts else 1):
        last = last[1:]
    if news_texts := [*texts, *last]:
        return " ".join(news_texts)
    return summary(table, entries[-1], viewer) if entries else ""


def sentences(
    table: Table,
    entry: LogEntry,
    viewer: Seat | None,
    *,
    first: tuple[type[Event], ...] = (),
    undone: LogEntry | None = None,
    events: Sequence[Event] | None = None,
) -> tuple[str, ...]:
    """Return an entry in sentences: first about the match, then about the game.

    :param first: the events whose sentences come before the others.
    :param undone: see :func:`line`.
    :param events: see :func:`headline`.
    :raises Unreadable: the rules can't describe the stored events.
    """
    viewer = table.viewer_at(viewer, entry.number)
    title = table.title
    names = Names(title.meta.colours, viewer)
    around = (_around(table, entry, names),) if entry.kind != PLAY else ()
    move = headline(table, undone, viewer) if undone else ""
    if move and entry.seat is not None:
        own = _("You take back a move: {move}.")
        others = _("{player} takes back a move: {move}.")
        around = (names.tell(entry.seat, own, others, move=move),)
    events = events_of(table, entry, viewer) if events is None else events
    events = sorted(events, key=lambda event: not isinstance(event, first))
    with reading(table.match, LOG):
        texts = (*around, *title.sentences(events, viewer))
    if texts or entry.seat is None or entry.seat not in entry.turns_ended:
        return texts
    return (names.tell(entry.seat, _("You end the turn."), _("{player} ends the turn.")),)


Messages = tuple[str, str]
"""A message to the seat that did something, and one to all others."""

DEEDS: Mapping[LogEntry.Kind, Messages] = {
    LogEntry.Kind.RESIGN: (gettext_noop("You resign."), gettext_noop("{player} resigns.")),
    LogEntry.Kind.TIMEOUT: (
        gettext_noop("You run out of time."),
        gettext_noop("{player} runs out of time."),
    ),
    LogEntry.Kind.ACCEPT: (
        gettext_noop("You agree to end the match."),
        gettext_noop("{player} agrees to end the match."),
    ),
    LogEntry.Kind.DECLINE: (
        gettext_noop("You want to play on."),
        gettext_noop("{player} wants to play on."),
    ),
    LogEntry.Kind.TAKE_BACK: (
        gettext_noop("You take back move {number}."),
        gettext_noop("{player} takes back move {number}."),
    ),
    LogEntry.Kind.CANCEL: (
        gettext_noop("You cancel the match."),
        gettext_noop("{player} cancels the match."),
    ),
    LogEntry.Kind.CLOSE: (gettext_noop("You accept."), gettext_noop("{player} accepts.")),
    LogEntry.Kind.PAUSE: (
        gettext_noop("You agree to a pause."),
        gettext_noop("{player} agrees to a pause."),
    ),
    LogEntry.Kind.RESUME: (
        gettext_noop("You end the pause."),
        gettext_noop("{player} ends the pause."),
    ),
    LogEntry.Kind.REMOVE: (
        gettext_noop("A moderator takes you out of the match."),
        gettext_noop("A moderator takes {player} out of the match."),
    ),
    LogEntry.Kind.SUBSTITUTE: (
        gettext_noop("You take over as a substitute."),
        gettext_noop("{player} takes over as a substitute."),
    ),
}
"""A seat's actions apart from moves, and what moderators do to it, by the kind of entry."""

OFFERS: Mapping[str, Messages] = {
    "pause": (gettext_noop("You offer a pause."), gettext_noop("{player} offers a pause.")),
    "cancel": (
        gettext_noop("You offer to cancel the match."),
        gettext_noop("{player} offers to cancel the match."),
    ),
    "take-back": (
        gettext_noop("You ask to take back a move."),
        gettext_noop("{player} asks to take back a move."),
    ),
}
"""Offers other than to end the match, by the text of the entry."""

OFFER_OF_DRAW: Messages = gettext_noop("You offer a draw."), gettext_noop("{player} offers a draw.")
OFFER_TO_END: Messages = (
    gettext_noop("You offer to end the match here."),
    gettext_noop("{player} offers to end the match here."),
)

TO_CANCEL: Messages = (
    gettext_noop("You agree to cancel the match."),
    gettext_noop("{player} agrees to cancel the match."),
)
ANSWERS: Mapping[tuple[LogEntry.Kind, str], Messages] = {
    (LogEntry.Kind.ACCEPT, "pause"): DEEDS[LogEntry.Kind.PAUSE],
    (LogEntry.Kind.ACCEPT, "cancel"): TO_CANCEL,
    (LogEntry.Kind.CANCEL, "cancel"): TO_CANCEL,
    (LogEntry.Kind.ACCEPT, "take-back"): (
        gettext_noop("You agree to that."),
        gettext_noop("{player} agrees to that."),
    ),
    (LogEntry.Kind.DECLINE, "pause"): (
        gettext_noop("You want no pause."),
        gettext_noop("{player} wants no pause."),
    ),
    (LogEntry.Kind.DECLINE, "take-back"): (
        gettext_noop("You want to keep the move."),
        gettext_noop("{player} wants to keep the move."),
    ),
}
"""A seat's answers to offers other than to end the match."""

CLOCKS: Mapping[LogEntry.Kind, str] = {
    LogEntry.Kind.PAUSE: gettext_noop("A moderator stops the clocks."),
    LogEntry.Kind.RESUME: gettext_noop("A moderator lets the clocks run on."),
}
"""A moderator's changes of the clocks, by the kind of entry."""

CLOCKS_OF_TOURNAMENT: Mapping[LogEntry.Kind, str] = {
    LogEntry.Kind.PAUSE: gettext_noop("The clocks stand still."),
    LogEntry.Kind.RESUME: gettext_noop("The clocks run on."),
}
"""The same while the tournament of a match is paused."""

ANNULLED = (
    gettext_noop("A moderator annuls the match."),
    gettext_noop("The match is annulled."),
)
"""By a moderator, and by the organisers of its tournament."""


def offer_messages(offer: str, *, of_two: bool) -> Messages:
    """Return the messages about an offer.

    ``offer`` is the text of its entry, which is empty for an offer to end the match.
    """
    return OFFERS.get(offer, OFFER_OF_DRAW if of_two else OFFER_TO_END)


def _time_given(entry: LogEntry, seat: int, names: Names) -> str:
    gift = entry.time_given
    if gift is None:
        return names.tell(
            seat,
            _("You give time to the opponent."),
            _("{player} gives time to the opponent."),
        )
    to, length = gift
    return names.tell_of_two(
        seat,
        to,
        _("You give {other} {time} more."),
        _("{player} gives you {time} more."),
        _("{player} gives {other} {time} more."),
        time=formatting.span(length),
    )


def _around(table: Table, entry: LogEntry, names: Names) -> str:
    sentence = _without_reason(table, entry, names)
    if not entry.reason:
        return sentence
    # Translators: the sentence says what a moderator did, such as "The match is closed."
    return _("{sentence} Reason: {reason}").format(sentence=sentence, reason=entry.shown_reason)


def _without_reason(table: Table, entry: LogEntry, names: Names) -> str:
    kind = LogEntry.Kind(entry.kind)
    seat = entry.seat
    of_two = len(table.players) == DUEL
    # Moderators sign what they do; records from elsewhere hold no reasons.
    is_of_tournament = bool(entry.reason) and entry.moderator_id is None
    if kind == LogEntry.Kind.ANNUL:
        return _(ANNULLED[is_of_tournament])
    if seat is None and kind in CLOCKS:
        return _((CLOCKS_OF_TOURNAMENT if is_of_tournament else CLOCKS)[kind])
    if kind == LogEntry.Kind.CLOSE and (seat is None or not of_two):
        return _("The match is closed.")
    if seat is None:
        return with_full_stop(str(entry.get_kind_display()))
    if kind == LogEntry.Kind.GIVE_TIME:
        return _time_given(entry, seat, names)
    if kind == LogEntry.Kind.OFFER:
        own, others = offer_messages(entry.text, of_two=of_two)
    else:
        own, others = ANSWERS.get((kind, entry.text)) or DEEDS[kind]
    return names.tell(seat, _(own), _(others), number=entry.undoes)
