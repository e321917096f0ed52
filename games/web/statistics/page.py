"""Statistics as pages show them: each chart with its numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from accounts import dates
from games.kernel import registry
from games.kernel.contract import COMMON_ENDINGS, AnyGame, Meta
from games.matches import formatting
from games.statistics import selectors
from games.statistics.models import Variant
from games.statistics.openings import Openings
from games.statistics.selectors import (
    Cell,
    GameStatistics,
    Opening,
    PlayerStatistics,
    SeatResults,
)
from games.web.statistics import charts, heat_map

WEEKS = 26
"""Maximum number of weeks shown."""

BINS = 10
"""Maximum number of ranges of lengths shown."""

CELLS = 12
"""Maximum number of marks of the board in the table."""

PACE = (
    gettext_lazy("under 1 min"),
    gettext_lazy("under 10 min"),
    gettext_lazy("under 1 h"),
    gettext_lazy("under 4 h"),
    gettext_lazy("under 12 h"),
    gettext_lazy("under 1 day"),
    gettext_lazy("under 2 days"),
    gettext_lazy("under 4 days"),
    gettext_lazy("4 days or more"),
)
"""The spans of :data:`games.statistics.facts.PACE` in words."""

PACE_SHORT = (
    gettext_lazy("1 min"),
    gettext_lazy("10 min"),
    gettext_lazy("1 h"),
    gettext_lazy("4 h"),
    gettext_lazy("12 h"),
    gettext_lazy("1 d"),
    gettext_lazy("2 d"),
    gettext_lazy("4 d"),
    gettext_lazy("more"),
)
"""The same in short."""


@dataclass(frozen=True)
class Figure:
    """A chart. ``picture`` is ``None`` if only the table can be shown.

    ``head`` are the headings of the table's columns. ``is_board`` says that the picture is a board.
    """

    key: str
    heading: str
    note: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    picture: SafeString | None = None
    is_board: bool = False


def figures_of_game(title: AnyGame, statistics: GameStatistics, now: datetime) -> list[Figure]:
    """Return the charts of a game. Empty if nothing was played."""
    if not statistics.matches:
        return []
    figures = [
        _weeks(statistics, now),
        _seats(title.meta, statistics.seats),
        _lengths(statistics.lengths),
        _endings(title, statistics.endings),
    ]
    if any(statistics.pace):
        figures.append(_pace(statistics.pace))
    if statistics.opening and statistics.opening.cells:
        figures.append(_opening(title.meta, statistics.opening))
    return figures


def figures_of_player(statistics: PlayerStatistics) -> list[Figure]:
    """Return the charts of a player. Empty if nothing was played."""
    if not statistics.matches:
        return []
    figures = [_results(statistics)]
    if any(statistics.pace):
        figures.append(_pace(statistics.pace))
    return figures


def figures_of_openings(openings: Sequence[Openings]) -> list[Figure]:
    """Return a chart for each game in which a player began several matches."""
    titles = registry.titles()
    return [
        _own_opening(one, titles[one.variant.title].meta)
        for one in openings
        if one.variant.title in titles
    ]


def _own_opening(openings: Openings, meta: Meta) -> Figure:
    labels = heat_map.labels(openings.variant)
    rows = [
        (labels.get(one.mark, one.mark), one.matches, one.won, one.tied, one.lost, _share(one))
        for one in openings.opened[:CELLS]
    ]
    cells = [Cell(one.mark, one.matches) for one in openings.opened]
    note = _(
        "Where the first move led, in the latest {count} matches begun by this player: {variant}."
    ).format(count=openings.matches, variant=_chosen(meta, openings.variant))
    key = f"openings-{meta.slug}"
    picture = heat_map.draw(Opening(openings.variant, openings.matches, cells), f"{key}-")
    head = (_("On the board"), _("Matches"), _("Won"), _("Drawn"), _("Lost"), _("Share won"))
    heading = _("Openings in {game}").format(game=meta.name)
    return Figure(key, heading, note, head, rows, picture, is_board=True)


def _chosen(meta: Meta, variant: Variant) -> str:
    players = ngettext("{count} player", "{count} players", variant.seats)
    chosen = formatting.parameters_short(meta, variant.params) or _("the usual parameters")
    return f"{players.format(count=variant.seats)}, {chosen}"


def _weeks(statistics: GameStatistics, now: datetime) -> Figure:
    weeks = selectors.recent_weeks(statistics.weeks, now, WEEKS)
    days = [(dates.brief_day_of_year(day), number) for day, number in weeks]
    label = _("Matches that ended, by week")
    rows = [(dates.day(day), number) for day, number in reversed(weeks)]
    note = _("In all: {count}.").format(count=statistics.matches)
    head = (_("Week from Monday"), _("Matches"))
    return Figure("weeks", _("Matches a week"), note, head, rows, charts.columns(days, label))


def _seats(meta: Meta, results: Sequence[SeatResults]) -> Figure:
    """Return each seat's share of wins. The chart is for the most common number of players."""
    played = {seats: _matches(results, seats) for seats in {row.seats for row in results}}
    most = max(played, key=lambda seats: played[seats])
    shares = [
        (meta.colours[row.seat].shown_name, _percent(row.won, _total(row)))
        for row in results
        if row.seats == most
    ]
    rows = [
        (row.seats, meta.colours[row.seat].shown_name, row.won, row.tied, row.lost, _share(row))
        for row in results
    ]
    note = _("Of {count} players, in order of play. A draw is no win.").format(count=most)
    label = _("Share of matches won, by seat, of {count} players").format(count=most)
    picture = charts.bars(shares, label, unit=" %", most=100)
    head = (_("Players"), _("Seat"), _("Won"), _("Drawn"), _("Lost"), _("Share won"))
    return Figure("seats", _("Share won by seat"), note, head, rows, picture)


def _matches(results: Sequence[SeatResults], seats: int) -> int:
    return sum(_total(row) for row in results if row.seats == seats) // seats


def _total(row: Any) -> int:
    return int(row.won + row.tied + row.lost)


def _share(row: Any) -> str:
    return f"{_percent(row.won, _total(row))} %"


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole) if whole else 0


def _lengths(lengths: Mapping[int, int]) -> Figure:
    spans = [
        (str(low) if low == high else f"{low}–{high}", number)
        for low, high, number in selectors.grouped(lengths, BINS)
    ]
    message = _("Half of the matches took {count} moves or fewer.")
    note = message.format(count=selectors.median(lengths))
    picture = charts.columns(spans, _("Matches by number of moves"))
    return Figure("lengths", _("Length"), note, (_("Moves"), _("Matches")), spans, picture)


def _endings(title: AnyGame, endings: Mapping[str, int]) -> Figure:
    named = {**title.meta.endings, **COMMON_ENDINGS, **formatting.ENDINGS}
    brief = formatting.ending_names([title])
    rows = [
        (_(named[key]).rstrip(".") if key in named else _in_short(brief, key), number)
        for key, number in endings.items()
    ]
    short = [(_in_short(brief, key), number) for key, number in endings.items()]
    picture = charts.bars(short, _("Matches by how they ended"))
    return Figure("endings", _("How matches end"), "", (_("Ending"), _("Matches")), rows, picture)


def _in_short(names: Mapping[str, str], ending: str) -> str:
    """Return an ending in few words, to fit beside a bar."""
    return _(names[ending]) if ending in names else ending.replace("-", " ").capitalize()


def _pace(pace: Sequence[int]) -> Figure:
    note = _("From the moment that a player’s clock runs; moves without a clock are left out.")
    short = [(str(name), number) for name, number in zip(PACE_SHORT, pace, strict=True)]
    picture = charts.columns(short, _("Moves by how long they took"))
    rows = list(zip(PACE, pace, strict=True))
    head = (_("Time"), _("Moves"))
    return Figure("pace", _("How long a move takes"), note, head, rows, picture)


def _opening(meta: Meta, opening: Opening) -> Figure:
    labels = heat_map.labels(opening.variant)
    rows = [
        (labels.get(mark, mark), number, f"{_percent(number, opening.matches)} %")
        for mark, number in opening.cells[:CELLS]
    ]
    message = _("Where the first move leads, in the matches played most: {variant}.")
    note = message.format(variant=_chosen(meta, opening.variant))
    picture = heat_map.draw(opening)
    head = (_("On the board"), _("Matches"), pgettext("of all", "Share"))
    heading = _("Where matches begin")
    return Figure("openings", heading, note, head, rows, picture, is_board=True)


def _results(statistics: PlayerStatistics) -> Figure:
    names = {slug: title.meta.name for slug, title in registry.titles().items()}
    rows = [
        (names.get(row.title, row.title), row.won, row.tied, row.lost, _share(row))
        for row in statistics.results
    ]
    shares = [
        (names.get(row.title, row.title), _percent(row.won, _total(row)))
        for row in statistics.results
    ]
    picture = charts.bars(shares, _("Share of matches won, by game"), unit=" %", most=100)
    head = (_("Game"), _("Won"), _("Drawn"), _("Lost"), _("Share won"))
    note = _("The share of matches won.")
    return Figure("results", _("Results by game"), note, head, rows, picture)
