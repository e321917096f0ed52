"""What the entries of a log say about a match: which of them stand, and what they still allow."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from django.db.models import Exists, OuterRef, QuerySet

from games.kernel.contract import Event, Seat, TurnEnded
from games.matches import selectors
from games.matches.models import MAX_SEATS, LogEntry, Match, Player
from games.matches.selectors import DROPS, MatchSnapshot

PLAY = LogEntry.Kind.PLAY
PLAYED = frozenset({PLAY, *DROPS})
"""What the rules are asked about: a move, or a seat that drops out."""

CANCELLABLE = 2
"""The number of moves from which no player alone cancels a match."""

MAX_CANCELLED = 3
CANCELLED_PERIOD = timedelta(days=30)
"""How many rated matches a player may cancel alone within so long."""

MAX_TAKE_BACKS_HERE = 3
"""How many moves may be taken back at one position."""

MAX_TAKE_BACKS = 20
"""How many moves one player may take back in a match."""

NO_MORE_TAKE_BACKS = (
    f"{MAX_TAKE_BACKS_HERE} moves may be taken back at a position,"
    f" and {MAX_TAKE_BACKS} by one player in a match."
)


MIN_RECENT = 25
"""The least number of entries that :func:`recent` returns, of a log that has as many."""

EARLIER = MAX_SEATS + CANCELLABLE
"""Of so many moves and drops at least ``CANCELLABLE`` are moves: each seat drops out once."""


def recent(match: Match) -> list[LogEntry]:
    """Return the last entries of a log, in order, after those before them that still count.

    They suffice for what the functions below look for, and are about as many however long the log.
    """
    return with_earlier(
        match, selectors.log(match, after=match.version - MIN_RECENT, upto=match.version)
    )


def is_complete(entries: Sequence[LogEntry]) -> bool:
    """Whether the last entries of a log suffice without earlier ones."""
    return (
        not entries
        or entries[0].number == 1
        or (last_event_entry(entries) is not None and not _is_opening(entries))
    )


def with_earlier(match: Match, entries: list[LogEntry]) -> list[LogEntry]:
    """Return the last entries of a log after those before them that still count."""
    if is_complete(entries):
        return entries
    before = _standing(match).filter(number__lt=entries[0].number)
    earlier = list(before.filter(kind__in=PLAYED)[:EARLIER])
    if not any(entry.events for entry in earlier):
        earlier += before.exclude(events=[]).exclude(pk__in=[e.pk for e in earlier])[:1]
    return [*sorted(earlier, key=lambda entry: entry.number), *entries]


def leading_to(match: Match, number: int) -> list[LogEntry]:
    """Return entry ``number``, after the last that did something and stood then if it did nothing.

    The list is empty at the start.
    """
    entries = selectors.log(match, after=number - 1, upto=number)
    if any(entry.events for entry in entries):
        return entries
    return [*_standing(match, number).filter(number__lt=number).exclude(events=[])[:1], *entries]


def newest_standing(match: Match) -> LogEntry | None:
    """Read the last move of a match that was not taken back; ``None`` before the first."""
    return _standing(match).filter(kind=PLAY).first()


def _standing(match: Match, upto: int | None = None) -> QuerySet[LogEntry]:
    """Return the entries that were not taken back, or not up to an entry, the latest first."""
    undoing = LogEntry.objects.filter(match=OuterRef("match"), undoes=OuterRef("number"))
    if upto is not None:
        undoing = undoing.filter(number__lte=upto)
    entries: QuerySet[LogEntry] = LogEntry.objects.filter(~Exists(undoing), match=match)
    return entries.order_by("-number")


def numbers_undone(match: Match, entries: Sequence[LogEntry]) -> frozenset[int | None]:
    """Return the numbers of those entries that the log, however it goes on, takes back."""
    undoing = LogEntry.objects.filter(match=match, undoes__in=[entry.number for entry in entries])
    return frozenset(undoing.order_by().values_list("undoes", flat=True))


def _is_opening(entries: Sequence[LogEntry]) -> bool:
    """Whether one player alone may still cancel, by the number of moves that stand."""
    return len([*islice(_standing_moves(entries), CANCELLABLE)]) < CANCELLABLE


def _standing_moves(entries: Sequence[LogEntry]) -> Iterator[LogEntry]:
    """Yield the moves that were not taken back, the latest first."""
    return (entry for entry in _latest_standing(entries) if entry.kind == PLAY)


def undone(entries: Iterable[LogEntry]) -> set[int | None]:
    """Return the numbers of the entries that later ones undid."""
    return {entry.undoes for entry in entries}


def newest_move(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the last move that was not taken back; ``None`` before the first."""
    return next(_standing_moves(entries), None)


def last_event_entry(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the last entry that did something on the board and still stands; else ``None``."""
    taken_back = undone(entries)
    standing = (e for e in reversed(entries) if e.events and e.number not in taken_back)
    return next(standing, None)


def can_take_back(
    snapshot: MatchSnapshot, entries: Sequence[LogEntry], seat: Seat
) -> LogEntry | None:
    """Return the move that a seat may take back at will, ``None`` if there is none.

    It is the last one that stands, the player's own, and neither dice nor secrets were shown by
    it.
    """
    last = next(_latest_standing(entries), None)
    if last is None or last.seat != seat or not _is_bare(last):
        return None
    if last.number <= snapshot.players[seat].since:
        return None
    return last if snapshot.match.is_running else None


def _latest_standing(entries: Sequence[LogEntry]) -> Iterator[LogEntry]:
    """Yield the moves and drops that were not taken back, the latest first."""
    taken_back = undone(entries)
    for entry in reversed(entries):
        if entry.number not in taken_back and entry.kind in PLAYED:
            yield entry


def _is_bare(entry: LogEntry) -> bool:
    """Whether an entry is a move that showed neither dice nor secrets."""
    hides = any("hidden" in event for event in entry.events)
    return entry.kind == PLAY and not entry.chance and not hides


def taken_back_by_agreement(
    snapshot: MatchSnapshot, entries: Sequence[LogEntry], seat: Seat
) -> list[LogEntry]:
    """Return what is undone, the latest first, if all agree that a seat takes its last move back.

    Others have moved since, and no dice or secrets were shown. Else the list is empty.
    """
    withdrawn: list[LogEntry] = []
    for entry in _latest_standing(entries):
        if not _is_bare(entry):
            return []
        withdrawn.append(entry)
        if entry.seat == seat:
            return withdrawn if snapshot.match.is_running and len(withdrawn) > 1 else []
    return []


def has_take_backs_left(
    snapshot: MatchSnapshot, entries: Sequence[LogEntry], target: LogEntry
) -> bool:
    """Whether a move may be taken back once more: so often at a position, and in all."""
    seat = target.seat or 0
    if snapshot.players[seat].take_backs >= MAX_TAKE_BACKS:
        return False
    standing = (move.number for move in _standing_moves(entries))
    before = next((number for number in standing if number < target.number), 0)
    later = (entry for entry in entries if entry.number > before)
    here = [e for e in later if e.kind == LogEntry.Kind.TAKE_BACK and e.seat == seat]
    return len(here) < MAX_TAKE_BACKS_HERE


def may_cancel(snapshot: MatchSnapshot, entries: Sequence[LogEntry]) -> bool:
    """Whether one player alone may cancel the match.

    That is before move 2, while nothing was rolled or dealt: nobody gets rid of a bad roll so.
    """
    match = snapshot.match
    drawn = match.rolls or match.setup_chance or any(entry.chance for entry in entries)
    return match.is_running and not drawn and _is_opening(entries)


def cancelled_alone(match: Match) -> Seat | None:
    """Return the seat that cancelled a match alone; ``None`` if nobody did."""
    entries = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.CANCEL, text="")
    seat = entries.values_list("seat", flat=True).first()
    return None if seat is None else Seat(seat)


def cancelled_by(user_ids: Collection[int], since: datetime) -> QuerySet[Player]:
    """Return the seats of users who cancelled rated matches with people alone since a moment."""
    alone = LogEntry.objects.filter(
        match=OuterRef("match"), seat=OuterRef("seat"), kind=LogEntry.Kind.CANCEL, text=""
    )
    seats = Player.objects.filter(user__in=user_ids, ended__gte=since, with_bots=False)
    void = seats.filter(match__rated=True, match__status=Match.Status.CANCELLED)
    return void.filter(Exists(alone))


def turns_ended(events: Iterable[Event], seat: Seat) -> int:
    """Return how many turns of a seat's own ended with these events."""
    return sum(isinstance(event, TurnEnded) and event.seat == seat for event in events)
