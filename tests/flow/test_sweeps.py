"""What happens by itself: deadlines, outages, reminders, expiry; twice is harmless."""

from datetime import timedelta

import pytest
from django.db import IntegrityError

from accounts.models import Notification
from games.matches import selectors, services, store
from games.matches.clock import DAY, Clock
from games.matches.clocks import sweeps
from games.matches.errors import OutOfTime
from games.matches.models import Match, Outage, Player, Sweep
from games.matches.notify import watching
from tests.fixtures import NOW

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def sweep_all_the_way(until, since=NOW):
    """Sweep every four minutes, as a site that is up would at least."""
    moment = since
    while moment < until:
        sweeps.sweep_deadlines(now=moment)
        moment += 4 * MINUTE
    return sweeps.sweep_deadlines(now=until)


def swept(moment):
    """Let the last sweep have been at a moment, as if the site had been up till then."""
    Sweep.objects.update_or_create(name=selectors.DEADLINES, defaults={"ran": moment})


def reminded():
    return Notification.objects.filter(kind="time-short").count()


def test_an_overdue_match_ends_and_only_once(play):
    swept(NOW + 3 * DAY - MINUTE)
    assert sweeps.sweep_deadlines(now=NOW + 3 * DAY) == 1
    assert play.match.ending == "timeout"
    assert sweeps.sweep_deadlines(now=NOW + 3 * DAY) == 0
    assert play.match.version == 1


def test_a_broken_match_does_not_stop_the_rest(start):
    broken, sound = start(), start()
    Match.objects.filter(pk=broken.id).update(position={"nonsense": True})
    swept(NOW + 3 * DAY)
    assert sweeps.sweep_deadlines(now=NOW + 3 * DAY) == 1
    assert broken.match.is_running
    assert sound.match.ending == "timeout"


def test_what_cannot_be_written_with_others_is_written_by_itself(start, monkeypatch):
    plays = [start(), start()]

    def refuse(changes):
        raise IntegrityError("one of them")

    monkeypatch.setattr(store, "commit_all", refuse)
    swept(NOW + 3 * DAY)
    assert sweeps.sweep_deadlines(now=NOW + 3 * DAY) == 2
    assert [play.match.ending for play in plays] == ["timeout", "timeout"]
    assert Notification.objects.filter(kind="match-ended").count() == 4


def test_matches_that_end_together_are_told_as_those_that_end_alone(start, people):
    together, alone = start(), start()
    for play in (together, alone):
        watching.watch(user=people[3], match_id=play.id, tells_end=True, now=NOW)
    services.time_out(match_id=alone.id, now=NOW + 3 * DAY)
    swept(NOW + 3 * DAY)
    assert sweeps.sweep_deadlines(now=NOW + 3 * DAY) == 1
    told = [
        sorted(
            Notification.objects.filter(payload__match=play.id, kind__endswith="ended").values_list(
                "recipient", "kind", "created"
            )
        )
        for play in (together, alone)
    ]
    assert told[0] == told[1]
    assert len(told[0]) == 3


def test_a_sweep_of_many_takes_few_queries(start, django_assert_max_num_queries):
    plays = [start() for _ in range(20)]
    swept(NOW + 3 * DAY)
    with django_assert_max_num_queries(20 if store.is_postgresql() else 20 + 8 * len(plays)):
        assert sweeps.sweep_deadlines(now=NOW + 3 * DAY) == len(plays)


def test_a_gap_between_sweeps_is_given_back(play):
    swept(NOW + DAY)
    assert sweeps.sweep_deadlines(now=NOW + 6 * DAY) == 0, "five days of outage"
    outage = Outage.objects.get()
    assert (outage.began, outage.ended, outage.settled) == (NOW + DAY, NOW + 6 * DAY, True)
    assert play.player(0).deadline == NOW + 8 * DAY
    swept(NOW + 7 * DAY)
    play.move(0, "1", now=NOW + 7 * DAY)
    assert play.player(0).time_left == 2 * DAY, "one day before and one after were used"


def test_a_short_gap_is_no_outage(play):
    swept(NOW + DAY)
    sweeps.sweep_deadlines(now=NOW + DAY + 5 * MINUTE)
    assert not Outage.objects.exists()
    assert play.player(0).deadline == NOW + 3 * DAY


def test_a_clock_started_within_the_outage_is_given_its_part(play):
    swept(NOW + DAY)
    play.move(0, "1", now=NOW + DAY + HOUR)
    assert play.player(0).time_left == 3 * DAY, "two days left and one earned: the hour is free"
    sweeps.sweep_deadlines(now=NOW + DAY + 3 * HOUR)
    assert play.player(1).deadline == NOW + 4 * DAY + 3 * HOUR
    assert Player.objects.get(match_id=play.id, seat=0).deadline is None


def test_nobody_runs_out_of_time_while_an_outage_goes_on(play):
    swept(NOW + DAY)
    assert services.time_out(match_id=play.id, now=NOW + 9 * DAY) is None
    play.move(0, "1", now=NOW + 9 * DAY)
    assert play.match.is_running


def test_a_move_decided_while_deadlines_shift_is_decided_again(play, monkeypatch):
    """The outage is found between reading and writing: the swap is lost, the retry is right."""
    swept(NOW + DAY)
    read = selectors.snapshot

    def read_then_shift(match_id):
        at = read(match_id)
        monkeypatch.setattr(selectors, "snapshot", read)
        sweeps.sweep_deadlines(now=NOW + 2 * DAY)
        return at

    monkeypatch.setattr(selectors, "snapshot", read_then_shift)
    play.move(0, "1", now=NOW + 2 * DAY, version=0)
    assert play.match.version == 1
    assert play.player(0).time_left == 3 * DAY
    assert play.player(1).deadline == NOW + 5 * DAY


def test_reminders_come_at_80_percent_and_a_day_before_once_each(start):
    play = start(clock=Clock(10 * DAY, DAY, 10 * DAY))
    assert sweeps.remind(now=NOW + 8 * DAY - MINUTE) == 0
    assert sweeps.remind(now=NOW + 8 * DAY) == 1
    assert sweeps.remind(now=NOW + 8 * DAY) == 0
    assert sweeps.remind(now=NOW + 9 * DAY) == 1
    assert sweeps.remind(now=NOW + 9.5 * DAY) == 0
    notices = Notification.objects.filter(kind="time-short")
    assert [notification.recipient.username for notification in notices] == ["ada", "ada"]
    assert play.player(0).remind_at is None


def test_two_reminders_that_are_both_late_are_one(start):
    start(clock=Clock(10 * DAY, DAY, 10 * DAY))
    sweeps.remind(now=NOW + 9.9 * DAY)
    sweeps.remind(now=NOW + 9.9 * DAY)
    assert reminded() == 1


def test_nobody_is_reminded_after_moving(start):
    play = start(clock=Clock(10 * DAY, DAY, 10 * DAY))
    play.move(0, "1", now=NOW + DAY)
    sweeps.remind(now=NOW + 8 * DAY)
    assert reminded() == 0
    sweeps.remind(now=NOW + 9 * DAY)
    assert Notification.objects.get(kind="time-short").recipient.username == "bruno"


def test_reminders_move_with_an_outage(start):
    start(clock=Clock(10 * DAY, DAY, 10 * DAY))
    swept(NOW + DAY)
    sweeps.sweep_deadlines(now=NOW + 3 * DAY)
    swept(NOW + 10 * DAY)
    sweeps.remind(now=NOW + 10 * DAY - MINUTE)
    assert reminded() == 0
    sweeps.remind(now=NOW + 10 * DAY)
    assert reminded() == 1


def test_no_reminder_comes_early_while_an_outage_goes_on(start):
    start(clock=Clock(10 * DAY, DAY, 10 * DAY))
    swept(NOW + DAY)
    assert sweeps.remind(now=NOW + 8 * DAY) == 0
    sweeps.sweep_deadlines(now=NOW + 8 * DAY)
    swept(NOW + 15 * DAY)
    assert sweeps.remind(now=NOW + 15 * DAY - MINUTE) == 0
    assert sweeps.remind(now=NOW + 15 * DAY) == 1


def test_the_timeout_of_one_who_was_reminded(start):
    play = start(clock=Clock(10 * DAY, DAY, 10 * DAY))
    sweeps.remind(now=NOW + 8 * DAY)
    sweep_all_the_way(NOW + 10 * DAY, since=NOW + 10 * DAY - HOUR)
    assert play.match.ending == "timeout"


def test_late_is_refused_before_the_sweep_too(play):
    swept(NOW + 3 * DAY - MINUTE)
    with pytest.raises(OutOfTime):
        play.move(0, "1", now=NOW + 3 * DAY + MINUTE)
    assert play.match.ending == "timeout"


def test_one_reminder_that_fails_does_not_stop_the_rest(start, monkeypatch):
    broken, sound = start(), start()
    remind = sweeps._remind
    seats = list(Player.objects.filter(match=broken.id).values_list("pk", flat=True))

    def fail(pk, now):
        if pk in seats:
            raise RuntimeError("out of order")
        return remind(pk, now)

    monkeypatch.setattr(sweeps, "_remind", fail)
    due = Player.objects.filter(match__in=[broken.id, sound.id], remind_at__isnull=False)
    late = max(due.values_list("remind_at", flat=True))
    assert sweeps.remind(now=late) == 1
