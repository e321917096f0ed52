"""Clocks, reminders and mails recounted plainly from what was written.

The rules say who is to move after each entry. All else is counted here, without the site.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from functools import partial
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from accounts.models import Notification
from bench.year.people import SATURDAY, Person
from bench.year.world import DAY, Posted
from games.kernel.contract import TURN_ENDED, Seat
from games.lobby.models import Challenge, Invitation
from games.matches import selectors
from games.matches.clock import REMIND_AFTER
from games.matches.models import LogEntry, Match, Vacation

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
LATE = timedelta(seconds=80)
"""Maximum delay of a reminder or a mail: a tick of the jobs, and a page that was just left."""

AGREED = 30 * DAY
"""The maximum duration of a pause by agreement."""

MOST_AN_HOUR = 6
ROUNDING = 1e-6
"""Tolerance of a sum, in days."""

Kind = LogEntry.Kind
AGAINST = (Kind.TIMEOUT, Kind.REMOVE)
YOUR_TURN, MATCH_ENDED, TIME_SHORT = "your-turn", "match-ended", "time-short"
CHALLENGE, ANSWER = "challenge-received", "move-answered"
REMINDERS = (TIME_SHORT, "pause-ends")
URGENT = (*REMINDERS, ANSWER)
"""Mails that wait for nothing, and are sent beyond the bound of an hour."""

COURSE = {YOUR_TURN, TIME_SHORT, "match-started", "dropped-out", MATCH_ENDED}
"""Of these about one match the latest replaces earlier ones."""

OVER = {YOUR_TURN, *REMINDERS, "offer-made"}
"""These become outdated when the match continues."""

State = Notification.MailState
Span = tuple[datetime, datetime]


@dataclass
class Counted:
    """The results: numbers, and sentences about failures by subject.

    ``latest`` is the delay of the latest timeout. ``several`` mails have more than one subject.
    ``held`` notifications waited because of the maximum number of mails in an hour.
    """

    matches: int = 0
    timeouts: int = 0
    latest: timedelta = timedelta()
    several: int = 0
    held: int = 0
    most_an_hour: int = 0
    states: Counter[str] = field(default_factory=Counter)
    troubles: defaultdict[str, list[str]] = field(default_factory=partial(defaultdict, list))


SUBJECTS = (
    *("jobs", "overdue by more than a minute", "reminders missing", "reminders at odd times"),
    *("events told twice or not at all", "mails not accounted for", "mails beyond the bound"),
    "vacations overdrawn",
)


def account(people: Sequence[Person], posted: Sequence[Posted], end: datetime) -> Counted:
    """Recount everything up to the end of the simulation."""
    counted = Counted()
    expected: Counter[tuple[int, str, int, int]] = Counter()
    for match_id in Match.objects.order_by("pk").values_list("pk", flat=True):
        counted.matches += 1
        expected.update(MatchAccount(match_id, counted, end).notifications())
    rows = list(Notification.objects.select_related("recipient").order_by("pk"))
    written = Counter(
        (row.recipient_id, row.kind, row.payload["match"], row.payload["version"])
        for row in rows
        if row.kind in (YOUR_TURN, MATCH_ENDED)
    )
    for event in (expected - written) + (written - expected):
        counted.troubles["events told twice or not at all"].append(f"{event}: {written[event]}")
    MailAccount(rows, people, counted, end).compare(posted)
    _check_bounds(rows, posted, counted)
    counted.troubles["vacations overdrawn"] += _overdrawn(people)
    return counted


# --- Clocks ---------------------------------------------------------------------------------------


def ran(since: datetime, until: datetime, spans: Collection[Span], zone: str) -> timedelta:
    """Return for how long a clock ran, stretch after stretch in which nothing stops it.

    :param spans: when it is stopped.
    :param zone: the zone whose weekends stop it, too. Empty if they don't.
    """
    at, total = since, timedelta()
    while at < until:
        stops = [*spans, _weekend_day(at, zone)] if zone else spans
        if ends := [end for begin, end in stops if begin <= at < end]:
            at = max(ends)
        else:
            stop = min([until, *(begin for begin, _ in stops if begin > at)])
            total += stop - at
            at = stop
    return total


def _weekend_day(at: datetime, zone: str) -> Span:
    """Return the current or next day of a weekend, by the clocks of a zone."""
    place = ZoneInfo(zone)
    day = at.astimezone(place).date()
    while day.weekday() < SATURDAY:
        day += DAY
    begin, end = (datetime.combine(one, time(), place) for one in (day, day + DAY))
    return begin.astimezone(ZoneInfo("UTC")), end.astimezone(ZoneInfo("UTC"))


@dataclass
class Clock:
    """The clock of a seat: the time left when it began to run, and when that was.

    After a take-back it ``resumed`` later, as if it had run since the move.
    """

    left: timedelta
    since: datetime | None = None
    resumed: datetime | None = None


class Reminder(NamedTuple):
    """A written reminder about a clock that runs since a time."""

    seat: int
    since: datetime
    stage: str
    at: datetime


class MatchAccount:
    """One match, entry after entry."""

    def __init__(self, match_id: int, counted: Counted, end: datetime) -> None:
        self.snapshot = selectors.snapshot(match_id)
        self.match, self.title = self.snapshot.match, self.snapshot.title
        self.log = selectors.log(self.match)
        self.states = [moment.state for moment in self.snapshot.table.replayed(self.log)]
        self.counted, self.end = counted, end
        assert self.match.time_control
        self.control = self.match.time_control
        self.users = [player.user_id for player in self.snapshot.players]
        self.clocks = [Clock(self.control.start) for _ in self.users]
        self.before: dict[int, Clock] = {}
        self.reminders = _reminders(match_id)
        pauses = [*self._pauses()]
        self.spans: list[list[Span]] = [
            [*pauses, *Vacation.objects.filter(user=user).values_list("begin", "end")]
            for user in self.users
        ]

    def _pauses(self) -> Iterator[Span]:
        begun: datetime | None = None
        for entry in self.log:
            if entry.kind == Kind.PAUSE:
                begun = entry.at
            elif entry.kind == Kind.RESUME and begun:
                yield begun, entry.at
                begun = None
        if begun:
            yield begun, begun + AGREED

    def _actors(self, number: int) -> Sequence[Seat]:
        """Return who is to move after an entry."""
        over = self.match.ended is not None and number == len(self.log)
        return () if over else self.title.actors(self.states[number])

    def _trouble(self, subject: str, sentence: str) -> None:
        self.counted.troubles[subject].append(f"{self.match}: {sentence}")

    def notifications(self) -> Iterator[tuple[int, str, int, int]]:
        """Recount the log, and yield who must have been told whose turn it is, and of the end."""
        for actor in self._actors(0):
            self._run(actor, self.match.created)
        for commit in _commits(self.log):
            late = {entry.seat for entry in commit if entry.kind == Kind.TIMEOUT}
            for seat in range(len(self.clocks)):
                self._check_in_time(seat, commit[0].at, timed_out=seat in late)
            self._carry_out(commit)
            yield from self._told(commit)
        for seat in range(len(self.clocks)):
            self._check_in_time(seat, self.end, timed_out=False)
            self._check_reminders(seat, self.end)

    def _told(self, commit: Sequence[LogEntry]) -> Iterator[tuple[int, str, int, int]]:
        first, number = commit[0], commit[-1].number
        ended = self.match.ended is not None and number == len(self.log)
        before, after = self._actors(first.number - 1), self._actors(number)
        offered = any(entry.kind == Kind.OFFER for entry in commit)
        for seat, user in enumerate(self.users):
            if seat == first.seat and first.kind not in AGAINST:
                continue
            if ended:
                yield user, MATCH_ENDED, self.match.pk, number
            elif seat in after and seat not in before and not offered:
                yield user, YOUR_TURN, self.match.pk, number

    def _ran(self, seat: int, clock: Clock, until: datetime) -> timedelta:
        """Return for how long a clock has run."""
        if clock.since is None:
            return timedelta()
        return ran(clock.since, until, self.spans[seat], self.control.weekends)

    def _check_in_time(self, seat: int, at: datetime, *, timed_out: bool) -> None:
        clock = self.clocks[seat]
        late = self._ran(seat, clock, at) - clock.left
        if timed_out:
            self.counted.timeouts += 1
            self.counted.latest = max(self.counted.latest, late)
        if late > MINUTE or (timed_out and late < timedelta()):
            self._trouble("overdue by more than a minute", f"seat {seat}, {late} late at {at}")

    def _carry_out(self, commit: Sequence[LogEntry]) -> None:
        at, before = commit[0].at, self._actors(commit[0].number - 1)
        agreed, resumed = False, set()
        for entry in commit:
            seat = entry.seat or 0
            if entry.kind == Kind.PLAY:
                self.before[entry.number] = Clock(self.clocks[seat].left, self.clocks[seat].since)
            elif entry.kind == Kind.ACCEPT:
                agreed = True
            elif entry.kind == Kind.TAKE_BACK:
                self._take_back(entry, agreed=agreed)
                resumed.add(seat)
        actors = self._actors(commit[-1].number)
        for seat, clock in enumerate(self.clocks):
            turns = _turns(commit, seat)
            if turns or seat not in actors:
                self._check_reminders(seat, at)
                self.clocks[seat] = Clock(max(clock.left - self._ran(seat, clock, at), timedelta()))
                self._earn(self.clocks[seat], turns)
            if seat in actors and (turns or seat not in before) and seat not in resumed:
                self._run(seat, at)

    def _earn(self, clock: Clock, turns: int) -> None:
        """Add increments."""
        if turns:
            earned = min(clock.left + turns * self.control.increment, self.control.cap)
            clock.left = max(clock.left, earned)

    def _run(self, seat: int, at: datetime) -> None:
        left = self.control.start if self.control.is_per_move else self.clocks[seat].left
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

    def _check_reminders(self, seat: int, stop: datetime) -> None:
        """Check that each reminder of a run that ends at ``stop`` was written, and at its time."""
        clock, zone = self.clocks[seat], self.control.weekends
        if clock.since is None:
            return
        written = [
            one for one in self.reminders if one.seat == seat and clock.since <= one.at <= stop
        ]
        marks = [clock.left * REMIND_AFTER, *([clock.left - DAY] if clock.left > DAY else [])]
        moments = [self._ran(seat, clock, one.at) for one in written]
        after_take_back = clock.resumed is not None
        for mark in marks:
            passed = self._ran(seat, clock, stop) > mark + LATE
            if passed and not after_take_back and not _near(mark, moments):
                self._trouble("reminders missing", f"seat {seat}, after {mark} by {stop}")
        for one, moment in zip(written, moments, strict=True):
            # A pause moves the first reminder, or repeats it once the pause is over.
            left = clock.left - ran(clock.since, one.since, self.spans[seat], zone)
            repeated = ran(clock.since, one.since, self.spans[seat], zone) + left * REMIND_AFTER
            if not after_take_back and not _near(moment, [*marks, repeated]):
                self._trouble("reminders at odd times", f"{one}, {moment} of {clock.left}")


def _near(at: timedelta, others: Iterable[timedelta]) -> bool:
    return any(abs(at - other) <= LATE for other in others)


def _commits(log: Sequence[LogEntry]) -> list[list[LogEntry]]:
    """Return the entries that were written together."""
    commits: list[list[LogEntry]] = []
    for entry in log:
        if entry.part == 0 or not commits:
            commits.append([])
        commits[-1].append(entry)
    return commits


def _turns(commit: Sequence[LogEntry], seat: int) -> int:
    """Return how many turns of a seat have ended."""
    events = (event for entry in commit for event in entry.events)
    return sum(event["type"] == TURN_ENDED and event["seat"] == seat for event in events)


def _reminders(match_id: int) -> list[Reminder]:
    """Return the reminders that time is short which were written about a match."""
    found = []
    rows = Notification.objects.filter(kind=TIME_SHORT, page_key=f"match:{match_id}")
    for key, created in rows.values_list("key", "created"):
        _, _, seat, rest = str(key).split(":", 3)
        since, _, stage = rest.rsplit(":", 2)
        found.append(Reminder(int(seat), datetime.fromisoformat(since), stage, created))
    return found


# --- Mails ----------------------------------------------------------------------------------------


class MailAccount:
    """The outcome of each notification, and whether its reader's preferences explain it."""

    def __init__(
        self,
        rows: Sequence[Notification],
        people: Sequence[Person],
        counted: Counted,
        end: datetime,
    ) -> None:
        self.rows, self.counted, self.end = rows, counted, end
        self.people = {person.user.pk: person for person in people}
        self.latest = {_group(row): row.pk for row in rows}
        versions = LogEntry.objects.order_by("number").values_list("match", "number")
        self.versions = dict(versions)
        self.sent: defaultdict[str, list[datetime]] = defaultdict(list)

    def compare(self, posted: Sequence[Posted]) -> None:
        """Compare notifications and mails, in both directions."""
        moments = {(mail.to, mail.at): mail for mail in posted}
        told: Counter[str] = Counter()
        lost = self.counted.troubles["mails not accounted for"]
        for one in posted:
            self.sent[one.to].append(one.at)
        for row in self.rows:
            self.counted.states[row.mail_state] += 1
            mail = moments.get((row.recipient.email, row.sent_at)) if row.sent_at else None
            if mail:
                told[mail.id] += 1
            if not (self._is_told(row, mail) if mail else self._is_untold(row)):
                what = f"{row} to {row.recipient}: {row.mail_state}"
                lost.append(f"{what}, {row.created}, {row.sent_at}")
        self.counted.several = sum(number > 1 for number in told.values())
        # Each mail was sent for one notification, into which others may have been merged.
        if not len(told) == len(posted) == self.counted.states[State.SENT]:
            lost.append(f"{len(posted)} mails, of which {len(told)} tell something")

    def _is_told(self, row: Notification, mail: Posted) -> bool:
        """Whether a notification is in a mail that was wanted, and wanted then."""
        about, _, number = row.page_key.partition(":")
        leads = about != "match" or f"/matches/{number}/" in mail.pages
        is_named = row.mail_state in (State.SENT, State.MERGED)
        is_wanted = row.kind not in self.people[row.recipient_id].mail_off
        return leads and is_named and is_wanted and self._is_in_time(row)

    def _is_in_time(self, row: Notification) -> bool:
        """Whether a mail was sent at a time that its reader's preferences allow."""
        person, waited = self.people[row.recipient_id], _waited(row)
        if row.kind in REMINDERS:
            return waited <= DAY
        if row.kind == ANSWER:
            return waited <= LATE
        if person.quiet and _is_quiet(row, *person.quiet):
            # Only beside a reminder that could not wait; those are looked for among the mails.
            return row.mail_state == State.MERGED
        if row.kind in person.daily or person.quiet:
            return waited <= 10 * HOUR + (DAY if row.kind in person.daily else timedelta())
        if waited <= LATE:
            return True
        # Without quiet hours only the bound of an hour delays a mail, until another one may go.
        begin, end = row.created + LATE - HOUR, row.created + LATE
        before = sum(begin <= at <= end for at in self.sent[row.recipient.email])
        is_held = before >= MOST_AN_HOUR and waited <= HOUR
        self.counted.held += is_held
        return is_held

    def _is_untold(self, row: Notification) -> bool:
        """Whether there was a reason not to mail a notification, or not yet."""
        person = self.people[row.recipient_id]
        is_muted = row.kind not in REMINDERS and row.page_key in person.muted
        return {
            State.OFF: row.kind in person.mail_off or is_muted,
            State.SEEN: row.seen_at is not None,
            State.REPLACED: self.latest[_group(row)] > row.pk,
            State.OVER: self._is_over(row),
            # What is due at the end itself is not sent any more.
            State.DUE: row.next_try >= self.end or row.created > self.end - LATE,
        }.get(State(row.mail_state), False)

    def _is_over(self, row: Notification) -> bool:
        """Whether a match or a challenge has continued since."""
        if row.kind == CHALLENGE:
            challenge = row.payload["challenge"]
            waiting = Challenge.objects.filter(pk=challenge, status=Challenge.Status.OPEN)
            invited = Invitation.objects.filter(state=Invitation.State.INVITED, user=row.recipient)
            return not waiting.exists() or not invited.filter(challenge=challenge).exists()
        return row.kind in OVER and self.versions[row.payload["match"]] > row.payload["version"]


def _is_quiet(row: Notification, begin: int, end: int) -> bool:
    assert row.sent_at
    hour = row.sent_at.astimezone(row.recipient.zone).hour
    return begin <= hour < end if begin < end else hour >= begin or hour < end


def _waited(row: Notification) -> timedelta:
    assert row.sent_at
    return row.sent_at - row.created


def _group(row: Notification) -> tuple[int, str, str]:
    """Return what a later notification replaces an earlier one in."""
    return row.recipient_id, row.page_key, "match" if row.kind in COURSE else row.kind


def _check_bounds(rows: Sequence[Notification], posted: Sequence[Posted], counted: Counted) -> None:
    """Check the maximum number of mails per hour, without reminders and answers."""
    urgent = {(row.recipient.email, row.sent_at) for row in rows if row.kind in URGENT}
    moments: defaultdict[str, list[datetime]] = defaultdict(list)
    for mail in posted:
        moments[mail.to].append(mail.at)
        within = len(moments[mail.to]) - bisect_right(moments[mail.to], mail.at - HOUR)
        counted.most_an_hour = max(counted.most_an_hour, within)
        if within > MOST_AN_HOUR and (mail.to, mail.at) not in urgent:
            sentence = f"{within} mails to {mail.to} in the hour before {mail.at}"
            counted.troubles["mails beyond the bound"].append(sentence)


def _overdrawn(people: Sequence[Person]) -> Iterator[str]:
    """Recount each player's vacation day by day, and report excesses."""
    for person in people:
        mine = list(Vacation.objects.filter(user=person.user).order_by("begin"))
        left, at = 0.0, person.user.date_joined
        for one in mine:
            days = (one.begin - at) // DAY
            left = min(left + max(days, 0) * 30 / 365, 30) - (one.end - one.begin) / DAY
            at = one.end
            if left < -ROUNDING or one.end - one.begin < DAY:
                yield f"{person.user}: {one}, {left:.3f} days left"
        automatic = [one.begin for one in mine if one.automatic]
        if any(b - a < 365 * DAY for a, b in pairwise(automatic)):
            yield f"{person.user}: two automatic vacations within a year"
        if any(b.begin < a.end for a, b in pairwise(mine)):
            yield f"{person.user}: two vacations at once"
