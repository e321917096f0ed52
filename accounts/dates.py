"""Days and times as the reader's language writes them (CLDR), in the reader's time zone.

Functions that take a moment also take a day, except those with a time of day in their name.
"""

from datetime import date, datetime
from functools import lru_cache

from babel.dates import DateTimePattern, parse_pattern
from django.conf import settings
from django.utils import translation
from django.utils.timezone import localtime

from config.catalogues import locale_of


def day(at: date) -> str:
    """Format as ``3 February 2026``."""
    return _written(at, "yMMMMd")


def brief_day(at: date) -> str:
    """Format as ``3 Feb 2026``."""
    return _written(at, "yMMMd")


def day_of_year(at: date) -> str:
    """Format as ``3 February``."""
    return _written(at, "MMMMd")


def brief_day_of_year(at: date) -> str:
    """Format as ``3 Feb``."""
    return _written(at, "MMMd")


def month(at: date) -> str:
    """Format as ``February 2026``."""
    return _written(at, "yMMMM")


def brief_month(at: date) -> str:
    """Format as ``Feb 2026``."""
    return _written(at, "yMMM")


def time_of_day(at: datetime) -> str:
    """Format as ``14:05``, or with twelve hours where people count so."""
    return _written(at, "", has_time=True)


def day_and_time(at: datetime) -> str:
    """Format as ``3 February 2026, 14:05``."""
    return _written(at, "yMMMMd", has_time=True)


def day_of_year_and_time(at: datetime) -> str:
    """Format as ``3 February, 14:05``."""
    return _written(at, "MMMMd", has_time=True)


def brief_day_and_time(at: datetime) -> str:
    """Format as ``3 Feb, 14:05``. Day and month are joined by a no-break space."""
    day = _written(at, "MMMd")
    both = _written(at, "MMMd", has_time=True)
    return both.replace(day, day.replace(" ", "\N{NO-BREAK SPACE}"))


def exactly(at: datetime) -> str:
    """Format as ``Tue, 3 Feb 2026, 14:05 CET``."""
    return f"{_written(at, 'yMMMEd', has_time=True)} {localtime(at):%Z}"


FILTERS = (day, day_of_year, month, time_of_day, day_and_time, day_of_year_and_time)
"""What pages use."""


def _written(at: date, skeleton: str, *, has_time: bool = False) -> str:
    local = localtime(at) if isinstance(at, datetime) else at
    code = translation.get_language() or settings.LANGUAGE_CODE
    return _pattern(code, skeleton, has_time).apply(local, locale_of(code))


@lru_cache
def _pattern(code: str, skeleton: str, has_time: bool) -> DateTimePattern:  # noqa: FBT001 - a key
    locale = locale_of(code)
    # Most languages have no skeleton of their own for the longest form.
    is_long = skeleton == "yMMMMd"
    found = locale.date_formats["long"] if is_long else locale.datetime_skeletons.get(skeleton)
    text = found.pattern if found else ""
    if has_time:
        time = locale.time_formats["short"].pattern
        text = locale.datetime_formats["medium"].format(time, text) if text else time
    return parse_pattern(text)
