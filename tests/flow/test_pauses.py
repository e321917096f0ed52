"""Clocks that stand still: every reason on its own, compared with a reference that counts."""

import math
import random
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from accounts import notifications
from accounts.models import Notification
from games.kernel.errors import MatchOver
from games.matches import clock as clocks
from games.matches import formatting, pauses, selectors, services
from games.matches.clock import DAY, FOREVER, Clock, deadline, running, weekends
from games.matches.clocks import outages, standstill, sweeps, time_given, vacations
from games.matches.errors import RULES, OutOfTime, Refused, Unreadable
from games.matches.log import log_entries
from games.matches.models import Outage, Player, Sweep, Vacation
from games.matches.pauses import Reason
from games.matches.play import substitutes, unreadable
from tests.fixtures import NOW
from tests.sampling import rest_thorough

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)

AUGUST = datetime(2027, 8, 1, 12, tzinfo=UTC)
"""A year from here holds a leap day, and clock changes both ways in every zone that has them."""

ZONES = (
    "Europe/Prague",
    "America/New_York",
    "Australia/Lord_Howe",  # half an hour forwards and back
    "Africa/Cairo",  # forwards on a Friday at midnight
    "America/Havana",  # back into Sunday's first hour
    "Pacific/Chatham",
    "UTC",
)


@pytest.fixture
def moderator(people):
    return people[3]


# --- The reference: a byte for each second, set where the clock stands still ----------------------

SECONDS = 520 * 24 * 3600
"""The span that is counted, from ``AUGUST``: the year, and what is known of deadlines after it."""


@lru_cache(maxsize=1)
def weekend_seconds(zone):
    """Return the seconds of weekends; clocks show every minute what day it is."""
    found = bytearray(SECONDS)
    place = ZoneInfo(zone or "UTC")
    for second in range(0, SECONDS if zone else 0, 60):
        if datetime.fromtimestamp(AUGUST.timestamp() + second, place).weekday() >= 5:
            found[second : second + 60] = b"\1" * 60
    return bytes(found)


def index(moment):
    return min(int((moment - AUGUST) / SECOND), SECONDS) if moment != FOREVER else SECONDS


class Seconds:
    """When a clock stands still, second by second."""

    def __init__(self, zone, spans):
        self.spans = spans
        self.still = bytearray(weekend_seconds(zone))
        for begin, end in spans:
            at, until = index(begin), index(end)
            self.still[at:until] = b"\1" * (until - at)

    def counted(self, since, now):
        """Return how long a clock ran."""
        return self.still.count(0, index(since), index(now)) * SECOND

    def deadline(self, left, since):
        """Return when ``left`` has run out, ``None`` if it never does."""
        at, todo = index(since), int(left / SECOND)
        while todo:
            at = self.still.find(0, at)
            if at < 0:
                return None
            # Of so many seconds no more can count.
            step = todo
            todo -= self.still.count(0, at, at + step)
            at += step
        return AUGUST + at * SECOND


# --- Weekends -------------------------------------------------------------------------------------


@pytest.mark.parametrize("zone", ZONES)
def test_weekends_are_saturdays_and_sundays_by_the_clocks_of_the_zone(zone):
    """Looked at a second before and after each edge, and every ten minutes between."""
    place = ZoneInfo(zone)
    for begin, end in islice(weekends(zone, AUGUST), 53):
        for edge, inside in ((begin, begin), (end, end - SECOND)):
            assert inside.astimezone(place).weekday() >= 5
            outside = begin - SECOND if edge == begin else end
            assert outside.astimezone(place).weekday() < 5
        minutes = range(0, int((end - begin) / MINUTE), 10)
        assert all((begin + m * MINUTE).astimezone(place).weekday() >= 5 for m in minutes)


@pytest.mark.parametrize("day", range(7))
def test_the_first_weekend_goes_on_or_is_the_next(day):
    since = datetime(2026, 11, 16 + day, 12, tzinfo=UTC)
    begin, end = next(weekends("UTC", since))
    assert (begin, end) == (datetime(2026, 11, 21, tzinfo=UTC), datetime(2026, 11, 23, tzinfo=UTC))


def test_a_weekend_in_which_clocks_change_is_an_hour_longer_or_shorter():
    spring = datetime(2027, 3, 24, tzinfo=UTC)
    autumn = datetime(2027, 10, 27, tzinfo=UTC)
    lengths = [end - begin for begin, end in (next(weekends("Europe/Prague", spring)),)]
    lengths += [end - begin for begin, end in (next(weekends("Europe/Prague", autumn)),)]
    assert lengths == [47 * HOUR, 49 * HOUR]


def test_pauses_may_overlap():
    spans = [(NOW, NOW + 4 * HOUR), (NOW + HOUR, NOW + 2 * HOUR), (NOW + 3 * HOUR, NOW + 6 * HOUR)]
    assert running(NOW, NOW + 7 * HOUR, spans) == HOUR
    assert deadline(HOUR, NOW, spans) == NOW + 7 * HOUR


def test_a_deadline_behind_an_open_pause_is_not_known_and_one_before_it_is():
    spans = [(NOW + 2 * HOUR, FOREVER)]
    assert deadline(HOUR, NOW, spans) == NOW + HOUR
    assert deadline(2 * HOUR, NOW, spans) == NOW + 2 * HOUR
    assert deadline(3 * HOUR, NOW, spans) is None
    assert clocks.reminders(3 * HOUR, NOW, spans) == []


# --- A year of a match --------------------------------------------------------------------------


class Year:
    """A match that is played, stopped and taken back at random, and a reference beside it."""

    def __init__(self, play, moderator, zone, seed):
        self.play, self.moderator, self.zone = play, moderator, zone
        self.random = random.Random(seed)
        self.now = AUGUST
        self.left = [play.player(seat).time_left for seat in (0, 1)]
        self.since = [self.now, None]
        self.before = None
        self.spans = [[], []]
        self.all = []
        self.deeds = []
        self.seconds = [Seconds(zone, []), Seconds(zone, [])]
        self.reminded_clock = (self.now, self.left[0])
        self.stages = set()
        self.reminders = []

    def go_on(self):
        """Let time pass, not beyond a deadline, and do something."""
        until = self.now + timedelta(
            seconds=self.random.choice([61, 3600, 40_000, 200_003, 400_000, 900_001])
        )
        mover = 0 if self.since[0] else 1
        due = self.deadline(mover)
        if due is not None:
            until = min(until, due - SECOND)
        self.remind(mover, until)
        self.now = until
        deeds = [self.move, self.move, self.move, self.take_back, self.stop, self.run_on]
        self.random.choice([*deeds, self.vacation, self.outage])(mover)
        self.changed()
        self.compare()
        self.remind(0 if self.since[0] else 1, self.now)

    def marks(self, seat):
        """Return the reminders of the running clock that are still to come."""
        since, left = self.reminded_clock
        spans = {math.ceil(left * 0.8 / SECOND): "short"}
        if left > DAY:
            spans[int((left - DAY) / SECOND)] = "day"
        for span, stage in sorted(spans.items()):
            mark = self.seconds[seat].deadline(span * SECOND, since)
            if stage not in self.stages and mark is not None:
                yield mark, stage

    def remind(self, seat, until):
        """Sweep a second before each reminder, at it, and in the end; none may come else."""
        for mark, _ in list(self.marks(seat)):
            if self.now < mark <= until:
                self.sweep_reminders(seat, mark - SECOND)
                self.sweep_reminders(seat, mark)
        self.sweep_reminders(seat, until)

    def sweep_reminders(self, seat, now):
        due = [stage for mark, stage in self.marks(seat) if mark <= now]
        if due:
            self.stages.update(due)
            self.reminders.append((self.play.people[seat].pk, due[-1], now))
        sweeps.remind(now=now)
        rows = Notification.objects.filter(kind="time-short").order_by("pk")
        written = [(row.recipient_id, row.key.rpartition(":")[2], row.created) for row in rows]
        assert written == self.reminders, self.deeds

    def changed(self):
        """Reload the pauses after a change."""
        for seat, spans in enumerate(self.spans):
            if self.seconds[seat].spans != [*spans, *self.all]:
                self.seconds[seat] = Seconds(self.zone, [*spans, *self.all])

    def deadline(self, seat):
        return self.seconds[seat].deadline(self.left[seat], self.since[seat])

    def compare(self):
        for seat in (0, 1):
            player, since = self.play.player(seat), self.since[seat]
            if since is None:
                assert player.deadline is None
                assert player.time_left == self.left[seat], self.deeds
                continue
            assert player.deadline == self.deadline(seat), self.deeds
            ran = self.seconds[seat].counted(since, self.now)
            assert pauses.left(player, self.now) == self.left[seat] - ran, self.deeds

    def move(self, mover):
        self.deeds.append("move")
        self.before = (mover, self.left[mover], self.since[mover])
        ran = self.seconds[mover].counted(self.since[mover], self.now)
        left = self.left[mover] - ran
        self.left[mover] = max(left, min(left + 2 * DAY, 20 * DAY))
        self.since = [None, self.now] if mover == 0 else [self.now, None]
        self.play.move(mover, "1", now=self.now)
        self.before = (*self.before, self.now, left)
        self.reminded_clock, self.stages = (self.now, self.left[1 - mover]), set()

    def take_back(self, mover):
        log = selectors.log(self.play.match)
        if self.before is None or not log_entries.has_take_backs_left(
            self.play.snapshot, log, log_entries.newest_move(log)
        ):
            return
        seat, left, since, moved, left_after = self.before
        due = self.seconds[seat].deadline(left, since)
        if due is not None and due <= self.now:
            with pytest.raises(Refused):
                self.play.act(services.take_back, seat, now=self.now)
            return
        self.deeds.append("take back")
        self.play.act(services.take_back, seat, now=self.now)
        self.before, self.left[seat] = None, left
        self.since = [since, None] if seat == 0 else [None, since]
        # The clock goes on as one that began to run when the move was made.
        self.reminded_clock, self.stages = (moved, left_after), set()

    def stop(self, _mover):
        if any(begin <= self.now < end for begin, end in self.all):
            return
        self.deeds.append("stop")
        until = self.random.choice([None, self.now + timedelta(seconds=300_007)])
        self.all.append((self.now, until or FOREVER))
        standstill.stop_clocks(
            match_id=self.play.id,
            moderator=self.moderator,
            reason="to look at it",
            now=self.now,
            until=until,
        )

    def run_on(self, _mover):
        ours = [span for span in self.all if span[0] <= self.now < span[1]]
        if not ours:
            return
        self.deeds.append("run on")
        self.all = [(b, min(e, self.now)) if (b, e) in ours else (b, e) for b, e in self.all]
        standstill.resume_clocks(
            match_id=self.play.id, moderator=self.moderator, reason="seen", now=self.now
        )

    def vacation(self, _mover):
        self.deeds.append("vacation")
        seat = self.random.choice([0, 1])
        past = [(b, e) for b, e in self.spans[seat] if b < self.now]
        begin = self.now + self.random.choice([timedelta(), 3 * DAY, timedelta(seconds=100_003)])
        self.spans[seat] = [*past, (begin, begin + self.random.choice([1, 4, 9]) * DAY)]
        user = self.play.people[seat]
        Vacation.objects.filter(user=user).delete()
        for first, last in self.spans[seat]:
            Vacation.objects.create(user=user, begin=first, end=last)
        vacations.apply(user, self.now)

    def outage(self, _mover):
        began = self.now - self.random.choice([7 * HOUR, timedelta(seconds=30_011)])
        if began < max(filter(None, self.since)):
            return
        self.deeds.append("outage")
        self.all.append((began, self.now))
        Outage.objects.create(began=began, ended=self.now)
        outages.finalize()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "zone"),
    rest_thorough([(2, "Europe/Prague"), (1, ""), *((3, zone) for zone in ZONES[1:])], unpack=True),
)
def test_a_year_of_moves_and_pauses_agrees_with_the_reference(start, moderator, zone, seed):
    clock = Clock(10 * DAY, 2 * DAY, 20 * DAY, zone)
    play = start(clock=clock, now=AUGUST, heap=100)
    year = Year(play, moderator, zone, seed)
    while year.now < AUGUST + 366 * DAY and play.match.is_running and len(year.deeds) < 60:
        year.go_on()
    assert {"move", "stop", "run on", "vacation"} <= set(year.deeds)
    assert sum(deed == "move" for deed in year.deeds) > 10
    assert {stage for _, stage, _ in year.reminders} == {"short", "day"}


# --- Moderators -----------------------------------------------------------------------------------


def stop(play, moderator, now, **kwargs):
    return standstill.stop_clocks(
        match_id=play.id, moderator=moderator, reason="to look at it", now=now, **kwargs
    )


def run_on(play, moderator, now):
    return standstill.resume_clocks(match_id=play.id, moderator=moderator, reason="seen", now=now)


def test_a_moderator_stops_all_clocks_and_lets_them_run_on(play, moderator):
    stop(play, moderator, NOW + DAY)
    assert play.player(0).deadline is None
    Sweep.objects.create(name=selectors.DEADLINES, ran=NOW + 40 * DAY - MINUTE)
    assert sweeps.sweep_deadlines(now=NOW + 40 * DAY) == 0
    assert sweeps.remind(now=NOW + 40 * DAY) == 0
    run_on(play, moderator, NOW + 40 * DAY)
    assert play.player(0).deadline == NOW + 42 * DAY
    assert play.kinds() == ["pause", "resume"]


def test_moves_can_be_made_meanwhile_and_no_clock_runs_for_them(play, moderator):
    stop(play, moderator, NOW + DAY)
    play.move(0, "1", now=NOW + 9 * DAY)
    first, second = play.player(0), play.player(1)
    assert first.time_left == 3 * DAY, "a day was used and one was earned"
    assert (second.deadline, second.clock_since) == (None, NOW + 9 * DAY)
    run_on(play, moderator, NOW + 10 * DAY)
    assert play.player(1).deadline == NOW + 13 * DAY


def test_a_stop_with_an_end_needs_nobody_to_end_it(play, moderator):
    stop(play, moderator, NOW + DAY, until=NOW + 5 * DAY)
    assert play.player(0).deadline == NOW + 7 * DAY
    with pytest.raises(Refused):
        run_on(play, moderator, NOW + 6 * DAY)


def test_clocks_are_stopped_once_and_for_a_reason(play, moderator):
    with pytest.raises(Refused, match="reason"):
        standstill.stop_clocks(match_id=play.id, moderator=moderator, reason=" ", now=NOW)
    with pytest.raises(Refused):
        run_on(play, moderator, NOW)
    with pytest.raises(Refused):
        stop(play, moderator, NOW, until=NOW)
    stop(play, moderator, NOW)
    with pytest.raises(Refused):
        stop(play, moderator, NOW)
    assert play.kinds() == ["pause"]


def test_time_that_has_run_out_is_not_given_back_by_a_stop(play, moderator):
    with pytest.raises(OutOfTime):
        stop(play, moderator, NOW + 3 * DAY)
    services.time_out(match_id=play.id, now=NOW + 3 * DAY)
    with pytest.raises(MatchOver):
        stop(play, moderator, NOW + 3 * DAY)


def test_moderators_leave_the_clocks_of_their_own_matches_alone(play, people, moderator):
    with pytest.raises(Refused, match="You play"):
        stop(play, people[0], NOW)
    stop(play, moderator, NOW)
    with pytest.raises(Refused, match="You play"):
        run_on(play, people[1], NOW)


@pytest.mark.parametrize("until", [datetime(9999, 12, 31, tzinfo=UTC), NOW + 367 * DAY])
def test_clocks_are_stopped_for_a_year_at_most(play, moderator, until):
    how = {"moderator": moderator, "reason": "A reason.", "now": NOW}
    with pytest.raises(Refused, match="366 days"):
        standstill.stop_clocks(match_id=play.id, until=until, **how)
    standstill.stop_clocks(match_id=play.id, until=NOW + 366 * DAY, **how)


def test_reasons_are_told_as_long_as_they_hold(start, moderator):
    friday = datetime(2026, 11, 20, 12, tzinfo=UTC)
    play = start(clock=Clock(3 * DAY, DAY, 7 * DAY, "UTC"), now=friday)
    assert pauses.reasons(play.player(0), friday) == []
    assert pauses.reasons(play.player(0), friday + DAY) == [Reason.WEEKEND]
    stop(play, moderator, friday + DAY)
    assert pauses.reasons(play.player(0), friday + DAY) == [Reason.WEEKEND, Reason.MODERATOR]
    assert pauses.until(play.player(0), friday + DAY) is None
    run_on(play, moderator, friday + 1.5 * DAY)
    assert pauses.until(play.player(0), friday + 1.5 * DAY) == datetime(2026, 11, 23, tzinfo=UTC)
    assert play.player(0).deadline == friday + 5 * DAY


def test_a_match_without_a_clock_can_be_stopped_and_shows_nothing(start, moderator):
    play = start(clock=None)
    stop(play, moderator, NOW)
    assert pauses.reasons(play.player(0), NOW) == []
    assert pauses.left(play.player(0), NOW) is None


def test_a_reminder_that_was_sent_is_not_sent_again_after_a_stop(start, moderator):
    play = start(clock=Clock(10 * DAY, DAY, 10 * DAY))
    assert sweeps.remind(now=NOW + 8 * DAY) == 1
    stop(play, moderator, NOW + 8.5 * DAY)
    run_on(play, moderator, NOW + 18.5 * DAY)
    sweeps.remind(now=NOW + 18.5 * DAY)
    assert play.people[0].notifications.filter(kind="time-short").count() == 1
    sweeps.remind(now=NOW + 19 * DAY)
    assert play.people[0].notifications.filter(kind="time-short").count() == 2
    left = 1.5 * DAY
    assert Player.objects.get(match_id=play.id, seat=0).remind_at == NOW + 18.5 * DAY + 0.8 * left


@pytest.mark.parametrize("left", [timedelta(hours=6), DAY, 1.5 * DAY])
def test_the_end_of_a_stop_is_no_reason_to_remind(start, moderator, left):
    """Brisk: the clocks stop, a move is made, and the clocks run on with all the time left."""
    play = start(clock=Clock(left, timedelta(), left))
    stop(play, moderator, NOW + HOUR)
    play.move(0, "1", now=NOW + 2 * HOUR)
    run_on(play, moderator, NOW + 5 * HOUR)
    assert pauses.left(play.player(1), NOW + 5 * HOUR) == left
    assert sweeps.remind(now=NOW + 5 * HOUR + MINUTE) == 0
    assert sweeps.remind(now=NOW + 5 * HOUR + left * 0.8) == 1


def test_the_end_of_a_vacation_is_no_reason_to_remind(start):
    play = start(clock=Clock(DAY, timedelta(), DAY))
    bruno = play.people[1]
    bruno.date_joined = NOW - 90 * DAY
    bruno.save()
    vacations.plan(user=bruno, begin=None, end=NOW + 5 * DAY, shows_end=True, now=NOW)
    play.move(0, "1", now=NOW + HOUR)
    for hours in range(24, 5 * 24 + 12, 12):
        assert sweeps.remind(now=NOW + hours * HOUR) == 0
    assert sweeps.remind(now=NOW + 5 * DAY + 20 * HOUR) == 1


def test_an_automatic_vacation_repeats_no_reminder(start):
    play = start(clock=Clock(10 * HOUR, timedelta(), 10 * HOUR))
    ada = play.people[0]
    ada.date_joined, ada.auto_vacation = NOW - 90 * DAY, True
    ada.save()
    assert sweeps.remind(now=NOW + 8 * HOUR) == 1
    begin = NOW + 9.5 * HOUR
    assert vacations.rescue(now=begin) == 1
    for hours in range(0, 8 * 24, 6):
        sweeps.remind(now=begin + hours * HOUR)
    assert ada.notifications.filter(kind="time-short").count() == 1


# --- When clocks run on --------------------------------------------------------------------------


def told(kind):
    found = Notification.objects.filter(kind=kind).order_by("pk")
    return [one.recipient.username for one in found]


def agree_to_pause(play, now):
    play.act(services.offer_pause, 1, now=now)
    play.act(services.accept_offer, 0, now=now)


def remind(since, until, every=HOUR / 2):
    """Run the reminders now and then, as the site does every minute."""
    at = since
    while at <= until:
        sweeps.remind(now=at)
        at += every


@pytest.fixture
def short(start):
    """A match of a day's time, of which 20 hours are gone: ada has been reminded."""
    play = start(clock=Clock(DAY, DAY, DAY))
    remind(NOW, NOW + 20 * HOUR)
    assert told("time-short") == ["ada"]
    return play


def by_opponent(play, moderator):
    agree_to_pause(play, NOW + 20 * HOUR)
    play.act(services.end_pause, 1, now=NOW + 7 * DAY)
    return NOW + 7 * DAY


def by_the_player(play, moderator):
    agree_to_pause(play, NOW + 20 * HOUR)
    play.act(services.end_pause, 0, now=NOW + 7 * DAY)
    return NOW + 7 * DAY


def by_thirty_days(play, moderator):
    agree_to_pause(play, NOW + 20 * HOUR)
    return NOW + 20 * HOUR + 30 * DAY


def by_moderator(play, moderator):
    stop(play, moderator, NOW + 20 * HOUR)
    run_on(play, moderator, NOW + 7 * DAY)
    return NOW + 7 * DAY


def by_its_end(play, moderator):
    stop(play, moderator, NOW + 20 * HOUR, until=NOW + 7 * DAY)
    return NOW + 7 * DAY


def by_a_substitute(play, moderator):
    stop(play, moderator, NOW + 20 * HOUR)
    how = {"moderator": moderator, "reason": "gone", "user": play.people[2], "seat": 1}
    substitutes.swap_in(match_id=play.id, now=NOW + 7 * DAY, **how)
    return NOW + 7 * DAY


WAYS = [by_opponent, by_thirty_days, by_moderator, by_its_end, by_a_substitute]


@pytest.mark.parametrize("way", WAYS)
def test_who_is_to_move_is_told_that_the_clock_runs_on_and_reminded_again(short, moderator, way):
    at = way(short, moderator)
    remind(at - DAY - HOUR, at - HOUR)
    Notification.objects.filter(kind="pause-ends", created__lt=at).delete()
    remind(at, at + 3 * HOUR)
    assert told("pause-ends") == ["ada"]
    assert told("time-short") == ["ada"]
    mail = notifications.render(Notification.objects.get(kind="pause-ends"))
    assert mail.subject == "The pause is over: Heap against " + short.player(1).user.username
    remind(at + 3 * HOUR, at + 4 * HOUR - MINUTE)
    assert told("time-short") == ["ada", "ada"]
    assert told("pause-ends") == ["ada"]
    assert short.player(0).deadline == at + 4 * HOUR


def test_who_ends_a_pause_oneself_is_not_told(short, moderator):
    at = by_the_player(short, moderator)
    remind(at, at + 4 * HOUR)
    assert told("pause-ends") == []
    assert told("time-short") == ["ada", "ada"]


def test_of_a_clock_that_still_stands_nothing_is_told(short, moderator):
    agree_to_pause(short, NOW + 20 * HOUR)
    stop(short, moderator, NOW + 22 * HOUR)
    short.act(services.end_pause, 1, now=NOW + DAY)
    remind(NOW + DAY, NOW + 2 * DAY)
    assert told("pause-ends") == []
    run_on(short, moderator, NOW + 3 * DAY)
    assert told("pause-ends") == ["ada"]


@pytest.mark.parametrize("way", [by_thirty_days, by_its_end])
def test_a_day_before_a_pause_ends_by_itself_who_is_to_move_is_warned(short, moderator, way):
    at = way(short, moderator)
    remind(NOW + 21 * HOUR, at - DAY - HOUR, every=6 * HOUR)
    assert told("pause-ends") == []
    remind(at - DAY, at - HOUR)
    assert told("pause-ends") == ["ada"]
    mail = notifications.render(Notification.objects.get(kind="pause-ends"))
    assert mail.subject == "A pause ends soon: Heap against bruno"
    assert f"The pause ends on {formatting.exact(at)}." in mail.text
    short.move(0, "1", now=at - HOUR)
    remind(at, at + HOUR)
    assert told("pause-ends") == ["ada", "bruno"], "who is to move by then"


def test_clocks_of_a_match_that_can_be_read_again_run_on_and_its_players_hear_of_it(short):
    error = Unreadable(short.match, RULES)
    unreadable.set_aside(short.id, error, now=NOW + 21 * HOUR)
    unreadable.look_again(now=NOW + 7 * DAY)
    assert told("pause-ends") == ["ada"]
    assert short.player(0).deadline == NOW + 8 * DAY


def test_after_a_vacation_the_reminder_comes_again(short):
    ada = short.people[0]
    ada.date_joined = NOW - 90 * DAY
    ada.save()
    vacations.plan(user=ada, begin=None, end=NOW + 3 * DAY, shows_end=True, now=NOW + 20 * HOUR)
    remind(NOW + 21 * HOUR, NOW + 3 * DAY + 4 * HOUR)
    assert told("vacation-ending") == ["ada"]
    assert told("time-short") == ["ada", "ada"]


def test_who_is_given_more_time_is_reminded_of_that_too(start):
    play = start(clock=Clock(10 * DAY, DAY, 10 * DAY))
    assert sweeps.remind(now=NOW + 8 * DAY) == 1
    time_given.give(play.id, spare=1, span=10 * DAY, now=NOW + 8.5 * DAY)
    assert [sweeps.remind(now=NOW + day * DAY) for day in (8.6, 15.9, 16, 18.9, 19)] == [
        0,
        0,
        1,
        0,
        1,
    ]


def test_stored_pauses_read_as_they_were_written():
    for pause in (
        pauses.PlayerPause(Reason.VACATION, NOW, NOW + DAY),
        pauses.PlayerPause(Reason.MODERATOR, NOW),
        pauses.PlayerPause(Reason.VACATION, NOW, NOW + DAY, hidden=True),
    ):
        assert pauses.PlayerPause.load(pause.dump()) == pause
