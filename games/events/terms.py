"""The terms of a tournament: their changes in words, and settings that fight each other.

Pure functions, apart from the names of games.
"""

from collections.abc import Mapping
from datetime import datetime
from math import ceil, log2
from typing import Any, NamedTuple

from games.events.conditions import club_name
from games.events.models import Tournament
from games.events.tie_breaks import names_of
from games.kernel import registry
from games.kernel.two_players import PAIR
from games.kernel.views import Json
from games.matches import formatting
from games.matches.clocks.clock import DAY, Clock

Format = Tournament.Format

LABELS: Mapping[str, str] = {
    "name": "Name",
    "about": "Description",
    "format": "Kind",
    "rounds": "Rounds",
    "rated": "Rated",
    "least": "Fewest players",
    "most": "Most players",
    "seats": "Players at a board",
    "starts": "Entry closes",
    "begins_when_full": "Begins when full",
    "params": "Board",
    "clock": "Clock",
    "round_days": "Days for a round",
    "rating_low": "Lowest rating",
    "rating_high": "Highest rating",
    "least_matches": "Ended matches",
    "least_reliability": "Reliability",
    "by_invitation": "By invitation",
    "club_id": "Club",
    "late_until": "Late entry until round",
    "tie_breaks": "Tie-breaks",
}
"""What an organiser may change until the start, in the order of the form."""


class Change(NamedTuple):
    """A term that was changed, with its values in words."""

    label: str
    before: str
    after: str


def stored(tournament: Tournament) -> dict[str, Json]:
    """Return the terms of a tournament as JSON."""
    found: dict[str, Json] = {name: getattr(tournament, name) for name in LABELS}
    return {**found, "starts": tournament.starts.isoformat()}


def changes(title: str, before: Mapping[str, Json], after: Mapping[str, Json]) -> list[Change]:
    """Return the terms that differ, in the order of the form."""
    return [
        Change(label, _words(title, name, before[name]), _words(title, name, after[name]))
        for name, label in LABELS.items()
        if before[name] != after[name]
    ]


def _words(title: str, name: str, value: Any) -> str:
    if name == "starts":
        return f"{datetime.fromisoformat(value):%-d %B %Y, %H:%M} UTC"
    if name == "clock":
        return formatting.clock(Clock.load(value))
    if name == "format":
        return str(Format(value).label)
    if name == "params":
        meta = registry.get(title).meta
        return ", ".join(f"{key}: {word}" for key, word in formatting.parameters(meta, value))
    if name == "tie_breaks":
        return ", ".join(names_of(value)) or "none"
    if name == "club_id":
        return club_name(value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value or "none")


def conflicts(
    *,
    format: Format,  # noqa: A002 - the word that players know
    seats: int,
    most: int,
    rounds: int,
    round_days: int,
    clock: Clock,
    late_until: int = 0,
) -> dict[str, str]:
    """Return a sentence for each setting that fights another, by its name.

    They are allowed, but their organiser should know.
    """
    found = {}
    needed = clock.start * seats
    if needed > round_days * DAY:
        found["round_days"] = (
            f"With this clock, the first turns can take {formatting.span(needed)}. Choose more"
            " days or a faster clock, or tick the box below."
        )
    possible = most // 2 if seats == PAIR else rounds
    if format == Format.SWISS and rounds > possible:
        found["rounds"] = (
            f"With {most} players there are at most {possible} rounds in which nobody meets"
            " somebody twice. Choose fewer rounds or more players, or tick the box below."
        )
    last = rounds or ceil(log2(most)) + 1
    if late_until > last:
        found["late_until"] = (
            f"With {most} players the last round is round {last}. Choose an earlier round, or tick"
            " the box below."
        )
    return found
