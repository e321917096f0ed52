"""Clocks, deadlines and reminders of matches recounted from their logs, plainly.

The rules say who is to move after each entry. All else is counted here, without the site.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from accounts.models import Notification
from bench.year.plain import DAY, Span, ran, run_out
from bench.year.visits import Diary
from games.kernel.contract import TURN_ENDED, Seat
from games.matches import selectors
from games.matches.clock import REMIND_AFTER, ReminderReason
from games.matches.models import LogEntry, Match, Vacation

MINUTE = timedelta(minutes=1)
LATE = timedelta(seconds=80)
"""Maximum delay of a reminder: a tick of the sweep, and the one before."""

AGREED = 30 * DAY
"""The maximum duration of a pause by agreement."""

DROPS = (LogEntry.Kind.RESIGN, LogEntry.Kind.TIMEOUT, LogEntry.Kind.REMOVE)

REMINDERS = ("time-short", "pause-ends")

Known = tuple[datetime, datetime | None, Span]
"""A span, from when it was known, and until when that was valid."""


@dataclass
class Counted:
    """The result of the account of all matches.

    ``expected`` are the notifications that the matches must have written: recipient, kind, match
    and version. ``latest`` is the delay of the latest timeout after its deadline.
    """

    matches: int = 0
    timeouts: int = 0
    reminders: int = 0
    latest: timedelta = timedelta()
    overdue: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    expected: list[tuple[int, str, int, int]] = field(default_factory=list)


class Reminder(NamedTuple):
    """A written reminder about a clock that runs since a time."""

    seat: int
    since: datetime
    stage: str
    at: datetime


@dataclass
class Clock:
    """The clock of a seat: the time left when it began to run, and when that was.

    After a take-back it ``resumed`` later, as if it had run since the move.
    """

    left: timedelta
    since: datetime | None = None
    resumed: datetime | None = None


def count_all(diary: Diary, end: datetime) -> Counted:
    """Recount all matches, up to the end of the simulation."""
    counted = Counted()
    _note_automatic_vacations(diary)
    for match_id in Match.objects.order_by("pk").values_list("pk", flat=True):
        MatchAccount(match_id, diary, counted, end).count()
    return counted


def _note_automatic_vacations(diary: Diary) -> None:
    """Add to the diary the vacations that the site began and nobody ended early."""
    noted = {(user, begin) for user, _, _, begin, _ in diary.vacations}
    for one in Vacation.objects.filter(automatic=True):
        if (one.user_id, one.begin) not in noted:
            diary.vacations.append([one.user_id, one.begin, None, one.begin, one.end])


class MatchAccount:
    """One match, entry after entry."""

    def __init__(self, match_id: int, diary: Diary, counted: Counted, end: datetime) -> None:
        self.snapshot = selectors.snapshot(match_id)
        self.match, self.title = self.snapshot.match, self.snapshot.title
        self.log = selectors.log(self.match)
        self.states = [moment.state for moment in self.snapshot.table.replayed(self.log)]
        self.counted, self.end, self.diary = counted, end, diary
        control = self.match.time_control
        assert control
        self.control = control
        users = [player.user_id for player in self.snapshot.players]
        self.clocks = [Clock(control.start) for _ in users]
        self.known: list[list[Known]] = [
            [(v[1], v[2], (v[3], v[4])) for v in diary.vacations if v[0] == user] for user in users
        ]
        self.before: dict[int, Clock] = {}
        self.told = _reminders(match_id)
        self.seen: set[Reminder] = set()
        self.dropped: set[int] = set()
        self.offers: dict[int, str] = {}

    def count(self) -> None:
        """Go through the log, and compare."""
        self.counted.matches += 1
        self._run(self.title.actors(self.states[0]), self.match.created)
        joined = self.diary.joined_last.get(self.match.pk)
        for player in self.snapshot.players:
            if player.user_id != joined:
                self._expect(player.seat, "match-started", 0)
        for commit in _commits(self.log):
            self._check_in_time(commit)
            self._carry_out(commit)
            self._tell(commit)
        for seat, clock in enumerate(self.clocks):
            if clock.since is not None:
                self._check_deadline(seat, self.end)
                self._check_reminders(seat, self.end)
        extra = [reminder for reminder in self.told if reminder not in self.seen]
        self.counted.odd.extend(f"{self.match}: {reminder} of no run" for reminder in extra)

    def _actors(self, number: int) -> Sequence[Seat]:
        """Return who is to move after an entry."""
        over = self.match.ended is not None and number == len(self.log)
        return () if over else self.title.actors(self.states[number])

    def spans(self, seat: int, at: datetime) -> list[Span]:
        """Return when a seat's clock is stopped, as was known at a time."""
        return [span for since, until, span in self.known[seat] if _holds(since, until, at)]

    def _deadline(self, seat: int, at: datetime) -> datetime:
        clock = self.clocks[seat]
        assert clock.since
        return run_out(clock.left, clock.since, self.spans(seat, at), self.control.weekends)

    def _ran(self, seat: int, clock: Clock, until: datetime) -> timedelta:
        assert clock.since
        return ran(clock.since, until, self.spans(seat, until), self.control.weekends)

    def _check_in_time(self, commit: Sequence[LogEntry]) -> None:
        late = {entry.seat for entry in commit if entry.kind == LogEntry.Kind.TIMEOUT}
        for seat, clock in enumerate(self.clocks):
            if clock.since is not None:
                if seat in late:
                    self._check_timeout(seat, commit[0].at)
                else:
                    self._check_deadline(seat, commit[0].at)

    def _check_timeout(self, seat: int, at: datetime) -> None:
        late = at - self._deadline(seat, at)
        self.counted.timeouts += 1
        self.counted.latest = max(self.counted.latest, late)
        if not timedelta() <= late <= MINUTE:
            self.counted.overdue.append(f"{self.match}: seat {seat} timed out {late} late at {at}")

    def _check_deadline(self, seat: int, at: datetime) -> None:
        late = at - self._deadline(seat, at)
        if late > MINUTE:
            self.counted.overdue.append(f"{self.match}: seat {seat} overdue by {late} at {at}")

    def _carry_out(self, commit: Sequence[LogEntry]) -> None:
        at, before = commit[0].at, self._actors(commit[0].number - 1)
        agreed, resumed = False, set()
        for entry in commit:
            seat = entry.seat or 0
            if entry.kind == LogEntry.Kind.PLAY:
                self.before[entry.number] = Clock(self.clocks[seat].left, self.clocks[seat].since)
            elif entry.kind == LogEntry.Kind.ACCEPT:
                agreed = True
            elif entry.kind == LogEntry.Kind.TAKE_BACK:
                self._take_back(entry, agreed=agreed)
                resumed.add(seat)
            elif entry.kind in (LogEntry.Kind.PAUSE, LogEntry.Kind.RESUME):
                self._pause(entry)
            elif entry.time_given:
                to, gift = entry.time_given
                self.clocks[to].left += gift
        actors = self._actors(commit[-1].number)
        for seat, turns in enumerate(_turns(commit, len(self.clocks))):
            stops = turns or seat not in actors
            if stops and self.clocks[seat].since is not None:
                self._stop(seat, at)
            self._earn(seat, turns)
            if seat in actors and (turns or seat not in before) and seat not in resumed:
                self._run([Seat(seat)], at)

    def _stop(self, seat: int, at: datetime) -> None:
        clock = self.clocks[seat]
        self._check_reminders(seat, at)
        self.clocks[seat] = Clock(max(clock.left - self._ran(seat, clock, at), timedelta()))

    def _earn(self, seat: int, turns: int) -> None:
        """Add increments. A turn may end by another seat's action, while its clock is stopped."""
        if turns:
            left = self.clocks[seat].left
            earned = min(left + turns * self.control.increment, self.control.cap)
            self.clocks[seat].left = max(left, earned)

    def _run(self, seats: Iterable[Seat], at: datetime) -> None:
        for seat in seats:
            clock = self.clocks[seat]
            left = self.control.start if self.control.is_per_move else clock.left
            self.clocks[seat] = Clock(left, at)

    def _take_back(self, entry: LogEntry, *, agreed: bool) -> None:
        """Resume the clock from the move that is taken back, without its increment.

        If the others had to agree it runs from now on. They are never charged for the time since,
        if the move started their clocks.
        """
        seat, target = entry.seat or 0, self.log[(entry.undoes or 0) - 1]
        then = self.before[target.number]
        left = then.left - self._ran(seat, then, target.at)
        self.clocks[seat] = Clock(left, entry.at if agreed else target.at, entry.at)
        for other, clock in enumerate(self.clocks):
            if other != seat and clock.since is not None and clock.since >= target.at:
                self._check_reminders(other, entry.at)
                clock.since = entry.at

    def _pause(self, entry: LogEntry) -> None:
        for known in self.known:
            if entry.kind == LogEntry.Kind.PAUSE:
                known.append((entry.at, None, (entry.at, entry.at + AGREED)))
                continue
            since, _, (begin, end) = next(k for k in reversed(known) if k[2][1] - k[0] == AGREED)
            known.remove((since, None, (begin, end)))
            known += [(since, entry.at, (begin, end)), (entry.at, None, (begin, entry.at))]

    # --- Reminders ---------------------------------------------------------------------------

    def _check_reminders(self, seat: int, stop: datetime) -> None:
        """Compare the reminders of a run that ends at ``stop`` with the written ones."""
        begin = self.clocks[seat].since
        assert begin
        mine = (reminder for reminder in self.told if reminder.seat == seat)
        written = [one for one in mine if begin <= one.since < stop and one.at <= stop]
        self.seen |= set(written)
        due = self._due(seat, stop)
        moments = [reminder.at for reminder in written]
        for mark, (first, *_) in due.items():
            if not _near(first, moments) and first + LATE < stop:
                self.counted.missing.append(f"{self.match}: seat {seat}, {mark} at {first}")
        for one in written:
            if not _near(one.at, due.get((one.stage, one.since), ())):
                self.counted.odd.append(f"{self.match}: {one}: {due}")

    def _due(self, seat: int, stop: datetime) -> dict[tuple[str, datetime], list[datetime]]:
        """Return when each reminder of a run was due, as its deadline was known.

        One is due again if the deadline moves on. Of two that were due at once only the later is
        written, and the other may be written meanwhile.
        """
        found: dict[tuple[str, datetime], list[datetime]] = {}
        since = self.clocks[seat].resumed or self.clocks[seat].since
        assert since
        changes = [at for k in self.known[seat] for at in k[:2] if at and since < at < stop]
        for begin, end in pairwise([since, *sorted(set(changes)), stop]):
            for mark, moment in self._marks(seat, begin):
                at = max(moment, begin)
                if at < end:
                    found.setdefault(mark, []).append(at)
        return found

    def _marks(self, seat: int, at: datetime) -> Iterator[tuple[tuple[str, datetime], datetime]]:
        clock, zone = self.clocks[seat], self.control.weekends
        assert clock.since
        spans = self.spans(seat, at)
        short = run_out(clock.left * REMIND_AFTER, clock.since, spans, zone)
        yield (ReminderReason.SHORT, clock.since), short
        if clock.left > DAY:
            last_day = run_out(clock.left - DAY, clock.since, spans, zone)
            yield (ReminderReason.LAST_DAY, clock.since), last_day
        for end in sorted({end for _, end in spans if clock.since < end}):
            left = clock.left - ran(clock.since, end, spans, zone)
            if left <= timedelta() or any(span[0] <= end < span[1] for span in spans):
                continue
            yield from self._around_end(end, spans, clock.since)
            if short <= end:
                short = run_out(left * REMIND_AFTER, end, spans, zone)
                yield (ReminderReason.SHORT, end), short

    def _around_end(
        self, end: datetime, spans: Sequence[Span], since: datetime
    ) -> Iterator[tuple[tuple[str, datetime], datetime]]:
        """Yield when players are warned of an agreed pause's end, if nobody ends it earlier."""
        if (end - AGREED, end) in spans:
            if since < end - DAY:
                yield (ReminderReason.PAUSE_ENDING, end), end - DAY
            yield (ReminderReason.RUNS_ON, end), end

    # --- What must be told -------------------------------------------------------------------

    def _tell(self, commit: Sequence[LogEntry]) -> None:
        against = (LogEntry.Kind.TIMEOUT, LogEntry.Kind.REMOVE)
        acted = {commit[0].seat} if commit[0].kind not in against else set()
        self.dropped |= {entry.seat or 0 for entry in commit if entry.kind in DROPS}
        number, before = commit[-1].number, self._actors(commit[0].number - 1)
        ended = self.match.ended is not None and number == len(self.log)
        out = self.dropped | set(self.snapshot.title.eliminated(self.states[number]))
        for entry in commit if not ended else ():
            if entry.kind in against:
                self._expect(entry.seat or 0, "dropped-out", number)
            for seat in set(range(len(self.clocks))) - out if entry.kind in DROPS else ():
                self._expect(seat, "player-left", number)
        for seat in set(range(len(self.clocks))) - acted:
            if ended:
                self._expect(seat, "match-ended", number)
            elif any(entry.kind == LogEntry.Kind.OFFER for entry in commit):
                if seat not in out:
                    self._expect(seat, "offer-made", number)
            elif seat in self._actors(number) and seat not in before:
                self._expect(seat, "your-turn", number)
        asked = self._answered(commit) - out
        for seat in set() if ended else asked:
            self._expect(seat, "offer-answered", number)
        self._tell_that_clocks_run(commit[0])

    def _tell_that_clocks_run(self, entry: LogEntry) -> None:
        for seat, clock in enumerate(self.clocks):
            stands = any(begin <= entry.at < end for begin, end in self.spans(seat, entry.at))
            runs = clock.since is not None and not stands
            if entry.kind == LogEntry.Kind.RESUME and runs and seat != entry.seat:
                self._expect(seat, "pause-ends", entry.number)

    def _answered(self, commit: Sequence[LogEntry]) -> set[int]:
        """Return who is notified of an offer's answer, and store which offers are open."""
        first, seat = commit[0], commit[0].seat or 0
        asked = set(self.offers)
        if first.kind in (LogEntry.Kind.RESUME, LogEntry.Kind.GIVE_TIME):
            return set()
        if first.kind == LogEntry.Kind.PLAY:
            # an offer to end the match stands after a move of the same player
            stays = {one for one, offer in self.offers.items() if not offer and one == seat}
            self.offers = {one: self.offers[one] for one in stays}
            return set()
        is_open = first.kind in (LogEntry.Kind.OFFER, LogEntry.Kind.ACCEPT) and len(commit) == 1
        self.offers = {**self.offers, seat: first.text} if is_open else {}
        answers = (LogEntry.Kind.ACCEPT, LogEntry.Kind.DECLINE, LogEntry.Kind.PAUSE)
        return asked if first.kind in answers and not is_open and seat not in asked else set()

    def _expect(self, seat: int, kind: str, version: int) -> None:
        user = self.snapshot.players[seat].user_id
        self.counted.expected.append((user, kind, self.match.pk, version))


def _near(at: datetime, others: Iterable[datetime]) -> bool:
    return any(abs(at - other) <= LATE for other in others)


def _holds(since: datetime, until: datetime | None, at: datetime) -> bool:
    return since <= at and (until is None or at < until)


def _commits(log: Sequence[LogEntry]) -> Iterator[list[LogEntry]]:
    """Yield the entries that were written together."""
    commit: list[LogEntry] = []
    for entry in log:
        if entry.part == 0 and commit:
            yield commit
            commit = []
        commit.append(entry)
    if commit:
        yield commit


def _turns(commit: Sequence[LogEntry], seats: int) -> list[int]:
    """Return how many turns of each seat have ended."""
    ended = [
        event["seat"] for entry in commit for event in entry.events if event["type"] == TURN_ENDED
    ]
    return [ended.count(seat) for seat in range(seats)]


def _reminders(match_id: int) -> list[Reminder]:
    """Return the reminders that were written about a match."""
    found = []
    rows = Notification.objects.filter(kind__in=REMINDERS, page_key=f"match:{match_id}")
    for key, created in rows.values_list("key", "created"):
        _, _, seat, *rest = str(key).split(":", 3)
        if rest:
            since, _, stage = rest[0].rsplit(":", 2)
            found.append(Reminder(int(seat), datetime.fromisoformat(since), stage, created))
    return found
