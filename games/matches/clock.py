"""Clocks over days: how much time a player has, and until when.

A clock is three spans of time: the time at the start, the increment after each turn of one's own,
and the cap that the sum never exceeds. Days per move is the clock whose three spans are equal. A
match without a clock has ``None``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.kernel.views import Json

DAY = timedelta(days=1)
SHORT = 0.8
"""The part of a player's time after which the first reminder is sent."""

Pause = tuple[datetime, datetime]
"""A span of time during which all clocks stood still: its beginning and its end."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time that each player has."""

    start: timedelta
    increment: timedelta
    cap: timedelta

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

    def dump(self) -> dict[str, int]:
        """Return the clock as JSON, in whole seconds."""
        return {
            "start": int(self.start.total_seconds()),
            "increment": int(self.increment.total_seconds()),
            "cap": int(self.cap.total_seconds()),
        }

    @classmethod
    def load(cls, data: Mapping[str, Json] | None) -> "Clock | None":
        """Read what :meth:`dump` wrote; ``None`` is a match without a clock."""
        if data is None:
            return None
        return cls(*(timedelta(seconds=data[key]) for key in ("start", "increment", "cap")))


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


def running(since: datetime, now: datetime, pauses: Iterable[Pause]) -> timedelta:
    """Return how long a clock ran from ``since`` to ``now``; ``pauses`` do not overlap."""
    stood = sum(
        (max(min(now, end) - max(since, begin), timedelta()) for begin, end in pauses),
        timedelta(),
    )
    return max(now - since - stood, timedelta())


def deadline(left: timedelta, since: datetime, pauses: Iterable[Pause]) -> datetime:
    """Return when ``left`` will have run out on a clock that runs since ``since``."""
    end = since + left
    for begin, until in sorted(pauses):
        if begin < end and until > since:
            end += until - max(begin, since)
    return end


def reminders(left: timedelta, since: datetime, pauses: Sequence[Pause]) -> list[datetime]:
    """Return when a player is reminded: at 80 % of the time, and a day before the deadline."""
    end = deadline(left, since, pauses)
    marks = {deadline(left * SHORT, since, pauses), end - DAY}
    return sorted(mark for mark in marks if since < mark < end)
