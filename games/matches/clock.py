"""Clocks in days: how much time a player has, and the deadline.

A clock has three durations: the time at the start, the increment after each turn of the player, and
the cap of the sum. "Days per move" is a clock with three equal durations. A match without a clock
has ``None``. A clock runs only outside of pauses. Pauses may overlap, and weekends are an infinite
series of pauses. Functions take pauses sorted by their start, and read only as many as they need.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from heapq import merge
from typing import NamedTuple
from zoneinfo import ZoneInfo

from games.kernel.views import Json

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
REMIND_AFTER = 0.8
"""The fraction of a player's time after which a reminder is sent."""

Pause = tuple[datetime, datetime]
"""Start and end of a period in which a clock is stopped."""

FOREVER = datetime.max.replace(tzinfo=UTC)
"""The end of a pause without a known end."""

SATURDAY = 5

SPANS = ("start", "increment", "cap")


class ReminderReason(StrEnum):
    """Why a player is reminded.

    Most of the time is used up, a day is left, a pause ends in a day, or it has just ended.
    """

    SHORT = "short"
    LAST_DAY = "day"
    PAUSE_ENDING = "pause-ending"
    RUNS_ON = "runs-on"


class Reminder(NamedTuple):
    """When and why a player is reminded.

    ``since`` is when the clock began to run: at the start of the turn or at the end of a pause.
    """

    at: datetime
    stage: ReminderReason
    since: datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """The time settings of a match.

    ``weekends`` is the time zone whose Saturdays and Sundays don't count. Empty if they count.
    """

    start: timedelta
    increment: timedelta
    cap: timedelta
    weekends: str = ""

    @classmethod
    def per_move(cls, days: int) -> "Clock":
        return cls(days * DAY, days * DAY, days * DAY)

    @property
    def is_per_move(self) -> bool:
        """Whether every turn starts with the full time."""
        return self.start == self.increment == self.cap

    def opening(self, left: timedelta) -> timedelta:
        """Return the time at the start of a turn for a player who had ``left``."""
        return self.start if self.is_per_move else left

    def earned(self, left: timedelta, turns: int = 1) -> timedelta:
        """Return the time left after the increments of ``turns`` finished turns."""
        return max(left, min(left + turns * self.increment, self.cap))

    def gift(self, left: timedelta) -> timedelta:
        """Return how much time an opponent may add: a day, within the cap.

        Rounded down to whole hours.
        """
        return min(DAY, max(self.cap - left, timedelta()) // HOUR * HOUR)

    @property
    def through_weekends(self) -> "Clock":
        """Return the same clock, with weekends counted."""
        return replace(self, weekends="")

    def dump(self) -> dict[str, Json]:
        """Return the clock as JSON, in whole seconds."""
        spans = {
            "start": int(self.start.total_seconds()),
            "increment": int(self.increment.total_seconds()),
            "cap": int(self.cap.total_seconds()),
        }
        return {**spans, "weekends": self.weekends} if self.weekends else {**spans}

    @classmethod
    def load(cls, data: Mapping[str, Json] | None) -> "Clock | None":
        """Read the output of :meth:`dump`. ``None`` is a match without a clock."""
        if data is None:
            return None
        start, increment, cap = (timedelta(seconds=data[key]) for key in SPANS)
        return cls(start, increment, cap, data.get("weekends", ""))


PRESETS: Mapping[str, Clock] = {
    "brisk": Clock(DAY, DAY / 2, 3 * DAY),
    "standard": Clock(3 * DAY, DAY, 7 * DAY),
    "leisurely": Clock(7 * DAY, 2 * DAY, 21 * DAY),
}
"""The named clocks that challenges offer."""


def union(pauses: Iterable[Pause]) -> list[Pause]:
    """Return the union of pauses, sorted and without overlaps."""
    merged: list[Pause] = []
    for begin, end in sorted(pauses):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((begin, end))
    return merged


def weekends(zone: str, since: datetime) -> Iterator[Pause]:
    """Yield the weekends of a time zone, starting with the current or next one at ``since``.

    A weekend lasts from Saturday 0:00 to Monday 0:00, local time.
    """
    place = ZoneInfo(zone)
    today = since.astimezone(place).date()
    saturday = today - timedelta(days=max(today.weekday() - SATURDAY, 0))
    saturday += timedelta(days=max(SATURDAY - saturday.weekday(), 0))
    while True:
        yield _midnight(saturday, place), _midnight(saturday + timedelta(days=2), place)
        saturday += timedelta(days=7)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the start of a day. If local clocks skip midnight, return the time of the skip."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class PauseCalendar:
    """The pauses of a clock from ``since``: fixed ones and the weekends of a time zone.

    ``zone`` is empty if weekends count. A calendar can be iterated repeatedly.
    """

    fixed: Sequence[Pause]
    zone: str
    since: datetime

    def __iter__(self) -> Iterator[Pause]:
        fixed = sorted(self.fixed)
        return merge(fixed, weekends(self.zone, self.since)) if self.zone else iter(fixed)


def running(since: datetime, now: datetime, pauses: Iterable[Pause]) -> timedelta:
    """Return how long a clock ran from ``since`` to ``now``; ``pauses`` are sorted."""
    ran = timedelta()
    at = since
    for begin, end in pauses:
        if begin >= now:
            break
        ran += max(begin - at, timedelta())
        at = max(at, end)
    return ran + max(now - at, timedelta())


def deadline(left: timedelta, since: datetime, pauses: Iterable[Pause]) -> datetime | None:
    """Return when ``left`` runs out on a clock started at ``since``; ``pauses`` are sorted.

    ``None`` if a pause without a known end comes before.
    """
    at = since
    for begin, end in pauses:
        if end <= at:
            continue
        if left <= begin - at:
            break
        left -= max(begin - at, timedelta())
        at = end
        if at == FOREVER:
            return None
    return at + left


def reminders(left: timedelta, since: datetime, pauses: Iterable[Pause]) -> list[Reminder]:
    """Return the reminders of a player, sorted, up to the first pause without a known end.

    Only running time counts, so a pause moves a reminder but never adds one. ``pauses`` are sorted
    and can be iterated repeatedly.
    """
    stages = {left * REMIND_AFTER: ReminderReason.SHORT} if left else {}
    if left > DAY:
        stages |= {left - DAY: ReminderReason.LAST_DAY}
    marks = ((deadline(ran, since, pauses), stage) for ran, stage in sorted(stages.items()))
    return [Reminder(mark, stage, since) for mark, stage in marks if mark is not None]
