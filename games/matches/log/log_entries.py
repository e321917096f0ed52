"""Facts derived from the entries of a log: which are valid, and what they still allow."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from games.kernel.contract import Event, Seat, TurnEnded
from games.kernel.language import gettext as _
from games.matches import selectors
from games.matches.models import MAX_SEATS, LogEntry, Match, Player
from games.matches.table import Table

PLAY = LogEntry.Kind.PLAY
PLAYED = frozenset({PLAY, LogEntry.Kind.RESIGN, LogEntry.Kind.TIMEOUT, LogEntry.Kind.REMOVE})
"""Moves, and seats that drop out."""

CANCELLABLE = 2
"""From this number of moves on, no player alone can cancel a match."""

MAX_CANCELLED = 3
CANCELLED_PERIOD = timedelta(days=30)
"""The period for which a player's cancelled matches count."""

MAX_TAKE_BACKS_HERE = 3
"""Maximum number of moves that may be taken back at one position."""

MAX_TAKE_BACKS = 20
"""Maximum number of moves that one player may take back in a match."""


def no_more_take_backs() -> str:
    """Return why nothing more can be taken back."""
    text = _("{here} moves may be taken back at a position, and {most} by one player in a match.")
    return text.format(here=MAX_TAKE_BACKS_HERE, most=MAX_TAKE_BACKS)


MIN_RECENT = 25
"""Minimum number of entries that :func:`recent` returns, if the log has as many."""

EARLIER = MAX_SEATS + CANCELLABLE
"""Enough entries to contain CANCELLABLE moves, since each seat drops out once."""


def recent(match: Match) -> list[LogEntry]:
    """Return the last 25 entries, plus earlier ones that take-backs still need.

    The functions below need no others. There are about as many however long the log is.
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
    """Return entry ``number``, after the last effective one before it if it had no effect.

    The list is empty at the start.
    """
    entries = selectors.log(match, after=number - 1, upto=number)
    if any(entry.events for entry in entries):
        return entries
    return [*_standing(match, number).filter(number__lt=number).exclude(events=[])[:1], *entries]


def newest_standing(match: Match) -> LogEntry | None:
    """Read the last move of a match that wasn't taken back. ``None`` before the first."""
    return _standing(match).filter(kind=PLAY).first()


def _standing(match: Match, upto: int | None = None) -> QuerySet[LogEntry]:
    """Return the entries that weren't taken back, or not up to an entry, the latest first."""
    undoing = LogEntry.objects.filter(match=OuterRef("match"), undoes=OuterRef("number"))
    if upto is not None:
        undoing = undoing.filter(number__lte=upto)
    entries: QuerySet[LogEntry] = LogEntry.objects.filter(~Exists(undoing), match=match)
    return entries.order_by("-number")


def numbers_undone(match: Match, entries: Sequence[LogEntry]) -> frozenset[int | None]:
    """Return the numbers of those entries that any later entry takes back."""
    undoing = LogEntry.objects.filter(match=match, undoes__in=[entry.number for entry in entries])
    return frozenset(undoing.order_by().values_list("undoes", flat=True))


def count_moves(match: Match, *numbers: int) -> list[int]:
    """Count in the database the moves up to each entry that weren't taken back by then."""
    moves = {
        f"upto_{number}": Count("pk", filter=Q(kind=PLAY, number__lte=number))
        - Count("pk", filter=Q(kind=LogEntry.Kind.TAKE_BACK, number__lte=number))
        for number in numbers
    }
    counted = LogEntry.objects.filter(match=match).aggregate(**moves)
    return [counted[f"upto_{number}"] for number in numbers]


def move_numbers(entries: Iterable[LogEntry], before: int) -> dict[int, int]:
    """Number the moves by entry, given the count of valid ones before the first entry."""
    numbers = {}
    for entry in entries:
        if entry.kind == PLAY:
            before += 1
            numbers[entry.number] = before
        elif entry.kind == LogEntry.Kind.TAKE_BACK:
            before -= 1
    return numbers


def _is_opening(entries: Sequence[LogEntry]) -> bool:
    """Whether one player alone may still cancel, by the number of valid moves."""
    return len([*islice(_standing_moves(entries), CANCELLABLE)]) < CANCELLABLE


def _standing_moves(entries: Sequence[LogEntry]) -> Iterator[LogEntry]:
    """Yield the moves that weren't taken back, the latest first."""
    return (entry for entry in _latest_standing(entries) if entry.kind == PLAY)


def undone(entries: Iterable[LogEntry]) -> set[int | None]:
    """Return the numbers of the entries that later ones undid."""
    return {entry.undoes for entry in entries}


def newest_move(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the last move that wasn't taken back. ``None`` before the first."""
    return next(_standing_moves(entries), None)


def last_event_entry(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the last still valid entry with an effect on the board. ``None`` without one."""
    taken_back = undone(entries)
    standing = (e for e in reversed(entries) if e.events and e.number not in taken_back)
    return next(standing, None)


def can_take_back(table: Table, entries: Sequence[LogEntry], seat: Seat) -> LogEntry | None:
    """Return the move that a seat may take back at will. ``None`` without one.

    It is the last valid one, the player's own, and it revealed neither dice nor secrets.
    """
    last = next(_latest_standing(entries), None)
    if last is None or last.seat != seat or not _is_bare(last):
        return None
    if last.number <= table.players[seat].since:
        return None
    return last if table.match.is_running else None


def _latest_standing(entries: Sequence[LogEntry]) -> Iterator[LogEntry]:
    """Yield the moves and drops that weren't taken back, the latest first."""
    taken_back = undone(entries)
    for entry in reversed(entries):
        if entry.number not in taken_back and entry.kind in PLAYED:
            yield entry


def _is_bare(entry: LogEntry) -> bool:
    """Whether an entry is a move that revealed neither dice nor secrets."""
    hides = any("hidden" in event for event in entry.events)
    return entry.kind == PLAY and not entry.chance and not hides


def taken_back_by_agreement(
    table: Table, entries: Sequence[LogEntry], seat: Seat
) -> list[LogEntry]:
    """Return the entries that are undone, the latest first, if a seat takes its last move back.

    This needs the agreement of all. Others have moved since, and no dice or secrets were revealed.
    Otherwise the list is empty.
    """
    withdrawn: list[LogEntry] = []
    for entry in _latest_standing(entries):
        if not _is_bare(entry):
            return []
        withdrawn.append(entry)
        if entry.seat == seat:
            return withdrawn if table.match.is_running and len(withdrawn) > 1 else []
    return []


def has_take_backs_left(table: Table, entries: Sequence[LogEntry], target: LogEntry) -> bool:
    """Whether a move may be taken back once more, by the limits per position and in total."""
    seat = target.seat or 0
    if table.players[seat].take_backs >= MAX_TAKE_BACKS:
        return False
    standing = (move.number for move in _standing_moves(entries))
    before = next((number for number in standing if number < target.number), 0)
    later = (entry for entry in entries if entry.number > before)
    here = [e for e in later if e.kind == LogEntry.Kind.TAKE_BACK and e.seat == seat]
    return len(here) < MAX_TAKE_BACKS_HERE


def may_cancel(table: Table, entries: Sequence[LogEntry]) -> bool:
    """Whether one player alone may cancel the match.

    That is before move 2, while nothing was rolled or dealt, so that nobody can escape a bad roll.
    """
    match = table.match
    drawn = match.rolls or match.setup_chance or any(entry.chance for entry in entries)
    return match.is_running and not drawn and _is_opening(entries)


def cancelled_alone(match: Match) -> Seat | None:
    """Return the seat that cancelled a match alone. ``None`` if nobody did."""
    entries = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.CANCEL, text="")
    seat = entries.values_list("seat", flat=True).first()
    return None if seat is None else Seat(seat)


def cancelled_by(user_ids: Collection[int], since: datetime) -> QuerySet[Player]:
    """Return users' seats in rated matches with people that they cancelled alone, since a time."""
    alone = LogEntry.objects.filter(
        match=OuterRef("match"), seat=OuterRef("seat"), kind=LogEntry.Kind.CANCEL, text=""
    )
    # They have no result. Knowing it, PostgreSQL begins with the few such seats of these users.
    seats = Player.objects.filter(user__in=user_ids, ended__gte=since, result="", with_bots=False)
    void = seats.filter(match__rated=True, match__status=Match.Status.CANCELLED)
    return void.filter(Exists(alone))


def turns_ended(events: Iterable[Event], seat: Seat) -> int:
    """Return how many of a seat's own turns ended with these events."""
    return sum(isinstance(event, TurnEnded) and event.seat == seat for event in events)
