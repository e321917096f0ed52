"""Counts for pages and programs. Nothing here reads a match."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import F, QuerySet

from accounts.models import User
from games.statistics.facts import PACE, monday
from games.statistics.models import (
    Company,
    GameCount,
    Kind,
    OpeningCount,
    PairCount,
    PlayerCount,
    Progress,
    Streak,
    Variant,
)

WEEK = timedelta(days=7)

OPPONENTS = 20
"""Maximum number of a player's opponents that are listed."""

SPANS = len(PACE) + 1
"""Number of time spans by which moves are counted."""


class SeatResults(NamedTuple):
    """How often a seat, among ``seats``, won alone, shared the first place, or missed it."""

    seats: int
    seat: int
    won: int
    tied: int
    lost: int


class Cell(NamedTuple):
    """A mark of the board, and how many matches began there."""

    mark: str
    number: int


class Opening(NamedTuple):
    """Where matches with the same parameters began. ``matches`` is their number."""

    variant: Variant
    matches: int
    cells: Sequence[Cell]


@dataclass(frozen=True)
class GameStatistics:
    """The numbers of a game for one kind of players.

    ``weeks`` maps Mondays, ``lengths`` numbers of moves and ``endings`` their keys to numbers of
    matches. ``pace`` has the number of moves for each span (:data:`~games.statistics.facts.PACE`).
    ``opening`` is for the parameters played most. ``None`` without any match.
    """

    matches: int
    weeks: Mapping[date, int]
    seats: Sequence[SeatResults]
    lengths: Mapping[int, int]
    endings: Mapping[str, int]
    pace: Sequence[int]
    opening: Opening | None


class TitleResults(NamedTuple):
    """How often a player won a game alone, shared the first place, or missed it."""

    title: str
    won: int
    tied: int
    lost: int


class OpponentResults(NamedTuple):
    """How often a player finished ahead of an opponent, level with them, or behind.

    The opponent ``None`` stands for all others: those met less often, guests, and deleted accounts.
    """

    opponent: User | None
    won: int
    tied: int
    lost: int


class PairResults(NamedTuple):
    """How often a player finished ahead of another in a game, level with them, or behind."""

    title: str
    company: Company
    won: int
    tied: int
    lost: int


@dataclass(frozen=True)
class PlayerStatistics:
    """The numbers of a player for one kind of players. ``streak`` is ``None`` without any match."""

    matches: int
    results: Sequence[TitleResults]
    opponents: Sequence[OpponentResults]
    pace: Sequence[int]
    streak: Streak | None


def counted_until() -> datetime | None:
    """Return when matches were last counted. ``None`` if they never were."""
    return Progress.objects.values_list("counted_at", flat=True).first()


def of_game(title: str, company: Company) -> GameStatistics:
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    rows = GameCount.objects.filter(title=title, company=company, number__gt=0)
    for kind, key, number in rows.values_list("kind", "key", "number"):
        counts[kind][key] = number
    weeks = {monday(key): number for key, number in sorted(counts[Kind.WEEK].items())}
    lengths = {int(key): number for key, number in counts[Kind.LENGTH].items()}
    endings = dict(Counter(counts[Kind.ENDING]).most_common())
    return GameStatistics(
        matches=sum(weeks.values()),
        weeks=weeks,
        seats=_seats(counts[Kind.SEAT]),
        lengths=dict(sorted(lengths.items())),
        endings=endings,
        pace=_pace(counts[Kind.PACE]),
        opening=_opening(counts[Kind.VARIANT], company),
    )


def _seats(counts: Mapping[str, int]) -> list[SeatResults]:
    by_seat: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    for key, number in counts.items():
        seats, seat, result = key.split(":")
        by_seat[int(seats), int(seat)][result] += number
    return [SeatResults(*seat, *_by_result(by)) for seat, by in sorted(by_seat.items())]


def _by_result(counts: Mapping[str, int]) -> tuple[int, int, int]:
    return counts.get("won", 0), counts.get("tied", 0), counts.get("lost", 0)


def _pace(counts: Mapping[str, int]) -> list[int]:
    return [counts.get(str(span), 0) for span in range(SPANS)]


def _opening(counts: Mapping[str, int], company: Company) -> Opening | None:
    """Return where matches with the most popular parameters began."""
    for digest, matches in Counter(counts).most_common(1):
        variant = Variant.objects.get(digest=digest)
        cells = OpeningCount.objects.filter(variant=variant, company=company, number__gt=0)
        shares = cells.order_by("-number", "mark").values_list("mark", "number")
        return Opening(variant, matches, [Cell(*cell) for cell in shares])
    return None


def of_player(user: User, company: Company) -> PlayerStatistics:
    results: defaultdict[str, Counter[str]] = defaultdict(Counter)
    pace: Counter[str] = Counter()
    rows = PlayerCount.objects.filter(user=user, company=company, number__gt=0)
    for title, kind, key, number in rows.values_list("title", "kind", "key", "number"):
        if kind == Kind.RESULT:
            results[title][key] += number
        else:
            pace[key] += number
    return PlayerStatistics(
        matches=sum(sum(by.values()) for by in results.values()),
        results=[TitleResults(title, *_by_result(by)) for title, by in sorted(results.items())],
        opponents=_opponents(user, company),
        pace=_pace(pace),
        streak=Streak.objects.filter(user=user, company=company).first(),
    )


def _opponents(user: User, company: Company) -> list[OpponentResults]:
    """Return the results against the opponents met most, and against all others together."""
    by_opponent: defaultdict[User | None, Counter[str]] = defaultdict(Counter)
    for pair in _met(user, company=company).select_related("opponent"):
        named = pair.opponent.is_active and not pair.opponent.is_guest
        by = {"won": pair.won, "tied": pair.tied, "lost": pair.lost}
        by_opponent[pair.opponent if named else None].update(by)
    others = by_opponent.pop(None, Counter[str]())
    ranked = sorted(by_opponent.items(), key=_most_met)
    for _, by in ranked[OPPONENTS:]:
        others += by
    results = [OpponentResults(who, *_by_result(by)) for who, by in ranked[:OPPONENTS]]
    return [*results, *([OpponentResults(None, *_by_result(others))] if others else [])]


def _met(user: User, **which: Any) -> QuerySet[PairCount]:
    """Return a player's results against others, without pairs whose matches were all subtracted."""
    total = F("won") + F("tied") + F("lost")
    return PairCount.objects.filter(user=user, **which).alias(total=total).filter(total__gt=0)


def of_pair(user: User, other: User) -> list[PairResults]:
    """Return the results of a player against another, by company and game."""
    rows = [
        PairResults(pair.title, Company(pair.company), pair.won, pair.tied, pair.lost)
        for pair in _met(user, opponent=other)
    ]
    order = list(Company)
    return sorted(rows, key=lambda row: (order.index(row.company), row.title))


def _most_met(item: tuple[User | None, Counter[str]]) -> tuple[Any, ...]:
    opponent, by = item
    return -by.total(), opponent.username.lower() if opponent else ""


def recent_weeks(weeks: Mapping[date, int], now: datetime, most: int) -> list[tuple[date, int]]:
    """Return the last weeks up to now, at most ``most``, from the first week with a match."""
    today = now.date()
    last = today - timedelta(days=today.weekday())
    first = max(min(weeks, default=last), last - (most - 1) * WEEK)
    count = max((last - first) // WEEK + 1, 1)
    return [(first + week * WEEK, weeks.get(first + week * WEEK, 0)) for week in range(count)]


def grouped(lengths: Mapping[int, int], most: int) -> list[tuple[int, int, int]]:
    """Group lengths into ranges of equal round width: from, to, number of matches."""
    if not lengths:
        return []
    widths = (digit * 10**zeros for zeros in range(9) for digit in (1, 2, 5))
    width = next(w for w in widths if (max(lengths) // w - min(lengths) // w) < most)
    groups: Counter[int] = Counter()
    for length, number in lengths.items():
        groups[length // width] += number
    spans = range(min(groups), max(groups) + 1)
    return [(span * width, (span + 1) * width - 1, groups[span]) for span in spans]


def median(lengths: Mapping[int, int]) -> int:
    """Return the length that half of the matches don't exceed. 0 without any."""
    rest = (sum(lengths.values()) + 1) // 2
    for length, number in sorted(lengths.items()):
        rest -= number
        if rest <= 0:
            return length
    return 0
