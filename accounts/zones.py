"""Time zones: which there are, and how a list offers them."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from importlib import resources
from itertools import groupby
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError

UTC_NAME = "UTC"

Choices = list[tuple[str, list[tuple[str, str]]]]
"""Groups of choices: a heading, and below it values and labels."""


@cache
def known() -> frozenset[str]:
    """Return the names of all zones of this machine."""
    return frozenset(available_timezones())


@cache
def offered() -> tuple[str, ...]:
    """Return the zones that people choose from, one per region and history of its clocks, sorted.

    Source: zone.tab of the tz database, which leaves out the old names.
    """
    table = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return tuple(sorted({row[2] for row in rows} & known()))


def validate(name: str) -> None:
    """Check that a name is one of a zone.

    :raises ValidationError: with a sentence for the person who chose it.
    """
    if name not in known():
        raise ValidationError("There is no such time zone.", code="unknown")


def choices(now: datetime, *, also: str = UTC_NAME) -> Choices:
    """Return the zones as choices of a form, by continent, each with what its clocks show now.

    ``also`` is a zone to offer even where the list has it under another name.
    """
    first = dict.fromkeys((UTC_NAME, *({also} - set(offered()))))
    groups = [("World", [(name, label(name, now)) for name in first])]
    for continent, names in groupby(offered(), key=lambda name: name.partition("/")[0]):
        groups.append((continent, [(name, label(name, now)) for name in names]))
    return groups


def label(name: str, now: datetime) -> str:
    """Return a zone as people read it: ``Argentina, Buenos Aires (UTC−03:00, 09:15)``."""
    local = now.astimezone(ZoneInfo(name))
    city = ", ".join(_words(name)) or name
    return f"{city} ({offset(local)}, {local:%H:%M})"


def offset(moment: datetime) -> str:
    """Return how far a moment's clock is from UTC: ``UTC+05:30``."""
    minutes = (moment.utcoffset() or timedelta()) // timedelta(minutes=1)
    sign = "−" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}" if minutes else "UTC"


def _words(name: str) -> Iterator[str]:
    _, *parts = name.split("/")
    return (part.replace("_", " ") for part in parts)
