"""Time spans, clocks, parameters and results in words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from math import ceil
from typing import Literal

from babel.dates import format_timedelta
from babel.units import format_unit
from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.html import strip_tags
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts import dates
from games.kernel.contract import COMMON_ENDING_NAMES, AnyGame, Meta
from games.kernel.formatting import listed
from games.kernel.language import cached, gettext, gettext_noop, labelled, locale, pgettext
from games.kernel.params import changed
from games.kernel.views import Json
from games.matches.clock import PRESETS, Clock
from games.matches.models import Match, Player
from games.matches.pauses import Reason
from games.matches.selectors import AnyPlayer
from games.matches.table import Table

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
Unit = Literal["day", "hour", "minute", "second"]

UNITS: Mapping[Unit, timedelta] = {
    "day": DAY,
    "hour": HOUR,
    "minute": MINUTE,
    "second": SECOND,
}
"""From the longest on."""

DUEL = 2

ENDINGS = {
    "resigned": gettext_noop("By resignation"),
    "timeout": gettext_noop("On time"),
    "removed": gettext_noop("By a moderator"),
    "closed": gettext_noop("By agreement"),
    "cancelled": gettext_noop("Cancelled"),
    "annulled": gettext_noop("Annulled"),
}
"""The endings caused by the match rather than its game, in words."""


def ending_names(titles: Iterable[AnyGame]) -> Mapping[str, str]:
    """Return the English names of the endings of some games, in few words, by their keys."""
    own = {key: name for title in titles for key, name in title.meta.ending_names.items()}
    return {**own, **COMMON_ENDING_NAMES, **ENDINGS}


def left(span: timedelta) -> str:
    """Format time left as a clock shows it: ``2 d 11 h``, ``5 h 07 min``, ``12 min``, ``48 s``."""
    if span >= DAY:
        day_parts = {"days": span // DAY, "hours": f"{span % DAY // HOUR:02}"}
        # Translators: time left on a clock, such as "2 d 11 h".
        return gettext("%(days)s d %(hours)s h") % day_parts
    if span >= HOUR:
        hour_parts = {"hours": span // HOUR, "minutes": f"{span % HOUR // MINUTE:02}"}
        # Translators: time left on a clock, such as "5 h 07 min".
        return gettext("%(hours)s h %(minutes)s min") % hour_parts
    if span >= MINUTE:
        return gettext("%(minutes)s min") % {"minutes": span // MINUTE}
    return gettext("%(seconds)s s") % {"seconds": max(span, timedelta()) // SECOND}


def span(length: timedelta) -> str:
    """Format a time span in full words: ``3 days``, ``36 hours``, ``1 day and 10 minutes``."""
    if not length % DAY:
        return _in_units(length // DAY, "day")
    if not length % HOUR:
        return _in_units(length // HOUR, "hour")
    parts = []
    for name, unit in UNITS.items():
        count, length = divmod(length, unit)
        if count:
            parts.append(_in_units(count, name))
    return names(parts)


def _in_units(count: int, unit: Unit) -> str:
    return format_unit(count, f"duration-{unit}", "long", locale=locale())


def roughly(length: timedelta) -> str:
    """Format a time span in full words, rounded up to hours, or to days from a day on."""
    unit = HOUR if length <= 23 * HOUR else DAY
    return span(max(ceil(length / unit), 1) * unit)


def clock(control: Clock | None) -> str:
    """Describe a clock: ``3 days, plus 1 day per turn, at most 7 days``."""
    if control is None:
        return gettext("no clock")
    time = span(control.start)
    if control.is_per_move:
        words = gettext("%(time)s per turn") % {"time": time}
    elif not control.increment:
        words = gettext("%(time)s for the whole match") % {"time": time}
    else:
        words = gettext("%(time)s, plus %(more)s per turn, at most %(cap)s") % {
            "time": time,
            "more": span(control.increment),
            "cap": span(control.cap),
        }
    if not control.weekends:
        return words
    # Translators: a clock, such as "3 days per turn", and the time zone of its weekends.
    return gettext("%(clock)s; weekends do not count (%(zone)s)") % {
        "clock": words,
        "zone": zone(control.weekends),
    }


def zone(name: str) -> str:
    """Return the place in the name of a time zone: ``Buenos Aires``."""
    return name.rpartition("/")[2].replace("_", " ")


def clock_short(control: Clock | None) -> str:
    """Describe a clock briefly: its name, ``2 days per turn``, ``3 d + 12 h``."""
    if control is None:
        return gettext("no clock")
    words = _clock_without_weekends(control)
    # Translators: a clock, such as "3 days per turn".
    return gettext("%(clock)s, weekends off") % {"clock": words} if control.weekends else words


def _clock_without_weekends(control: Clock) -> str:
    if control.is_per_move:
        return gettext("%(time)s per turn") % {"time": span(control.start)}
    if not control.increment:
        return gettext("%(time)s in all") % {"time": _brief(control.start)}
    for name, preset in PRESETS.items():
        if preset == control.through_weekends:
            return gettext(PRESET_NAMES[name])
    return f"{_brief(control.start)} + {_brief(control.increment)}"


PRESET_NAMES = {
    "brisk": gettext_noop("brisk"),
    "standard": gettext_noop("standard"),
    "leisurely": gettext_noop("leisurely"),
}


def _brief(length: timedelta) -> str:
    if not length % DAY:
        return gettext("%(days)s d") % {"days": length // DAY}
    return left(length) if length % HOUR else gettext("%(hours)s h") % {"hours": length // HOUR}


WHY_STILL: Mapping[Reason, str] = {
    Reason.VACATION: gettext_noop("away"),
    Reason.WEEKEND: gettext_noop("weekend"),
    Reason.MODERATOR: gettext_noop("stopped"),
    Reason.AGREEMENT: gettext_noop("paused"),
    Reason.TOURNAMENT: gettext_noop("paused"),
}
"""Why a clock is stopped, in a word."""

REASONS: Mapping[Reason, str] = {
    Reason.VACATION: gettext_noop("on vacation"),
    Reason.WEEKEND: gettext_noop("weekends do not count"),
    Reason.MODERATOR: gettext_noop("stopped by a moderator"),
    Reason.AGREEMENT: gettext_noop("paused by agreement"),
    Reason.TOURNAMENT: gettext_noop("the tournament is paused"),
}


def stands_still(reasons: Sequence[Reason], until: datetime | None) -> str:
    """Say why a clock is stopped, and until when if that is known (``None`` if it isn't)."""
    why = ", ".join(gettext(REASONS[reason]) for reason in reasons)
    if until is None:
        # Translators: the reason may be "on vacation", or several with commas.
        return gettext("The clock stands still: %(why)s") % {"why": why}
    return gettext("The clock stands still: %(why)s, until %(time)s") % {
        "why": why,
        "time": exact(until),
    }


def parameters(meta: Meta, params: Mapping[str, Json]) -> list[tuple[str, str]]:
    """Return title and value of each parameter for people, in the order of the schema.

    The ``wording`` of the schema may replace a value.
    """
    properties = meta.params.get("properties", {})
    return [
        (gettext(schema.get("title", name)), _value_in_words(schema, params[name]))
        for name, schema in properties.items()
        if name in params
    ]


def _value_in_words(schema: Mapping[str, Json], value: Json) -> str:
    wording = schema.get("wording", {}).get(str(value))
    return gettext(wording) if wording and not isinstance(value, bool) else parameter(value)


def parameter(value: Json) -> str:
    """Return the value of a parameter for people."""
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    # Texts are the choices of a game, which marks them as messages.
    return gettext(value) if isinstance(value, str) and value else str(value)


def parameters_short(meta: Meta, params: Mapping[str, Json]) -> str:
    """Describe the parameters that differ from their defaults: ``size 7, random life``.

    The ``wording`` of a schema may contain the words: a text for a value, and under an empty key a
    format for all other values.
    """
    chosen = changed(meta, params)
    properties = meta.params.get("properties", {})
    return ", ".join(
        _in_words(name, schema, chosen[name])
        for name, schema in properties.items()
        if name in chosen
    )


def _in_words(name: str, schema: Mapping[str, Json], value: Json) -> str:
    wording = schema.get("wording", {})
    if str(value) in wording:
        return gettext(wording[str(value)])
    if "" in wording:
        return gettext(wording[""]).format(parameter(value))
    label = gettext(schema.get("title", name))
    return labelled(label, parameter(value))


def names(words: Sequence[str]) -> str:
    """List names: ``ada, ben and carol``."""
    return listed(words)


def outcome(table: Table) -> str:
    """Return the outcome of an ended match: ``ada won``. Empty while it runs."""
    status = table.match.status
    if status in (Match.Status.CANCELLED, Match.Status.ANNULLED):
        return str(Match.Status(status).label)
    return "" if table.match.is_running else _winners(table.players)


def dropped(player: AnyPlayer) -> str:
    """Return why a player left a match that continued: ``resigned``. Empty if they didn't."""
    return str(Player.Dropped(player.dropped).label) if player.dropped else ""


def ending(table: Table) -> str:
    """Return how a match ended without being played out: ``By resignation``. Otherwise empty."""
    is_over = table.match.status == Match.Status.OVER
    ending = ENDINGS.get(table.match.ending) if is_over else None
    return gettext(ending) if ending else ""


def _winners(players: Sequence[AnyPlayer]) -> str:
    best = _at(players, 1)
    if len(best) == 1:
        return gettext("%(player)s won") % {"player": best[0]}
    if len(best) == len(players):
        return pgettext("outcome", "draw")
    return gettext("%(players)s drew") % {"players": names(best)}


def ranking(players: Sequence[AnyPlayer]) -> str:
    """Return the places of three or more players: ``1. ada, 2. bruno and clara, 4. daniel``.

    Empty for two, whose outcome says it all, and before the end.
    """
    ranks = sorted({player.rank for player in players if player.rank})
    if len(players) == DUEL or not ranks:
        return ""
    return ", ".join(f"{rank}. {names(_at(players, rank))}" for rank in ranks)


def _at(players: Sequence[AnyPlayer], rank: int) -> list[str]:
    return [player.user.shown_name for player in players if player.rank == rank]


def place(own: AnyPlayer, players: Sequence[AnyPlayer]) -> str:
    """Return a player's place in an ended match: ``won``, ``3rd``, ``2nd, shared``."""
    outcome, shared = placed(own, players)
    if outcome is not Place.RANKED:
        return str(PLACES[outcome])
    place = nth(own.rank or 0)
    # Translators: a player's place, such as "2nd, shared".
    return gettext("%(place)s, shared") % {"place": place} if shared else place


def nth(number: int) -> str:
    """Return an ordinal number as text: ``2nd``. Django writes some with HTML."""
    return strip_tags(str(ordinal(number)))


def verdict(own: AnyPlayer, players: Sequence[AnyPlayer]) -> str:
    """Return a player's own outcome: ``You won``, ``You came 2nd``, ``Draw``."""
    outcome, shared = placed(own, players)
    if outcome is not Place.RANKED:
        return str(VERDICTS[outcome])
    place = {"place": nth(own.rank or 0)}
    if shared:
        # Translators: the place is an ordinal number, such as "2nd".
        return gettext("You came %(place)s, shared") % place
    # Translators: the place is an ordinal number, such as "2nd".
    return gettext("You came %(place)s") % place


class Place(Enum):
    """How a match ended for a player."""

    WON = "won"
    LOST = "lost"
    DRAW = "draw"
    RANKED = "ranked"


PLACES = {
    # Translators: a badge beside a name, which has room for some eight letters on a phone.
    Place.WON: pgettext_lazy("badge", "won"),
    # Translators: a badge beside a name, which has room for some eight letters on a phone.
    Place.LOST: pgettext_lazy("badge", "lost"),
    # Translators: a badge beside a name, which has room for some eight letters on a phone.
    Place.DRAW: pgettext_lazy("badge", "draw"),
}
VERDICTS = {
    Place.WON: gettext_lazy("You won"),
    Place.LOST: gettext_lazy("You lost"),
    Place.DRAW: pgettext_lazy("outcome", "Draw"),
}
OWN_RESULTS = {
    ("resigned", Place.WON): gettext_noop("You won by resignation"),
    ("resigned", Place.LOST): gettext_noop("You lost by resignation"),
    ("timeout", Place.WON): gettext_noop("You won on time"),
    ("timeout", Place.LOST): gettext_noop("You lost on time"),
    ("closed", Place.DRAW): gettext_noop("Draw by agreement"),
}
"""A player's result in a match that wasn't played out, by ending and outcome."""

RESULTS = {
    ("resigned", Place.WON): gettext_noop("%(player)s won by resignation"),
    ("timeout", Place.WON): gettext_noop("%(player)s won on time"),
    ("closed", Place.DRAW): gettext_noop("Draw by agreement"),
}
"""The result for everybody else, in the same way."""

CAUSES = {
    "resigned": gettext_noop("a player resigned"),
    "timeout": gettext_noop("a player ran out of time"),
    "removed": gettext_noop("a moderator removed a player"),
    "closed": gettext_noop("the players agreed to end the match"),
    # Records from elsewhere may say so of a match that is over.
    "cancelled": gettext_noop("the match was cancelled"),
    "annulled": gettext_noop("the match was annulled"),
}
"""Why a match ended that wasn't played out. It follows any other result, after a colon."""


def result_by_ending(table: Table, own: AnyPlayer | None) -> str:
    """Return the result of a match that wasn't played out: ``You won by resignation``.

    Empty if there is no message for its ending and outcome. ``own`` is the reader, ``None`` for a
    spectator.
    """
    if table.match.status != Match.Status.OVER:
        return ""
    ending, players = table.match.ending, table.players
    if own:
        text = OWN_RESULTS.get((ending, placed(own, players)[0]))
        return gettext(text) if text else ""
    best = _at(players, 1)
    is_draw = len(best) == len(players)
    text = RESULTS.get((ending, Place.DRAW if is_draw else Place.WON))
    if not text or not (is_draw or len(best) == 1):
        return ""
    return gettext(text) % {"player": best[0]}


def placed(own: AnyPlayer, players: Sequence[AnyPlayer]) -> tuple[Place, bool]:
    """Return a player's outcome, and whether others have the same place."""
    count = len(_at(players, own.rank or 0))
    if count == len(players):
        return Place.DRAW, False
    if len(players) == DUEL or (own.rank == 1 and count == 1):
        return (Place.WON if own.rank == 1 else Place.LOST), False
    return Place.RANKED, count > 1


def ago(then: datetime, now: datetime) -> str:
    """Return how long ago a time was, or until then, in words. Beyond a week, its date.

    Number and unit are joined by a no-break space.
    """
    past = now - then
    if abs(past) >= 7 * DAY:
        return dates.brief_day(then)
    if abs(past) < MINUTE:
        return gettext("just now")
    unit, name = next((unit, name) for name, unit in UNITS.items() if abs(past) >= unit)
    count = abs(past) // unit
    return _from_now(-count if past > timedelta() else count, name)


@cached(None)
def _from_now(count: int, unit: Unit) -> str:
    """Return ``in 3 days``, or with a negative number, ``3 days ago``."""
    words = format_timedelta(
        count * UNITS[unit], unit, threshold=1, add_direction=True, locale=locale()
    )
    return re.sub(r"(?<=\d) ", "\N{NO-BREAK SPACE}", words)


def exact(moment: datetime) -> str:
    """Format a time exactly, in the reader's zone: ``Tue, 3 Feb 2026, 14:05 CET``."""
    return dates.exactly(moment)


def short(moment: datetime) -> str:
    """Format a time briefly, in the reader's zone: ``3 Feb, 14:05``.

    Day and month are joined by a no-break space.
    """
    return dates.brief_day_and_time(moment)


def machine_readable(moment: datetime) -> str:
    """Format a time for ``<time datetime>``: HTML allows three digits of a second."""
    return moment.isoformat(timespec="milliseconds")
