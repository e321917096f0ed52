"""The explorer beside a board of DIE, with the positions of very many matches.

``--matches`` sets their number. Each has reached the first position and four later ones. The first
one is the dearest: all have reached it, with each rating and in each month of two years.
"""

import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from django.db import connection
from django.urls import reverse

from bench import crowd, site
from bench.rows import Row, percentile
from bench.visits import TIMES, bare_page, signed_in, visit
from config.server.server import spare_the_collector
from games.explorer import selectors
from games.explorer.models import RATING_STEP
from games.explorer.periods import ALL_TIME
from games.explorer.selectors import Filter
from games.kernel import registry
from games.kernel.canonical import CanonicalPosition, canonical
from games.kernel.dice import no_dice
from games.kernel.params import for_match
from games.matches.models import Match

SECTION = f"Explorer with {crowd.MATCHES:,} matches, in one process, PostgreSQL (p95)"
GOAL = 25.0
"""Milliseconds for the queries of a position."""

POSITIONS = 5
MONTHS = 24
RATINGS = 5

SINCE = 24_000
"""The first month, counted from the year 0."""

REACHED = """
INSERT INTO explorer_reachedposition (match_id, number, key, ended, rating, firsts, move)
SELECT id, number,
       CASE WHEN number = 0 THEN %(start)s ELSE number * 1000 + id %% 997 END,
       ended, %(step)s * (5 + id %% %(ratings)s), 1 + id / 7 %% 2,
       (%(moves)s::text[])[1 + id / 11 %% %(count)s]
FROM match_match, generate_series(0, %(last)s) AS number
WHERE ended IS NOT NULL AND status = 'over'
"""

COUNTED = """
INSERT INTO explorer_movecount (title, key, month, rating, firsts, move, matches)
SELECT 'die', key, period, rating, firsts, move, COUNT(*)
FROM explorer_reachedposition,
     LATERAL (SELECT %(since)s + match_id / 13 %% %(months)s AS month) AS its,
     LATERAL (VALUES (%(all)s), (month / 12), (month / 3), (month)) AS periods (period)
WHERE key IN (SELECT key FROM explorer_reachedposition GROUP BY key HAVING COUNT(*) >= 500)
GROUP BY key, period, rating, firsts, move ORDER BY random()
"""


def rows() -> Iterator[Row]:
    """Measure the queries of two positions, and the page of a board."""
    _, usual = crowd.fill_lists()
    start = _start()
    _fill(start)
    spare_the_collector()
    client = signed_in(usual)
    floor = visit(client, bare_page())
    later = CanonicalPosition(start.title, 1_001, start.images)
    yield from _queries(start, later, floor.p95)
    address = client.get(reverse("board-begin", args=["die"]))["Location"]
    seen = visit(client, address)
    yield Row(f"board: {seen.in_short}", seen.p95, "ms", floor.p95, "ms, bare page")


def _queries(start: CanonicalPosition, later: CanonicalPosition, floor: float) -> Iterator[Row]:
    # Two months and three quarters: no time is made of more counts.
    dearest = Filter(month=SINCE + MONTHS - 11)
    for name, position, wanted in (
        ("first position", start, Filter()),
        ("first position, rating", start, Filter(rating=1400)),
        ("first position, 11 months", start, dearest),
        ("later position", later, Filter()),
    ):
        times = [_timed(position, wanted) for _ in range(TIMES)]
        measured = percentile(times, 95)
        what = f"{name}: p50 {median(times):.1f} ms"
        goal = f"≤ {GOAL:.0f} ms"
        yield Row(what, measured, "ms", floor, "ms, bare page", goal, measured <= GOAL)


def _timed(position: CanonicalPosition, wanted: Filter) -> float:
    began = time.perf_counter()
    found = selectors.explored(position, 2, wanted)
    if found.results is None:
        raise RuntimeError("Nothing has reached this position.")
    return 1000 * (time.perf_counter() - began)


def _start() -> CanonicalPosition:
    title = registry.get("die")
    params = for_match(title, 2, {})
    return canonical(title, 2, params, title.setup(2, params, no_dice()))


def _fill(start: CanonicalPosition) -> None:
    title = start.title
    state: Any = title.setup(2, for_match(title, 2, {}), no_dice())
    moves = [str(move) for move in title.moves(state, title.actors(state)[0])]
    given: dict[str, Any] = {
        "start": start.key,
        "step": RATING_STEP,
        "ratings": RATINGS,
        "moves": moves,
        "count": len(moves),
        "last": POSITIONS - 1,
        "all": ALL_TIME,
        "since": SINCE,
        "months": MONTHS,
    }
    with connection.cursor() as cursor:
        cursor.execute(REACHED, given)
        site.say(f"{Match.objects.count():,} matches, {POSITIONS} positions each")
        cursor.execute(COUNTED, given)
        cursor.execute("VACUUM ANALYZE explorer_reachedposition, explorer_movecount")
        cursor.execute("SELECT count(*) FROM explorer_movecount WHERE key = %s", [start.key])
        site.say(f"the first position has {cursor.fetchone()[0]:,} counts")
