"""The periods in which a match counts: its month, its quarter, its year, and all time.

Each is a number. Months are counted from the year 0, and so are quarters and years. From 1000 on
no year has the number of a quarter or a month, and no quarter that of a month.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from itertools import chain

from django.db.models import Q

ALL_TIME = 0
YEARS_END = 3_000
"""No period of a year has this number or a higher one."""


def month_of(day: date) -> int:
    """Return the number of the month of a day."""
    return day.year * 12 + day.month - 1


def start_of(month: int) -> datetime:
    """Return the moment at which a month begins."""
    return datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)


def periods_of(ended: datetime) -> Sequence[int]:
    """Return the periods in which a match counts."""
    month = month_of(ended)
    return (ALL_TIME, month // 12, month // 3, month)


def since(month: int) -> Q:
    """Choose the fewest periods that make up the time from a month on, at most five and years."""
    quarter, year = -(-month // 3), -(-month // 12)
    before = chain(range(month, quarter * 3), range(quarter, year * 4))
    return Q(period__in=[*before]) | Q(period__gte=year, period__lt=YEARS_END)
