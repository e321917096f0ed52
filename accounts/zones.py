"""Time zones: names, choices and labels."""

from datetime import datetime, timedelta
from functools import cache
from importlib import resources
from itertools import groupby
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext

from config.catalogues import locale_of

UTC_NAME = "UTC"


@cache
def known() -> frozenset[str]:
    return frozenset(available_timezones())


@cache
def offered() -> tuple[str, ...]:
    """Return the zones to choose from, one per region and history of its clocks, sorted.

    Source: zone.tab of the tz database, which leaves out old names.
    """
    table = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return tuple(sorted({row[2] for row in rows} & known()))


def validate(name: str) -> None:
    """Check the name of a zone.

    :raises ValidationError: there is no such zone.
    """
    if name not in known():
        raise ValidationError(gettext("There is no such time zone."), code="unknown")


def choices(now: datetime, current: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the zones by region with their labels.

    The current one of a user is among them if this machine knows it.
    """
    offered_names = {UTC_NAME, *offered(), *({current} & known())}
    names = sorted(offered_names, key=lambda name: (_region(name), name))
    return [
        (region, [(name, label(name, now)) for name in group])
        for region, group in groupby(names, _region)
    ]


def _region(name: str) -> str:
    """Return the part of a name before the first slash. Empty for UTC and the like."""
    return name.rpartition("/")[0].partition("/")[0]


def label(name: str, now: datetime) -> str:
    """Return a zone's label, such as ``Argentina, Buenos Aires (UTC−03:00, 09:15)``.

    Cities are named as in the reader's language if CLDR knows how.
    """
    local = now.astimezone(ZoneInfo(name))
    *areas, city = name.replace("_", " ").split("/")
    named = locale_of(get_language() or "").time_zones.get(name, {}).get("city", city)
    areas = [area for area in areas[1:] if area not in named]
    return f"{', '.join([*areas, named])} ({offset(local)}, {local:%H:%M})"


def names(zone: str, now: datetime) -> dict[str, str]:
    """Return abbreviations of a zone by offset, from a year ago to a year ahead.

    Offsets are as in ISO 8601: ``{"+01:00": "CET", "+02:00": "CEST"}``.
    """
    moments = (now + timedelta(days=days) for days in range(-365, 366, 30))
    local = (moment.astimezone(ZoneInfo(zone)) for moment in moments)
    return {one.isoformat(timespec="minutes")[-6:]: f"{one:%Z}" for one in local}


def offset(moment: datetime) -> str:
    """Return a time's offset from UTC, such as ``UTC+05:30``."""
    minutes = (moment.utcoffset() or timedelta()) // timedelta(minutes=1)
    sign = "−" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}" if minutes else "UTC"
