"""Clocks: pure arithmetic of time, by examples worked by hand."""

from datetime import UTC, datetime, timedelta

import pytest

from games.matches.clock import (
    DAY,
    PRESETS,
    Clock,
    ReminderReason,
    deadline,
    reminders,
    running,
)

MAY = datetime(2026, 5, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_the_presets_are_those_the_site_promises():
    assert PRESETS["brisk"] == Clock(DAY, 12 * HOUR, 3 * DAY)
    assert PRESETS["standard"] == Clock(3 * DAY, DAY, 7 * DAY)
    assert PRESETS["leisurely"] == Clock(7 * DAY, 2 * DAY, 21 * DAY)


@pytest.mark.parametrize(
    ("left", "after"),
    [(2 * DAY, 3 * DAY), (6.5 * DAY, 7 * DAY), (7 * DAY, 7 * DAY), (HOUR, DAY + HOUR)],
)
def test_an_increment_is_capped(left, after):
    assert PRESETS["standard"].earned(left) == after


def test_a_start_above_the_cap_is_kept_but_does_not_grow():
    assert Clock(5 * DAY, DAY, 3 * DAY).earned(4 * DAY) == 4 * DAY


def test_days_per_move_begin_every_turn_whole():
    clock = Clock.per_move(3)
    assert clock.is_per_move
    assert clock.opening(HOUR) == 3 * DAY
    assert clock.earned(HOUR) == 3 * DAY
    assert PRESETS["standard"].opening(HOUR) == HOUR


@pytest.mark.parametrize("clock", [*PRESETS.values(), Clock.per_move(30), None])
def test_json_round_trip(clock):
    assert Clock.load(clock.dump() if clock else None) == clock


def test_a_clock_stands_in_pauses():
    pauses = [(MAY + 2 * HOUR, MAY + 5 * HOUR), (MAY + 8 * HOUR, MAY + 9 * HOUR)]
    assert running(MAY, MAY + 10 * HOUR, pauses) == 6 * HOUR
    assert running(MAY + 3 * HOUR, MAY + 4 * HOUR, pauses) == timedelta()
    assert running(MAY + 4 * HOUR, MAY + 8.5 * HOUR, pauses) == 3 * HOUR
    assert running(MAY + 20 * HOUR, MAY + 21 * HOUR, pauses) == HOUR


def test_a_deadline_moves_with_the_pauses_before_it():
    pauses = [(MAY + 2 * HOUR, MAY + 5 * HOUR), (MAY + 20 * HOUR, MAY + 21 * HOUR)]
    assert deadline(4 * HOUR, MAY, pauses) == MAY + 7 * HOUR
    assert deadline(HOUR, MAY, pauses) == MAY + HOUR
    assert deadline(HOUR, MAY + 4 * HOUR, pauses) == MAY + 6 * HOUR
    assert deadline(18 * HOUR, MAY, pauses) == MAY + 22 * HOUR
    assert deadline(HOUR, MAY + 30 * HOUR, pauses) == MAY + 31 * HOUR


@pytest.mark.parametrize("hours", range(1, 40, 3))
def test_deadline_and_running_time_agree(hours):
    pauses = [(MAY + 2 * HOUR, MAY + 5 * HOUR), (MAY + 20 * HOUR, MAY + 21 * HOUR)]
    assert running(MAY, deadline(hours * HOUR, MAY, pauses), pauses) == hours * HOUR


def test_reminders_at_80_percent_and_a_day_before_the_end():
    assert moments(reminders(10 * DAY, MAY, [])) == [MAY + 8 * DAY, MAY + 9 * DAY]
    assert moments(reminders(5 * DAY, MAY, [])) == [MAY + 4 * DAY], "both at once are one"
    assert moments(reminders(10 * HOUR, MAY, [])) == [MAY + 8 * HOUR], "no day before a short end"


def test_reminders_wait_for_pauses_as_deadlines_do():
    pause = (MAY + 2 * DAY, MAY + 5 * DAY)
    assert [(one.at, one.stage) for one in reminders(10 * DAY, MAY, [pause])] == [
        (MAY + 11 * DAY, ReminderReason.SHORT),
        (MAY + 12 * DAY, ReminderReason.LAST_DAY),
    ]


def moments(found):
    return [one.at for one in found]
