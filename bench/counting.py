"""Statistics with very many matches stored: a run of the clockwork, and the pages that it feeds."""

import time
from collections.abc import Callable, Iterator
from statistics import median

from django.db import connection
from django.utils import timezone

from bench import crowd, site
from bench.rows import Row
from bench.visits import Count, rows_of
from games.matches.models import Match
from games.statistics import counting
from games.statistics.models import MatchCounts, PairCount

SECTION = f"Statistics with {crowd.MATCHES:,} matches stored, in one process, PostgreSQL"
RUNS = 6
"""Runs of the clockwork; the first ones find hardly any rows of players to add to."""

EVERY = 60
"""Seconds between two runs of the clockwork."""

MOST_TIME, MOST_QUERIES = 50.0, 12
"""Of a page, milliseconds (p95) and queries."""


def rows() -> Iterator[Row]:
    """Measure runs of the clockwork, then pages of the busiest player and of a game."""
    busiest, _ = crowd.fill_lists()
    yield from _runs()
    yield from rows_of(busiest, _pages(busiest.username), MOST_TIME, MOST_QUERIES)


def _runs() -> Iterator[Row]:
    times, count = [], Count()
    for _ in range(RUNS):
        count = Count()
        with connection.execute_wrapper(count):
            times.append(_timed(lambda: counting.update(now=timezone.now())))
        site.say(f"{MatchCounts.objects.count():,} matches counted, {times[-1]:,.0f} ms")
    matches = counting.BATCH_SIZE * counting.MAX_BATCHES
    ids = list(MatchCounts.objects.order_by("-pk").values_list("match", flat=True)[:matches])
    floor = _timed(lambda: list(Match.objects.filter(pk__in=ids)))
    goal, run = f"≤ {EVERY} s", median(times[1:])
    what = f"a run that counts {matches:,} matches: {count.queries} queries"
    yield Row(what, run, "ms", floor, "ms, reading as many", goal, run <= 1000 * EVERY)


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _pages(player: str) -> Iterator[tuple[str, str]]:
    met = PairCount.objects.filter(user__username=player).select_related("opponent")
    other = met.latest("won").opponent.username
    yield "a game", "/games/die/statistics/"
    yield "a player", f"/players/{player}/statistics/"
    yield "two players", f"/players/{player}/against/{other}/"
    yield "a game, by program", "/api/v1/games/die/statistics/"
    yield "a player, by program", f"/api/v1/players/{player}/statistics/"
