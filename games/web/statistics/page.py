"""Statistics as pages show them: each chart with its numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.safestring import SafeString

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
    "under 1 min",
    "under 10 min",
    "under 1 h",
    "under 4 h",
    "under 12 h",
    "under 1 day",
    "under 2 days",
    "under 4 days",
    "4 days or more",
)
"""The spans of :data:`games.statistics.facts.PACE` in words."""

PACE_SHORT = ("1 min", "10 min", "1 h", "4 h", "12 h", "1 d", "2 d", "4 d", "more")
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
        _endings(title.meta, statistics.endings),
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
    note = (
        f"Where the first move led, in the latest {openings.matches} matches begun by this player:"
        f" {_chosen(meta, openings.variant)}."
    )
    key = f"openings-{meta.slug}"
    picture = heat_map.draw(Opening(openings.variant, openings.matches, cells), f"{key}-")
    head = ("On the board", "Matches", "Won", "Drawn", "Lost", "Share won")
    heading = f"Openings in {meta.name}"
    return Figure(key, heading, note, head, rows, picture, is_board=True)


def _chosen(meta: Meta, variant: Variant) -> str:
    players = formatting.counted(variant.seats, "player")
    chosen = formatting.parameters_short(meta, variant.params) or "the usual parameters"
    return f"{players}, {chosen}"


def _weeks(statistics: GameStatistics, now: datetime) -> Figure:
    weeks = selectors.recent_weeks(statistics.weeks, now, WEEKS)
    days = [(date_format(day, "j M"), number) for day, number in weeks]
    label = "Matches that ended, by week"
    rows = [(date_format(day, "j F Y"), number) for day, number in reversed(weeks)]
    note = f"In all: {statistics.matches}."
    head = ("Week from Monday", "Matches")
    return Figure("weeks", "Matches a week", note, head, rows, charts.columns(days, label))


def _seats(meta: Meta, results: Sequence[SeatResults]) -> Figure:
    """Return each seat's share of wins. The chart is for the most common number of players."""
    played = {seats: _matches(results, seats) for seats in {row.seats for row in results}}
    most = max(played, key=lambda seats: played[seats])
    shares = [
        (meta.colours[row.seat].name, _percent(row.won, _total(row)))
        for row in results
        if row.seats == most
    ]
    rows = [
        (row.seats, meta.colours[row.seat].name, row.won, row.tied, row.lost, _share(row))
        for row in results
    ]
    note = f"Of {most} players, in order of play. A draw is no win."
    label = f"Share of matches won, by seat, of {most} players"
    picture = charts.bars(shares, label, unit=" %", most=100)
    head = ("Players", "Seat", "Won", "Drawn", "Lost", "Share won")
    return Figure("seats", "Share won by seat", note, head, rows, picture)


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
    note = f"Half of the matches took {selectors.median(lengths)} moves or fewer."
    picture = charts.columns(spans, "Matches by number of moves")
    return Figure("lengths", "Length", note, ("Moves", "Matches"), spans, picture)


def _endings(meta: Meta, endings: Mapping[str, int]) -> Figure:
    named = {**meta.endings, **COMMON_ENDINGS, **formatting.ENDINGS}
    rows = [
        (named.get(key, key).rstrip(".").capitalize(), number) for key, number in endings.items()
    ]
    short = [(_in_short(key), number) for key, number in endings.items()]
    picture = charts.bars(short, "Matches by how they ended")
    return Figure("endings", "How matches end", "", ("Ending", "Matches"), rows, picture)


def _in_short(ending: str) -> str:
    """Return an ending in few words, to fit beside a bar."""
    return formatting.ENDINGS.get(ending, ending.replace("-", " ")).capitalize()


def _pace(pace: Sequence[int]) -> Figure:
    note = "From the moment that a player’s clock runs; moves without a clock are left out."
    picture = charts.columns(
        list(zip(PACE_SHORT, pace, strict=True)), "Moves by how long they took"
    )
    rows = list(zip(PACE, pace, strict=True))
    return Figure("pace", "How long a move takes", note, ("Time", "Moves"), rows, picture)


def _opening(meta: Meta, opening: Opening) -> Figure:
    labels = heat_map.labels(opening.variant)
    rows = [
        (labels.get(mark, mark), number, f"{_percent(number, opening.matches)} %")
        for mark, number in opening.cells[:CELLS]
    ]
    chosen = _chosen(meta, opening.variant)
    note = f"Where the first move leads, in the matches played most: {chosen}."
    picture = heat_map.draw(opening)
    head = ("On the board", "Matches", "Share")
    return Figure("openings", "Where matches begin", note, head, rows, picture, is_board=True)


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
    picture = charts.bars(shares, "Share of matches won, by game", unit=" %", most=100)
    head = ("Game", "Won", "Drawn", "Lost", "Share won")
    return Figure("results", "Results by game", "The share of matches won.", head, rows, picture)
