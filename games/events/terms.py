"""The terms of a tournament: their changes in words, and settings that fight each other.

Pure functions, apart from the names of games.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django_stubs_ext import StrOrPromise

from accounts import dates
from games.events.conditions import club_name
from games.events.models import Tournament
from games.events.pairing.swiss import rounds_for, rounds_possible
from games.events.tie_breaks import names_of
from games.kernel import registry
from games.kernel.language import labelled
from games.kernel.two_players import PAIR
from games.kernel.views import Json
from games.matches import formatting
from games.matches.clock import DAY, Clock

Format = Tournament.Format

LABELS: Mapping[str, StrOrPromise] = {
    "name": pgettext_lazy("tournament", "Name"),
    "about": gettext_lazy("Description"),
    "format": pgettext_lazy("tournament", "Kind"),
    "rounds": pgettext_lazy("tournament", "Rounds"),
    "rated": gettext_lazy("Rated"),
    "least": gettext_lazy("Fewest players"),
    "most": gettext_lazy("Most players"),
    "seats": gettext_lazy("Players at a board"),
    "starts": gettext_lazy("Entry closes"),
    "begins_when_full": gettext_lazy("Begins when full"),
    "params": gettext_lazy("Board"),
    "clock": gettext_lazy("Clock"),
    "round_days": gettext_lazy("Days for a round"),
    "rating_low": gettext_lazy("Lowest rating"),
    "rating_high": gettext_lazy("Highest rating"),
    "least_matches": gettext_lazy("Ended matches"),
    "least_reliability": gettext_lazy("Reliability"),
    "by_invitation": gettext_lazy("By invitation"),
    "club_id": gettext_lazy("Club"),
    "late_until": gettext_lazy("Late entry until round"),
    "tie_breaks": gettext_lazy("Tie-breaks"),
}
"""What an organiser may change until the start, in the order of the form."""


OLD_WORDS = "words"
"""The key of a value that an earlier release stored in English words."""


class Change(NamedTuple):
    """A term that was changed, with its values in words."""

    label: str
    before: str
    after: str


def stored(tournament: Tournament) -> dict[str, Json]:
    """Return the terms of a tournament as JSON."""
    found: dict[str, Json] = {name: getattr(tournament, name) for name in LABELS}
    return {**found, "name": tournament.own_name, "starts": tournament.starts.isoformat()}


def columns(names: Iterable[str]) -> list[str]:
    """Return the columns of terms."""
    return ["own_name" if name == "name" else name for name in names]


def changes(before: Mapping[str, Json], after: Mapping[str, Json]) -> list[list[Json]]:
    """Return the terms that differ, each with both values, in the order of the form."""
    return [[name, before[name], after[name]] for name in LABELS if before[name] != after[name]]


def in_words(title: str, name: str, before: Any, after: Any) -> Change:
    """Return the change of a term in a tournament of the game ``title``."""
    return Change(str(LABELS[name]), _words(title, name, before), _words(title, name, after))


def in_utc(stored: str) -> str:
    """Format a stored time in UTC, as ``3 February 2026, 14:05``."""
    with timezone.override(UTC):
        return dates.day_and_time(datetime.fromisoformat(stored))


def _words(title: str, name: str, value: Any) -> str:
    if isinstance(value, dict) and OLD_WORDS in value:
        return str(value[OLD_WORDS])
    if name == "starts":
        return _("{time} UTC").format(time=in_utc(value))
    if name == "clock":
        return formatting.clock(Clock.load(value))
    if name == "format":
        return str(Format(value).label)
    if name == "params":
        meta = registry.get(title).meta
        return ", ".join(labelled(key, word) for key, word in formatting.parameters(meta, value))
    if name == "tie_breaks":
        return ", ".join(names_of(value)) or pgettext("tie-breaks", "none")
    if name == "club_id":
        return club_name(value) or pgettext("club", "none")
    if isinstance(value, bool):
        return formatting.parameter(value)
    return str(value or pgettext("value", "none"))


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
        found["round_days"] = _(
            "With this clock, the first turns can take {time}. Choose more days or a faster clock,"
            " or tick the box below."
        ).format(time=formatting.span(needed))
    possible = rounds_possible(most) if seats == PAIR else rounds
    if format == Format.SWISS and rounds > possible:
        # Translators: {count} is always more than 1.
        found["rounds"] = _(
            "With {count} players there are at most {rounds} rounds in which nobody meets somebody"
            " twice. Choose fewer rounds or more players, or tick the box below."
        ).format(count=most, rounds=possible)
    last = rounds_for(most, seats, rounds)
    if late_until > last:
        # Translators: {count} is always more than 1.
        found["late_until"] = _(
            "With {count} players the last round is round {round}. Choose an earlier round, or tick"
            " the box below."
        ).format(count=most, round=last)
    return found
