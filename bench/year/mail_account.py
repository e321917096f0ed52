"""An account of each notification and mail: what was written, its outcome, and why."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise

from accounts.models import Notification
from bench.year.clock_account import REMINDERS, Counted
from bench.year.habits import Habits
from bench.year.plain import DAY
from bench.year.visits import Diary, Person
from bench.year.world import Posted
from games.lobby.models import Challenge, Invitation
from games.matches.models import LogEntry, Vacation

HOUR = timedelta(hours=1)
MOST_AN_HOUR = 6
AT_ONCE = timedelta(seconds=80)
"""A page that was just left, and a tick of the mailer."""

ROUNDING = 1e-6
"""Tolerance of a sum, in days."""

CHALLENGE = "challenge-received"
ANSWER = "move-answered"
COURSE = {"your-turn", "time-short", "match-started", "dropped-out", "match-ended"}
"""Of these about one match the latest replaces earlier ones."""

OVER = {"your-turn", *REMINDERS, "offer-made"}
"""These become outdated when the match continues."""

State = Notification.MailState


@dataclass
class Mailed:
    """The result of the account of mails: sentences about unexplained ones.

    ``several`` mails have more than one subject. ``held`` is the number of notifications that
    waited since their reader had been sent the maximum number of mails in an hour.
    """

    mails: int = 0
    states: Counter[str] = field(default_factory=Counter)
    events: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    most_an_hour: int = 0
    several: int = 0
    held: int = 0
    too_many: list[str] = field(default_factory=list)


def account_mails(
    people: Sequence[Person],
    diary: Diary,
    counted: Counted,
    posted: Sequence[Posted],
    end: datetime,
) -> Mailed:
    """Account for all notifications and mails up to the end of the simulation."""
    mailed = Mailed(mails=len(posted))
    rows = list(Notification.objects.select_related("recipient").order_by("pk"))
    mailed.states = Counter(row.mail_state for row in rows)
    _compare_events(rows, diary, counted, end, mailed)
    _States(rows, people, diary, end).check(posted, mailed)
    _check_bounds(rows, posted, mailed)
    return mailed


def _compare_events(
    rows: Sequence[Notification], diary: Diary, counted: Counted, end: datetime, mailed: Mailed
) -> None:
    """Compare written with expected notifications. Reminders are compared by the clocks."""
    expected = Counter[tuple[int, str, int]]()
    expected.update((user, f"{kind} {version}", pk) for user, kind, pk, version in counted.expected)
    expected.update((user, kind, pk) for user, kind, pk in diary.told)
    for user, kind, pk in _vacations(diary, end):
        expected[user, kind, pk] += 1
    written = Counter(_event(row) for row in rows if not _is_reminder(row))
    for event, number in (expected - written).items():
        mailed.events.append(f"{number} of {event} was not written")
    for event, number in (written - expected).items():
        mailed.events.append(f"{number} of {event} has no event")


def _is_reminder(row: Notification) -> bool:
    """Whether the account of the clocks has counted it. Those with an entry are events."""
    if row.kind == "pause-ends":
        return str(row.key).count(":") > len(("match", "version"))
    return row.kind in (*REMINDERS, "left-at-once")


def _event(row: Notification) -> tuple[int, str, int]:
    if row.kind.startswith("challenge-"):
        return row.recipient_id, row.kind, row.payload["challenge"]
    if row.kind.startswith("vacation-"):
        return row.recipient_id, row.kind, int(str(row.key).rpartition(":")[2])
    return row.recipient_id, f"{row.kind} {row.payload['version']}", row.payload["match"]


def _vacations(diary: Diary, end: datetime) -> list[tuple[int, str, int]]:
    """Return the vacations whose owners must have been notified."""
    found = []
    for one in Vacation.objects.all():
        if one.automatic:
            found.append((one.user_id, "vacation-begun", one.pk))
        mine = [v for v in diary.vacations if (v[0], v[3]) == (one.user_id, one.begin)]
        if any(_was_ending(*known[1:], until=end) for known in mine):
            found.append((one.user_id, "vacation-ending", one.pk))
    return found


def _was_ending(
    since: datetime, changed: datetime | None, begin: datetime, end: datetime, *, until: datetime
) -> bool:
    """Whether a minute began on the last day of a vacation, before it was changed or ended."""
    last_day = max(since, begin, end - DAY)
    minute = datetime.fromtimestamp(-(-last_day.timestamp() // 60) * 60, last_day.tzinfo)
    return end - begin > DAY and minute < min(changed or end, end, until)


class _States:
    """The outcome of each notification, and whether its reader's preferences explain it."""

    def __init__(
        self, rows: Sequence[Notification], people: Sequence[Person], diary: Diary, end: datetime
    ) -> None:
        self.habits = {person.user.pk: person.habits for person in people}
        self.rows, self.diary, self.end = rows, diary, end
        self.latest, self.versions = _latest(rows), _versions()
        self.sent: defaultdict[str, list[datetime]] = defaultdict(list)

    def check(self, posted: Sequence[Posted], mailed: Mailed) -> None:
        """Compare notifications and mails, in both directions."""
        moments = {(mail.to, mail.at): mail for mail in posted}
        told = Counter[str]()
        for one in posted:
            self.sent[one.to].append(one.at)
        for row in self.rows:
            mail = moments.get((row.recipient.email, row.sent_at)) if row.sent_at else None
            if mail:
                told[mail.id] += 1
                mailed.held += self._waited_for_room(row)
            if not (self._is_told(row, mail) if mail else self._is_untold(row)):
                what = f"{row} to {row.recipient}: {row.mail_state}"
                mailed.lost.append(f"{what}, {row.created}, {row.sent_at}")
        mailed.several = sum(number > 1 for number in told.values())
        # Each mail was sent for one notification, into which others may have been merged.
        if not len(told) == len(posted) == mailed.states[State.SENT]:
            mailed.lost.append(f"{len(posted)} mails, of which {len(told)} tell something")

    def _is_told(self, row: Notification, mail: Posted) -> bool:
        """Whether a notification is in a mail that was wanted, and wanted then."""
        habits = self.habits[row.recipient_id]
        is_named = row.mail_state in (State.SENT, State.MERGED)
        is_wanted = row.kind not in habits.mail_off
        in_time = _is_in_time(row, habits) or self._waited_for_room(row)
        return is_named and is_wanted and _leads_to(mail, row) and in_time

    def _waited_for_room(self, row: Notification) -> bool:
        """Whether a notification waited, but only until another mail was allowed."""
        assert row.sent_at
        habits, waited = self.habits[row.recipient_id], row.sent_at - row.created
        begin, end = row.created + AT_ONCE - HOUR, row.created + AT_ONCE
        before = [at for at in self.sent[row.recipient.email] if begin <= at <= end]
        # Quiet hours and the hour of the daily mail may come on top.
        prompt = habits.quiet is None and row.kind not in habits.daily
        is_full = len(before) >= MOST_AN_HOUR and waited > AT_ONCE
        return is_full and row.kind not in (*REMINDERS, ANSWER) and prompt and waited <= HOUR

    def _is_untold(self, row: Notification) -> bool:
        """Whether there was a reason not to mail a notification, or not yet."""
        is_off = row.kind in self.habits[row.recipient_id].mail_off
        return {
            State.OFF: is_off or (row.kind not in REMINDERS and _was_muted(row, self.diary)),
            State.SEEN: row.seen_at is not None,
            State.REPLACED: self.latest.get((row.recipient_id, row.page_key, _group(row)), 0)
            > row.pk,
            State.OVER: self._is_over(row),
            # What is due at the end itself is not sent any more.
            State.DUE: row.next_try >= self.end or row.created > self.end - AT_ONCE,
        }.get(State(row.mail_state), False)

    def _is_over(self, row: Notification) -> bool:
        """Whether a match or a challenge has continued since."""
        if row.kind == CHALLENGE:
            invited = {"challenge": row.payload["challenge"], "user": row.recipient}
            return not Invitation.objects.filter(state="invited", **invited).exists() or (
                not Challenge.objects.filter(pk=row.payload["challenge"], status="open").exists()
            )
        return row.kind in OVER and self.versions[row.payload["match"]] > row.payload["version"]


def _latest(rows: Sequence[Notification]) -> dict[tuple[int, str, str], int]:
    return {(row.recipient_id, row.page_key, _group(row)): row.pk for row in rows}


def _group(row: Notification) -> str:
    return "match" if row.kind in COURSE else row.kind


def _versions() -> dict[int, int]:
    found: defaultdict[int, int] = defaultdict(int)
    for match, number in LogEntry.objects.values_list("match", "number").order_by("number"):
        found[match] = number
    return found


def _was_muted(row: Notification, diary: Diary) -> bool:
    """Whether the page of a notification was muted at some time after it was written."""
    mine = [mute for mute in diary.mutes if tuple(mute[:2]) == (row.recipient_id, row.page_key)]
    return any(until is None or until > row.created for _, _, _, until in mine)


def _leads_to(mail: Posted, row: Notification) -> bool:
    about, _, number = row.page_key.partition(":")
    return about != "match" or f"/matches/{number}/" in mail.pages


def _is_in_time(row: Notification, habits: Habits) -> bool:
    """Whether a mail was sent at a time that its reader's preferences allow."""
    daily, quiet = habits.daily, habits.quiet
    assert row.sent_at
    if row.kind in REMINDERS:
        return row.sent_at - row.created <= DAY
    if row.kind == ANSWER:
        return row.sent_at - row.created <= AT_ONCE
    shown = row.sent_at.astimezone(row.recipient.zone)
    if quiet and _is_quiet(shown.hour, quiet):
        # Only beside a reminder that could not wait; those are looked for among the mails.
        return row.mail_state == State.MERGED
    waited = row.sent_at - row.created
    if row.kind in daily:
        return waited <= DAY + 10 * HOUR
    return waited <= AT_ONCE or (quiet is not None and waited <= 10 * HOUR)


def _is_quiet(hour: int, quiet: tuple[int, int]) -> bool:
    begin, end = quiet
    return begin <= hour < end if begin < end else hour >= begin or hour < end


def _check_bounds(rows: Sequence[Notification], posted: Sequence[Posted], mailed: Mailed) -> None:
    """Check the maximum number of mails per hour, without reminders and answers."""
    beyond = (*REMINDERS, ANSWER)
    urgent = {(row.recipient.email, row.sent_at) for row in rows if row.kind in beyond}
    moments: defaultdict[str, list[datetime]] = defaultdict(list)
    for mail in posted:
        moments[mail.to].append(mail.at)
    for to, sent in moments.items():
        for number, at in enumerate(sent, 1):
            within = number - bisect_right(sent, at - HOUR)
            mailed.most_an_hour = max(mailed.most_an_hour, within)
            if within > MOST_AN_HOUR and (to, at) not in urgent:
                mailed.too_many.append(f"{within} mails to {to} in the hour before {at}")


def vacations_overdrawn(people: Sequence[Person]) -> list[str]:
    """Recount each player's vacation day by day, and report excesses."""
    found = []
    for person in people:
        mine = list(Vacation.objects.filter(user=person.user).order_by("begin"))
        left, at = 0.0, person.user.date_joined
        for one in mine:
            days = (one.begin - at) // DAY
            left = min(left + max(days, 0) * 30 / 365, 30) - (one.end - one.begin) / DAY
            at = one.end
            if left < -ROUNDING or one.end - one.begin < DAY:
                found.append(f"{person.user}: {one}, {left:.3f} days left")
        automatic = [one.begin for one in mine if one.automatic]
        if any(b - a < 365 * DAY for a, b in pairwise(automatic)):
            found.append(f"{person.user}: two automatic vacations within a year")
        if any(b.begin < a.end for a, b in pairwise(mine)):
            found.append(f"{person.user}: two vacations at once")
    return found
