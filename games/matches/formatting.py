"""Spans of time, clocks, parameters and results in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.timezone import localtime

from games.kernel.contract import Meta
from games.kernel.views import Json
from games.matches.clock import PRESETS, Clock
from games.matches.models import Match, Player
from games.matches.selectors import MatchSnapshot

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

TWO = 2

ENDINGS = {
    "resigned": "by resignation",
    "timeout": "on time",
    "removed": "by a moderator",
    "closed": "by agreement",
    "cancelled": "cancelled",
    "annulled": "annulled",
}
"""The endings that the match, not its game, gives; in words."""


def left(span: timedelta) -> str:
    """Return time left as a clock shows it: ``2 d 11 h``, ``5 h 07 min``, ``12 min``, ``48 s``."""
    if span >= DAY:
        return f"{span // DAY} d {span % DAY // HOUR:02} h"
    if span >= HOUR:
        return f"{span // HOUR} h {span % HOUR // MINUTE:02} min"
    if span >= MINUTE:
        return f"{span // MINUTE} min"
    return f"{max(span, timedelta()) // timedelta(seconds=1)} s"


def counted(count: int, noun: str) -> str:
    """Return a number of things: ``1 day``, ``3 days``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def span(length: timedelta) -> str:
    """Return a round span in full words: ``3 days``, ``12 hours``."""
    if length % DAY:
        return counted(length // HOUR, "hour")
    return counted(length // DAY, "day")


def clock(control: Clock | None) -> str:
    """Return a clock in words: ``3 days, and 1 day more for each turn, up to 7 days``."""
    if control is None:
        return "no clock"
    if control.is_per_move:
        return f"{span(control.start)} for each turn"
    more = f"{span(control.increment)} more for each turn"
    return f"{span(control.start)}, and {more}, up to {span(control.cap)}"


def clock_short(control: Clock | None) -> str:
    """Return a clock in a few words: its name, ``2 days a turn``, ``3 d + 12 h``."""
    if control is None:
        return "no clock"
    if control.is_per_move:
        return f"{span(control.start)} a turn"
    named = (name for name, preset in PRESETS.items() if preset == control)
    return next(named, f"{_brief(control.start)} + {_brief(control.increment)}")


def _brief(length: timedelta) -> str:
    return f"{length // HOUR} h" if length % DAY else f"{length // DAY} d"


def parameters(meta: Meta, params: Mapping[str, Json]) -> list[tuple[str, str]]:
    """Return title and value of each parameter for people, in the order of the schema."""
    properties = meta.params.get("properties", {})
    return [
        (schema.get("title", name), parameter(params[name]))
        for name, schema in properties.items()
        if name in params
    ]


def parameter(value: Json) -> str:
    """Return the value of a parameter for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def parameters_short(meta: Meta, params: Mapping[str, Json]) -> str:
    """Return the parameters in one line: ``size 5, random life``; what is off is left out."""
    properties = meta.params.get("properties", {})
    parts = []
    for name, schema in properties.items():
        value, label = params.get(name), schema.get("title", name).lower()
        if value is True:
            parts.append(label)
        elif value is not None and value is not False:
            parts.append(f"{label} {parameter(value)}")
    return ", ".join(parts)


def names(words: Sequence[str]) -> str:
    """Return names as a sentence lists them: ``ada, ben and carol``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def outcome(snapshot: MatchSnapshot) -> str:
    """Return how an ended match came out: ``ada won``; empty while it runs."""
    status = snapshot.match.status
    if status in (Match.Status.CANCELLED, Match.Status.ANNULLED):
        return str(snapshot.match.get_status_display())
    return "" if snapshot.match.is_running else _winners(snapshot.players)


def ending(snapshot: MatchSnapshot) -> str:
    """Return how a match ended without being played out: ``By resignation``; else empty."""
    around = ENDINGS.get(snapshot.match.ending, "")
    return around.capitalize() if snapshot.match.status == Match.Status.OVER else ""


def _winners(players: Sequence[Player]) -> str:
    best = _at(players, 1)
    if len(best) == 1:
        return f"{best[0]} won"
    return "draw" if len(best) == len(players) else f"{names(best)} share the win"


def ranking(players: Sequence[Player]) -> str:
    """Return the places of three or more: ``1. ada, 2. bruno and clara, 4. daniel``.

    Of two the outcome says all, and before the end nobody has a place: then it is empty.
    """
    ranks = sorted({player.rank for player in players if player.rank})
    if len(players) == TWO or not ranks:
        return ""
    return ", ".join(f"{rank}. {names(_at(players, rank))}" for rank in ranks)


def _at(players: Sequence[Player], rank: int) -> list[str]:
    return [player.user.username for player in players if player.rank == rank]


def place(own: Player, players: Sequence[Player]) -> str:
    """Return a player's place in an ended match: ``won``, ``3rd``, ``2nd, shared``."""
    count = len(_at(players, own.rank or 0))
    if count == len(players):
        return "draw"
    if len(players) == TWO or (own.rank == 1 and count == 1):
        return "won" if own.rank == 1 else "lost"
    return f"{ordinal(own.rank or 0)}{', shared' if count > 1 else ''}"


def ago(then: datetime, now: datetime) -> str:
    """Return how long ago a moment was, or until then, in words; beyond a week its date."""
    past = now - then
    if abs(past) >= 7 * DAY:
        return f"{localtime(then):%-d %b %Y}"
    if abs(past) < MINUTE:
        return "just now"
    length = _largest(abs(past))
    return f"{length} ago" if past > timedelta() else f"in {length}"


def _largest(length: timedelta) -> str:
    for unit, noun in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if length >= unit:
            return counted(length // unit, noun)
    return "moments"


def exact(moment: datetime) -> str:
    """Return a moment exactly, in the reader's zone: ``Tue 3 Feb 2026, 14:05 CET``."""
    return f"{localtime(moment):%a %-d %b %Y, %H:%M %Z}"
