"""Time zones: names, search and labels."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError

UTC_NAME = "UTC"


@cache
def known() -> frozenset[str]:
    """Return the names of all zones that this machine knows."""
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
        raise ValidationError("There is no such time zone.", code="unknown")


def choices(now: datetime) -> list[tuple[str, str]]:
    """Return each zone with the words that a search finds it by, and what its clocks show now."""
    return [(name, label(name, now)) for name in (UTC_NAME, *offered())]


def find(typed: str) -> str:
    """Return the name of a zone from its name or its city, in any case; empty if there is none."""
    wanted = _plain(typed)
    for names in (offered(), sorted(known())):
        by_name = {_plain(name): name for name in names}
        by_city = {_plain(name.rpartition("/")[2]): name for name in reversed(names)}
        if zone := by_name.get(wanted) or by_city.get(wanted):
            return zone
    return ""


def _plain(text: str) -> str:
    return text.strip().replace("_", " ").casefold()


def label(name: str, now: datetime) -> str:
    """Return a zone's label, such as ``Argentina, Buenos Aires (UTC−03:00, 09:15)``."""
    local = now.astimezone(ZoneInfo(name))
    city = ", ".join(_words(name)) or name
    return f"{city} ({offset(local)}, {local:%H:%M})"


def offset(moment: datetime) -> str:
    """Return a time's offset from UTC, such as ``UTC+05:30``."""
    minutes = (moment.utcoffset() or timedelta()) // timedelta(minutes=1)
    sign = "−" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}" if minutes else "UTC"


def _words(name: str) -> Iterator[str]:
    _, *parts = name.split("/")
    return (part.replace("_", " ") for part in parts)
