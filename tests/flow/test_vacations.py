"""Vacations: how much there is, what clocks make of it, and the one that begins by itself."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Notification, User
from games.matches import pauses, selectors, services
from games.matches.clock import DAY, Clock
from games.matches.clocks import standstill, sweeps, vacations
from games.matches.errors import Refused
from games.matches.models import Player, Sweep, Vacation
from games.matches.pauses import Reason
from tests.fixtures import NOW

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def ada(people):
    """Somebody who has been here for years."""
    User.objects.update(date_joined=NOW - 1000 * DAY)
    people[0].refresh_from_db()
    return people[0]


def plan(user, begin=None, days=7.0, now=NOW, **kwargs):
    kwargs = {"shows_end": True, **kwargs}
    return vacations.plan(
        user=user, begin=begin, end=(begin or now) + days * DAY, now=now, **kwargs
    )


def told(user, kind):
    return Notification.objects.filter(recipient=user, kind=kind).count()


# --- How much there is --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "has"), [(0, 0), (1, 30 / 365), (73, 6), (365, 30), (366, 30), (4000, 30)]
)
def test_thirty_days_a_year_accrue_by_the_day_up_to_thirty(people, days, has):
    ada = people[0]
    ada.date_joined = NOW - days * DAY - 5 * HOUR
    assert vacations.balance(ada, NOW) / DAY == pytest.approx(has)


def test_what_is_taken_is_missing_and_comes_back_by_the_day(ada):
    Vacation.objects.create(user=ada, begin=NOW - 20 * DAY, end=NOW)
    assert vacations.balance(ada, NOW) == 10 * DAY
    assert vacations.balance(ada, NOW - 5 * DAY) == 15 * DAY, "the part that has passed"
    assert vacations.balance(ada, NOW + 73 * DAY) == 16 * DAY


def test_nobody_takes_more_than_there_is(ada):
    with pytest.raises(Refused, match="31 days of vacation, and you will have 30"):
        plan(ada, days=31)
    plan(ada, days=30)
    with pytest.raises(Refused, match="already"):
        plan(ada, begin=NOW + 40 * DAY, days=1)
    assert vacations.balance(ada, NOW + 30 * DAY) == timedelta()


def test_a_vacation_lasts_a_day_at_least_and_begins_within_a_year(ada):
    for begin, days in ((None, 0.99), (None, -3), (NOW + 366 * DAY, 2)):
        with pytest.raises(Refused):
            plan(ada, begin=begin, days=days)
    assert not Vacation.objects.exists()


def test_a_vacation_does_not_begin_in_the_past(ada):
    with pytest.raises(Refused, match="at least a day"):
        plan(ada, begin=NOW - 9 * DAY, days=9.5)


def test_a_vacation_begins_before_one_that_is_planned(start, ada):
    play = start()
    plan(ada, begin=NOW + 100 * DAY, days=20)
    with pytest.raises(Refused, match="already"):
        plan(ada, begin=NOW + 10 * DAY, days=2)
    with pytest.raises(Refused, match="would lack"):
        plan(ada, days=20)
    plan(ada, days=7)
    assert play.player(0).deadline == NOW + 10 * DAY
    with pytest.raises(Refused, match="already"):
        plan(ada, now=NOW + DAY, days=2)
    vacations.end(user=ada, now=NOW + 2 * DAY, planned=True)
    assert Vacation.objects.get().end == NOW + 7 * DAY


def test_a_vacation_is_over_when_the_planned_one_begins(ada):
    plan(ada, begin=NOW + 3 * DAY, days=5)
    with pytest.raises(Refused, match="begins before"):
        plan(ada, days=3.5)
    plan(ada, days=3)
    with pytest.raises(Refused, match="not on vacation"):
        vacations.end(user=ada, now=NOW + 20 * DAY, planned=False)


# --- What clocks make of it ---------------------------------------------------------------------


def test_only_the_owners_clocks_stand_still_and_in_all_matches(start, ada):
    first, second = start(), start()
    second.move(0, "1", now=NOW)
    plan(ada, now=NOW + DAY)
    assert first.player(0).deadline == NOW + 10 * DAY
    assert second.player(1).deadline == NOW + 3 * DAY
    second.move(1, "1", now=NOW + DAY)
    assert second.player(0).deadline == NOW + 8 * DAY + 4 * DAY, "3 days and one earned"
    assert Reason.VACATION in pauses.reasons(first.player(0), NOW + 2 * DAY)


def test_a_planned_vacation_counts_from_the_first_and_is_cancelled_without_a_trace(start, ada):
    play = start()
    plan(ada, begin=NOW + 2 * DAY, days=5)
    assert play.player(0).deadline == NOW + 8 * DAY
    assert vacations.end(user=ada, now=NOW + DAY) is None
    assert play.player(0).deadline == NOW + 3 * DAY
    assert not Vacation.objects.exists()


def test_who_comes_back_sooner_has_used_a_day_at_least(start, ada):
    play = start()
    plan(ada)
    ended = vacations.end(user=ada, now=NOW + HOUR)
    assert ended.end == NOW + DAY
    assert play.player(0).deadline == NOW + 4 * DAY
    assert vacations.end(user=ada, now=NOW + 2 * HOUR).end == NOW + DAY
    with pytest.raises(Refused):
        vacations.end(user=ada, now=NOW + DAY)


def test_a_match_that_starts_meanwhile_finds_the_vacation(start, ada):
    plan(ada, begin=NOW + DAY, days=4)
    play = start(now=NOW + 2 * DAY)
    assert play.player(0).deadline == NOW + 8 * DAY
    assert play.player(1).pauses == []


def test_a_vacation_within_a_stop_within_a_weekend_counts_once(start, ada, people):
    monday = NOW + 3 * DAY - 12 * HOUR
    play = start(now=monday, clock=Clock(10 * DAY, DAY, 10 * DAY, "UTC"))
    stop = {"match_id": play.id, "moderator": people[3], "reason": "to look at it"}
    standstill.stop_clocks(now=monday + 3 * DAY, **stop)
    plan(ada, now=monday + 4 * DAY, days=2)
    assert play.player(0).deadline is None
    standstill.resume_clocks(now=monday + 8 * DAY, **stop)
    assert play.player(0).deadline == monday + 17 * DAY, "3 days, then 7 about a weekend"


def test_time_that_has_run_out_is_not_given_back_by_a_vacation(start, ada):
    play = start()
    Sweep.objects.create(name=selectors.DEADLINES, ran=NOW + 3 * DAY - MINUTE)
    plan(ada, now=NOW + 3 * DAY)
    assert play.player(0).deadline == NOW + 3 * DAY
    assert sweeps.sweep_deadlines(now=NOW + 3 * DAY) == 1


def test_nor_from_the_end_of_a_weekend_before_it(start, ada):
    friday = datetime(2026, 11, 20, 12, tzinfo=UTC)
    play = start(clock=Clock(3 * DAY, DAY, 7 * DAY, "UTC"), now=friday)
    sunday = friday + 2 * DAY
    monday = datetime(2026, 11, 23, tzinfo=UTC)
    assert pauses.until(play.player(0), sunday) == monday
    plan(ada, now=friday, begin=monday, days=3, shows_end=False)
    assert pauses.until(play.player(0), sunday) is None


def test_an_end_that_is_not_shown_cannot_be_read_from_the_deadline(start, ada):
    play = start()
    plan(ada, begin=NOW + DAY, shows_end=False)
    for now in (NOW, NOW + 3 * DAY):
        assert pauses.shown_deadline(play.player(0), now) is None
    assert pauses.until(play.player(0), NOW + 3 * DAY) is None
    assert pauses.left(play.player(0), NOW + 3 * DAY) == 2 * DAY
    assert pauses.shown_deadline(play.player(0), NOW + 8 * DAY) == NOW + 10 * DAY


# --- By itself ----------------------------------------------------------------------------------


@pytest.fixture
def cautious(ada):
    ada.auto_vacation = True
    ada.save()
    return ada


def sweep(now):
    Sweep.objects.update_or_create(name=selectors.DEADLINES, defaults={"ran": now - MINUTE})
    return sweeps.sweep_deadlines(now=now)


def test_who_wishes_is_put_on_vacation_before_the_time_runs_out(start, cautious):
    play, other = start(), start(now=NOW + 2 * DAY)
    sweep(NOW + 3 * DAY - 2 * HOUR)
    assert not Vacation.objects.exists()
    moment = NOW + 3 * DAY - HOUR
    sweep(moment)
    sweep(moment + MINUTE)
    made = Vacation.objects.get()
    assert (made.begin, made.end, made.automatic) == (moment, moment + 7 * DAY, True)
    assert play.player(0).deadline == NOW + 10 * DAY
    assert other.player(0).deadline == NOW + 12 * DAY
    assert told(cautious, "vacation-begun") == 1


def test_it_happens_once_in_a_year(start, cautious):
    play = start()
    sweep(NOW + 3 * DAY - HOUR)
    assert sweep(NOW + 10 * DAY) == 1, "the second time the time runs out"
    assert not play.match.is_running
    for days, count in ((364, 1), (369, 2)):
        play = start(now=NOW + days * DAY)
        sweep(NOW + (days + 3) * DAY - MINUTE)
        assert Vacation.objects.count() == count
        if play.match.is_running:
            play.act(services.resign, 0, now=NOW + (days + 3) * DAY - MINUTE)


def test_it_lasts_no_longer_than_what_is_left_and_not_for_less_than_a_day(start, cautious):
    start()
    moment = NOW + 3 * DAY - HOUR
    User.objects.update(date_joined=moment - 12 * DAY)
    sweep(moment)
    assert not Vacation.objects.exists()
    User.objects.update(date_joined=moment - 36.5 * DAY)
    sweep(moment)
    assert (Vacation.objects.get().end - moment) / DAY == pytest.approx(36 * 30 / 365)


def test_a_planned_vacation_does_not_keep_it_from_beginning(start, cautious):
    play = start()
    planned = plan(cautious, begin=NOW + 200 * DAY, days=20)
    moment = NOW + 3 * DAY - HOUR
    sweep(moment)
    sweep(moment + MINUTE)
    begun, later = Vacation.objects.order_by("begin")
    assert (begun.begin, begun.end, begun.automatic) == (moment, moment + 7 * DAY, True)
    assert (later.begin, later.end, later.automatic) == (planned.begin, planned.end, False)
    assert sweep(NOW + 5 * DAY) == 0
    assert play.player(0).deadline == NOW + 10 * DAY


@pytest.mark.parametrize(("days", "lasts"), [(20, 7), (27, 3.411), (29.5, 0)])
def test_what_is_planned_soon_keeps_its_days(start, cautious, days, lasts):
    start()
    plan(cautious, begin=NOW + 15 * DAY, days=days)
    moment = NOW + 3 * DAY - HOUR
    sweep(moment)
    begun = Vacation.objects.filter(automatic=True).first()
    assert (begun.end - begun.begin if begun else timedelta()) / DAY == pytest.approx(lasts, 1e-3)
    assert vacations.balance(cautious, NOW + 15 * DAY) >= days * DAY


def test_it_ends_where_the_planned_one_begins(start, cautious):
    start()
    moment = NOW + 3 * DAY - HOUR
    plan(cautious, begin=moment + 2 * DAY, days=5)
    sweep(moment)
    begun, later = Vacation.objects.order_by("begin")
    assert begun.end == later.begin


def test_one_that_is_planned_for_the_next_hours_begins_sooner(start, cautious):
    play = start()
    moment = NOW + 3 * DAY - HOUR
    plan(cautious, begin=moment + 5 * HOUR, days=5)
    sweep(moment)
    (begun,) = Vacation.objects.all()
    assert (begun.begin, begun.end) == (moment, moment + 5 * DAY + 5 * HOUR)
    assert play.player(0).deadline == begun.end + HOUR
    assert told(cautious, "vacation-begun") == 1


def test_nobody_is_put_on_vacation_without_wishing_it(start, ada):
    start()
    sweep(NOW + 3 * DAY - MINUTE)
    assert sweep(NOW + 3 * DAY) == 1
    assert not Vacation.objects.exists()


def test_a_day_before_it_ends_its_owner_is_told_once(ada):
    plan(ada)
    for hours in (0, 6 * 24 - 1):
        sweeps.remind(now=NOW + hours * HOUR)
    assert told(ada, "vacation-ending") == 0
    for hours in (6 * 24, 6 * 24 + 1, 7 * 24 - 1):
        sweeps.remind(now=NOW + hours * HOUR)
    assert told(ada, "vacation-ending") == 1


def test_reminders_of_a_clock_move_with_a_vacation(start, ada):
    play = start(clock=Clock(10 * DAY, DAY, 10 * DAY))
    plan(ada, now=NOW + DAY)
    assert play.player(0).remind_at == NOW + 15 * DAY
    assert Player.objects.get(match_id=play.id, seat=1).remind_at is None
