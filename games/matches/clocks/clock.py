"""Clocks over days: how much time a player has, and until when.

A clock is three spans of time: the time at the start, the increment after each turn of one's own,
and the cap that the sum never exceeds. Days per move is the clock whose three spans are equal. A
match without a clock has ``None``.

A clock runs only outside of pauses. Pauses may overlap, and weekends are an endless series of them:
functions take pauses in the order of their beginnings and look at no more than they need.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from heapq import merge
from zoneinfo import ZoneInfo

from games.kernel.views import Json

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
REMIND_AFTER = 0.8
"""The part of a player's time after which a reminder is sent."""

Pause = tuple[datetime, datetime]
"""A span of time during which a clock stands still: its beginning and its end."""

FOREVER = datetime.max.replace(tzinfo=UTC)
"""The end of a pause whose end is not known."""

SATURDAY = 5

SPANS = ("start", "increment", "cap")


class Stage(StrEnum):
    """Why a player is reminded: most of the time has gone, or a day of it is left."""

    SHORT = "short"
    LAST_DAY = "day"


Reminder = tuple[datetime, Stage]
"""When a player is reminded, and why."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time that each player has.

    ``weekends`` is the name of the time zone whose Saturdays and Sundays do not count; empty where
    they do.
    """

    start: timedelta
    increment: timedelta
    cap: timedelta
    weekends: str = ""

    @classmethod
    def per_move(cls, days: int) -> "Clock":
        """Return a clock of so many days for each move."""
        return cls(days * DAY, days * DAY, days * DAY)

    @property
    def is_per_move(self) -> bool:
        """Whether every turn begins with the whole time."""
        return self.start == self.increment == self.cap

    def opening(self, left: timedelta) -> timedelta:
        """Return the time with which a player who had ``left`` begins a turn."""
        return self.start if self.is_per_move else left

    def earned(self, left: timedelta, turns: int = 1) -> timedelta:
        """Return the time left after the increments for so many finished turns."""
        return max(left, min(left + turns * self.increment, self.cap))

    def gift(self, left: timedelta) -> timedelta:
        """Return how much an opponent may add to the time left: a day, within the cap.

        It is in whole hours, and zero where less than an hour would fit.
        """
        return min(DAY, max(self.cap - left, timedelta()) // HOUR * HOUR)

    @property
    def through_weekends(self) -> "Clock":
        """The same clock with weekends that count."""
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
        """Read what :meth:`dump` wrote; ``None`` is a match without a clock."""
        if data is None:
            return None
        start, increment, cap = (timedelta(seconds=data[key]) for key in SPANS)
        return cls(start, increment, cap, data.get("weekends", ""))


PRESETS: Mapping[str, Clock] = {
    "brisk": Clock(DAY, DAY / 2, 3 * DAY),
    "standard": Clock(3 * DAY, DAY, 7 * DAY),
    "leisurely": Clock(7 * DAY, 2 * DAY, 21 * DAY),
}
"""The clocks that a challenge offers by name."""


def union(pauses: Iterable[Pause]) -> list[Pause]:
    """Return the union of pauses, sorted and without overlaps."""
    found: list[Pause] = []
    for begin, end in sorted(pauses):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found


def weekends(zone: str, since: datetime) -> Iterator[Pause]:
    """Yield the weekends of a time zone, from the one that goes on at ``since`` or follows it.

    A weekend lasts from Saturday 0:00 to Monday 0:00 by the zone's clocks, whatever they do in it.
    """
    place = ZoneInfo(zone)
    today = since.astimezone(place).date()
    saturday = today - timedelta(days=max(today.weekday() - SATURDAY, 0))
    saturday += timedelta(days=max(SATURDAY - saturday.weekday(), 0))
    while True:
        yield _midnight(saturday, place), _midnight(saturday + timedelta(days=2), place)
        saturday += timedelta(days=7)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the moment at which a day begins; where clocks skip midnight, that of the skip."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Calendar:
    """When a clock stands still, from ``since``: in fixed pauses, and at the weekends of a zone.

    ``zone`` is empty where weekends count. It can be walked as often as one likes.
    """

    fixed: Sequence[Pause]
    zone: str
    since: datetime

    def __iter__(self) -> Iterator[Pause]:
        fixed = sorted(self.fixed)
        return merge(fixed, weekends(self.zone, self.since)) if self.zone else iter(fixed)


def running(since: datetime, now: datetime, pauses: Iterable[Pause]) -> timedelta:
    """Return how long a clock ran from ``since`` to ``now``; ``pauses`` are in order."""
    ran, at = timedelta(), since
    for begin, end in pauses:
        if begin >= now:
            break
        ran += max(begin - at, timedelta())
        at = max(at, end)
    return ran + max(now - at, timedelta())


def deadline(left: timedelta, since: datetime, pauses: Iterable[Pause]) -> datetime | None:
    """Return when ``left`` will have run out on a clock that runs since ``since``.

    That is ``None`` while a pause is in the way whose end is not known. ``pauses`` are in order.
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
    """Return when a player is reminded, in order; none behind a pause whose end is not known.

    Only time that the clock runs counts, so that a pause moves a reminder but never adds one.
    ``pauses`` are in order and can be walked several times.
    """
    stages = {left * REMIND_AFTER: Stage.SHORT} if left else {}
    if left > DAY:
        stages |= {left - DAY: Stage.LAST_DAY}
    marks = ((deadline(ran, since, pauses), stage) for ran, stage in sorted(stages.items()))
    return [(mark, stage) for mark, stage in marks if mark is not None]
