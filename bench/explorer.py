"""The explorer beside a board of DIE, with the positions of very many matches.

``--matches`` sets their number. Each has reached the first position and four later ones. The first
one is the dearest: all have reached it, with each rating and in each month of two years.
"""

import time
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from django.urls import reverse

from bench import crowd, people
from bench.rows import Row, percentile, row
from bench.site import say
from bench.visits import BARE, TIMES, Visitor
from games.explorer import selectors
from games.explorer.counting import COUNTED_FROM
from games.explorer.models import RATING_STEP, MoveCount
from games.explorer.periods import ALL_TIME
from games.explorer.selectors import Filter
from games.kernel import registry
from games.kernel.canonical import CanonicalPosition, canonical
from games.kernel.dice import no_dice
from games.kernel.params import for_match

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
WHERE key IN (SELECT key FROM explorer_reachedposition GROUP BY key HAVING COUNT(*) >= %(from)s)
GROUP BY key, period, rating, firsts, move ORDER BY random()
"""


def rows() -> Iterator[Row]:
    """Measure the queries of two positions, and the page of a board."""
    _, usual = crowd.fill_lists()
    title = registry.get(people.TITLE)
    params = for_match(title, 2, {})
    start: Any = title.setup(2, params, no_dice())
    first = canonical(title, 2, params, start)
    _fill(first.key, [str(move) for move in title.moves(start, title.actors(start)[0])])
    visitor = Visitor(usual)
    later = CanonicalPosition(title, 1_001, first.images)
    for name, position, wanted in (
        ("first position", first, Filter()),
        ("first position, rating", first, Filter(rating=1400)),
        # Two months and three quarters: no time is made of more counts.
        ("first position, 11 months", first, Filter(month=SINCE + MONTHS - 11)),
        ("later position", later, Filter()),
    ):
        times = [_timed(position, wanted) for _ in range(TIMES)]
        p95 = percentile(times, 95)
        yield row(
            f"{name}: p50 {median(times):.1f} ms",
            p95,
            "ms",
            floor=visitor.floor,
            floor_is=BARE,
            goal=f"≤ {GOAL:.0f} ms",
            reached=p95 <= GOAL,
        )
    address = visitor.client.get(reverse("board-begin", args=[people.TITLE]))["Location"]
    seen = visitor.visit(address)
    yield row(f"board: {seen.in_short}", seen.p95, "ms", floor=visitor.floor, floor_is=BARE)


def _timed(position: CanonicalPosition, wanted: Filter) -> float:
    began = time.perf_counter()
    if selectors.explored(position, 2, wanted).results is None:
        raise RuntimeError("Nothing has reached this position.")
    return 1000 * (time.perf_counter() - began)


def _fill(start: int, moves: Sequence[str]) -> None:
    given: dict[str, Any] = {
        "start": start,
        "step": RATING_STEP,
        "ratings": RATINGS,
        "moves": moves,
        "count": len(moves),
        "last": POSITIONS - 1,
        "all": ALL_TIME,
        "from": COUNTED_FROM,
        "since": SINCE,
        "months": MONTHS,
    }
    crowd.execute(REACHED, given)
    crowd.execute(COUNTED, given)
    crowd.execute("VACUUM ANALYZE explorer_reachedposition, explorer_movecount")
    counts = MoveCount.objects.filter(key=start).count()
    say(f"the first position has {counts:,} counts")
