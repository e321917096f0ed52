"""When mails may go out: the daily mail, quiet hours, and the limit per hour.

Hours are in the reader's zone. If clocks change during the night, the daily mail still goes out
once.
"""

from collections.abc import Sequence
from datetime import datetime, time, timedelta, tzinfo

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

MAX_PER_HOUR = 6
"""Maximum number of mails of notifications per reader and hour; more are merged."""


def next_at(hour: int, zone: tzinfo, since: datetime) -> datetime:
    """Return the first time after ``since`` at which a zone's clocks show a full hour."""
    day = since.astimezone(zone).date()
    moments = (datetime.combine(day + DAY * number, time(hour), tzinfo=zone) for number in range(3))
    return next(moment for moment in moments if moment > since)


def quiet_end(start: int | None, end: int | None, zone: tzinfo, now: datetime) -> datetime | None:
    """Return when the current quiet hours end; ``None`` outside of them."""
    if start is None or end is None or start == end:
        return None
    hour = now.astimezone(zone).hour
    is_quiet = start <= hour < end if start < end else hour >= start or hour < end
    return next_at(end, zone, now) if is_quiet else None


def room_at(sent: Sequence[datetime], now: datetime) -> datetime:
    """Return when one more mail may go out, given the times of earlier ones."""
    latest = sorted(moment for moment in sent if moment > now - HOUR)
    return latest[-MAX_PER_HOUR] + HOUR if len(latest) >= MAX_PER_HOUR else now
