"""A plain recount of clocks: stretch after stretch in which nothing stops them."""

from collections.abc import Collection, Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]

DAY = timedelta(days=1)
SATURDAY = 5


def stretches(since: datetime, spans: Collection[Span], zone: str) -> Iterator[Span]:
    """Yield when a clock runs, from ``since`` on and without end.

    :param spans: when it is stopped.
    :param zone: the zone whose weekends stop it, too; empty without.
    """
    at = since
    while True:
        ends = [end for begin, end in spans if begin <= at < end]
        weekend = _weekend_day(at, zone) if zone else None
        if weekend and weekend[0] <= at:
            ends.append(weekend[1])
        if ends:
            at = max(ends)
            continue
        begins = [begin for begin, _ in spans if begin > at]
        if weekend:
            begins.append(weekend[0])
        until = min(begins, default=at + 1000 * DAY)
        yield at, until
        at = until


def _weekend_day(at: datetime, zone: str) -> Span:
    """Return the current or next day of a weekend, by the clocks of a zone."""
    place = ZoneInfo(zone)
    day = at.astimezone(place).date()
    while day.weekday() < SATURDAY:
        day += DAY
    return _midnight(day, place), _midnight(day + DAY, place)


def _midnight(day: date, place: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), place).astimezone(ZoneInfo("UTC"))


def ran(since: datetime, until: datetime, spans: Collection[Span], zone: str) -> timedelta:
    """Return for how long a clock ran."""
    total = timedelta()
    for begin, end in stretches(since, spans, zone):
        if begin >= until:
            return total
        total += min(end, until) - begin
    raise AssertionError


def run_out(left: timedelta, since: datetime, spans: Collection[Span], zone: str) -> datetime:
    """Return when a clock that runs since a time has run for this long."""
    for begin, end in stretches(since, spans, zone):
        if left <= end - begin:
            return begin + left
        left -= end - begin
    raise AssertionError
