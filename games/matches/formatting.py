"""Time spans, clocks, parameters and results in words."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from math import ceil

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.timesince import timesince, timeuntil
from django.utils.timezone import localtime

from games.kernel.contract import Meta
from games.kernel.params import changed
from games.kernel.views import Json
from games.matches.clocks.clock import PRESETS, Clock
from games.matches.clocks.pauses import Reason
from games.matches.models import Match, Player
from games.matches.selectors import AnyPlayer
from games.matches.table import Table

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
EPOCH = datetime.fromtimestamp(0, UTC)

DUEL = 2

ENDINGS = {
    "resigned": "by resignation",
    "timeout": "on time",
    "removed": "by a moderator",
    "closed": "by agreement",
    "cancelled": "cancelled",
    "annulled": "annulled",
}
"""The endings caused by the match rather than its game, in words."""


def left(span: timedelta) -> str:
    """Format time left as a clock shows it: ``2 d 11 h``, ``5 h 07 min``, ``12 min``, ``48 s``."""
    if span >= DAY:
        return f"{span // DAY} d {span % DAY // HOUR:02} h"
    if span >= HOUR:
        return f"{span // HOUR} h {span % HOUR // MINUTE:02} min"
    if span >= MINUTE:
        return f"{span // MINUTE} min"
    return f"{max(span, timedelta()) // timedelta(seconds=1)} s"


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 day``, ``3 days``, or with a ``plural``, ``2 matches``."""
    return f"{count} {noun}" if count == 1 else f"{count} {plural or f'{noun}s'}"


def span(length: timedelta) -> str:
    """Format a time span in full words: ``3 days``, ``36 hours``, ``1 day and 10 minutes``."""
    if not length % DAY:
        return counted(length // DAY, "day")
    if not length % HOUR:
        return counted(length // HOUR, "hour")
    parts = []
    for unit, noun in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second")):
        count, length = divmod(length, unit)
        if count:
            parts.append(counted(count, noun))
    return names(parts)


def roughly(length: timedelta) -> str:
    """Format a time span in full words, rounded up to hours, or to days from a day on."""
    unit = HOUR if length <= 23 * HOUR else DAY
    return span(max(ceil(length / unit), 1) * unit)


def clock(control: Clock | None) -> str:
    """Describe a clock: ``3 days, plus 1 day per turn, at most 7 days``."""
    if control is None:
        return "no clock"
    free = f"; weekends do not count ({zone(control.weekends)})" if control.weekends else ""
    if control.is_per_move:
        return f"{span(control.start)} per turn{free}"
    if not control.increment:
        return f"{span(control.start)} for the whole match{free}"
    more = f"{span(control.increment)} per turn"
    return f"{span(control.start)}, plus {more}, at most {span(control.cap)}{free}"


def zone(name: str) -> str:
    """Return the place in the name of a time zone: ``Buenos Aires``."""
    return name.rpartition("/")[2].replace("_", " ")


def clock_short(control: Clock | None) -> str:
    """Describe a clock briefly: its name, ``2 days per turn``, ``3 d + 12 h``."""
    if control is None:
        return "no clock"
    free = ", weekends off" if control.weekends else ""
    if control.is_per_move:
        return f"{span(control.start)} per turn{free}"
    if not control.increment:
        return f"{_brief(control.start)} in all{free}"
    named = (name for name, preset in PRESETS.items() if preset == control.through_weekends)
    return next(named, f"{_brief(control.start)} + {_brief(control.increment)}") + free


def _brief(length: timedelta) -> str:
    if not length % DAY:
        return f"{length // DAY} d"
    return left(length) if length % HOUR else f"{length // HOUR} h"


WHY_STILL: Mapping[Reason, str] = {
    Reason.VACATION: "away",
    Reason.WEEKEND: "weekend",
    Reason.MODERATOR: "stopped",
    Reason.AGREEMENT: "paused",
    Reason.TOURNAMENT: "paused",
}
"""Why a clock is stopped, in a word."""

REASONS: Mapping[Reason, str] = {
    Reason.VACATION: "on vacation",
    Reason.WEEKEND: "weekends do not count",
    Reason.MODERATOR: "stopped by a moderator",
    Reason.AGREEMENT: "paused by agreement",
    Reason.TOURNAMENT: "the tournament is paused",
}


def stands_still(reasons: Sequence[Reason], until: datetime | None) -> str:
    """Say why a clock is stopped, and until when if that is known (``None`` if it isn't)."""
    sentence = f"The clock stands still: {', '.join(REASONS[reason] for reason in reasons)}"
    return f"{sentence}, until {exact(until)}" if until else sentence


def parameters(meta: Meta, params: Mapping[str, Json]) -> list[tuple[str, str]]:
    """Return title and value of each parameter for people, in the order of the schema.

    The ``wording`` of the schema may replace a value.
    """
    properties = meta.params.get("properties", {})
    return [
        (
            schema.get("title", name),
            schema.get("wording", {}).get(str(params[name]), parameter(params[name])),
        )
        for name, schema in properties.items()
        if name in params
    ]


def parameter(value: Json) -> str:
    """Return the value of a parameter for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


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
    label = schema.get("title", name).lower()
    if str(value) in wording:
        return str(wording[str(value)])
    if "" in wording:
        return str(wording[""]).format(value)
    if isinstance(value, bool):
        return label if value else f"no {label}"
    return f"{label} {parameter(value)}"


def names(words: Sequence[str]) -> str:
    """List names: ``ada, ben and carol``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


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
    around = ENDINGS.get(table.match.ending, "")
    return around.capitalize() if table.match.status == Match.Status.OVER else ""


def _winners(players: Sequence[AnyPlayer]) -> str:
    best = _at(players, 1)
    if len(best) == 1:
        return f"{best[0]} won"
    return "draw" if len(best) == len(players) else f"{names(best)} drew"


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
    count = len(_at(players, own.rank or 0))
    if count == len(players):
        return "draw"
    if len(players) == DUEL or (own.rank == 1 and count == 1):
        return "won" if own.rank == 1 else "lost"
    return f"{ordinal(own.rank or 0)}{', shared' if count > 1 else ''}"


def verdict(own: AnyPlayer, players: Sequence[AnyPlayer]) -> str:
    """Return a player's own outcome: ``You won``, ``You came 2nd``, ``Draw``."""
    placed = place(own, players)
    if placed in ("won", "lost"):
        return f"You {placed}"
    return "Draw" if placed == "draw" else f"You came {placed}"


def ago(then: datetime, now: datetime) -> str:
    """Return how long ago a time was, or until then, in words. Beyond a week, its date.

    Number and unit are joined by a no-break space.
    """
    past = now - then
    if abs(past) >= 7 * DAY:
        return f"{localtime(then):%-d %b %Y}"
    if abs(past) < MINUTE:
        return "just now"
    if past > timedelta():
        return f"{_minutes(past // MINUTE)} ago"
    return f"in {timeuntil(then, now, depth=1)}"


@cache
def _minutes(count: int) -> str:
    return str(timesince(EPOCH, EPOCH + count * MINUTE, depth=1))


def exact(moment: datetime) -> str:
    """Format a time exactly, in the reader's zone: ``Tue 3 Feb 2026, 14:05 CET``."""
    return f"{localtime(moment):%a %-d %b %Y, %H:%M %Z}"


def short(moment: datetime) -> str:
    """Format a time briefly, in the reader's zone: ``3 Feb, 14:05``.

    Day and month are joined by a no-break space.
    """
    return f"{localtime(moment):%-d\N{NO-BREAK SPACE}%b, %H:%M}"


def machine_readable(moment: datetime) -> str:
    """Format a time for ``<time datetime>``: HTML allows three digits of a second."""
    return moment.isoformat(timespec="milliseconds")
