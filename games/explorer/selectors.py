"""What was played in a position in rated matches, and how these matches ended."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from django.db.models import Count, F, Q, QuerySet, Sum

from games.explorer.models import MoveCount, ReachedPosition
from games.explorer.periods import ALL_TIME, since, start_of
from games.kernel.canonical import CanonicalPosition
from games.matches.models import Match
from games.matches.store import read_players

MAX_MOVES = 30
"""Maximum number of moves shown, the most frequent ones."""

MAX_MATCHES = 5
"""Number of matches that a board links to."""

SEARCHED = (50, 1_000)
"""Numbers of the latest matches in which those with a rating are looked for, smallest first."""


@dataclass(frozen=True)
class Filter:
    """Only matches with a mean rating from ``rating`` on, that ended in ``month`` or later."""

    rating: int = 0
    month: int = 0


class Results(NamedTuple):
    """How many of ``matches`` each seat won alone, and how many had several winners."""

    matches: int
    wins: Sequence[int]
    draws: int

    @property
    def shares(self) -> Sequence[int]:
        """The wins of each seat in percent, rounded."""
        return [round(100 * wins / self.matches) for wins in self.wins]

    @property
    def drawn(self) -> int:
        """The draws in percent, rounded."""
        return round(100 * self.draws / self.matches)


class Continuation(NamedTuple):
    """A move from a position. ``move`` is its text on this board, empty if nobody moved."""

    move: str
    results: Results


class ReachedBy(NamedTuple):
    """A match that reached a position after its entry ``number``."""

    match: Match
    number: int
    rating: int


@dataclass(frozen=True)
class Explored:
    """All about a position: its results, the moves played next, and the latest matches.

    ``more`` is the number of moves that aren't listed. ``results`` is ``None`` if no match has
    reached it.
    """

    key: int
    results: Results | None
    moves: Sequence[Continuation] = ()
    more: int = 0
    latest: Sequence[ReachedBy] = ()


def explored(position: CanonicalPosition, seats: int, wanted: Filter) -> Explored:
    """Return what ended rated matches show about a position."""
    by_move: dict[str, Counter[int]] = {}
    for move, firsts, matches in _counted(position.key, wanted):
        by_move.setdefault(move, Counter())[firsts] += matches
    if not by_move:
        return Explored(position.key, None)
    every = sum(by_move.values(), Counter[int]())
    moves = sorted(by_move, key=lambda move: (-by_move[move].total(), move))
    listed = [
        Continuation(position.from_canonical(move), _results(by_move[move], seats))
        for move in moves[:MAX_MOVES]
    ]
    more = len(moves) - len(listed)
    latest = _latest(position.key, wanted)
    return Explored(position.key, _results(every, seats), listed, more, latest)


def reached(key: int) -> QuerySet[Match]:
    """Return the matches that reached a position, the latest first.

    Each has ``reached``, the time of its end.
    """
    matches = Match.objects.filter(positions__key=key).annotate(reached=F("positions__ended"))
    return matches.order_by("-reached", "-pk")


def _counted(key: int, wanted: Filter) -> Iterable[tuple[str, int, int]]:
    """Return moves, ways in which matches ended, and the numbers of these matches.

    Positions that aren't counted were reached by few matches.
    """
    counts = MoveCount.objects.filter(key=key)
    periods = since(wanted.month) if wanted.month else Q(period=ALL_TIME)
    kept = counts.filter(periods, rating__gte=wanted.rating)
    rows = list(kept.values_list("move", "firsts").annotate(n=Sum("matches")))
    if rows or (wanted != Filter() and counts.exists()):
        return rows
    reached = _reached(key, wanted).order_by()
    return reached.values_list("move", "firsts").annotate(n=Count("*"))


def _reached(key: int, wanted: Filter) -> QuerySet[ReachedPosition]:
    reached = ReachedPosition.objects.filter(key=key, rating__gte=wanted.rating)
    return reached.filter(ended__gte=start_of(wanted.month)) if wanted.month else reached


def _latest(key: int, wanted: Filter) -> Sequence[ReachedBy]:
    """Return the latest matches that reached a position, with their players."""
    reached = _reached(key, Filter(month=wanted.month)).order_by("-ended", "-match")
    columns = reached.values_list("match", "number", "rating")
    rows: dict[int, tuple[int, int]] = {}
    # No index finds ratings. Mostly the first few matches hold enough of them.
    for searched in SEARCHED if wanted.rating else (MAX_MATCHES,):
        kept = (row for row in columns[:searched] if row[2] >= wanted.rating)
        rows = {match: (number, rating) for match, number, rating in islice(kept, MAX_MATCHES)}
        if len(rows) == MAX_MATCHES:
            break
    found = Match.objects.filter(pk__in=rows).defer("position").order_by("-ended", "-pk")
    matches = list(found)
    read_players(matches)
    return [ReachedBy(match, *rows[match.pk]) for match in matches]


def _results(firsts: Counter[int], seats: int) -> Results:
    wins = [firsts[1 << seat] for seat in range(seats)]
    return Results(firsts.total(), wins, firsts.total() - sum(wins))
