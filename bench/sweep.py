"""The sweep of the clocks over very many running matches, some of them overdue."""

import time
from collections.abc import Callable, Iterator
from statistics import median

from django.db import connection
from django.utils import timezone

from bench import crowd, site
from bench.rows import Row
from games.matches.clocks import sweeps
from games.matches.models import Match
from games.matches.notify import push

SECTION = f"The sweep: {crowd.COUNT:,} running matches, {crowd.OVERDUE:,} overdue, PostgreSQL"
GOAL, ENDED_PER_SECOND = 20.0, 200
TIMES = 9


def rows() -> Iterator[Row]:
    """Measure the finding, then the ending."""
    crowd.fill()
    crowd.make_overdue()
    now = timezone.now()
    known = sweeps.overdue(now=now)
    found = _median(lambda: sweeps.overdue(now=now))
    floor = _median(lambda: list(Match.objects.filter(pk__in=known).values_list("pk", flat=True)))
    goal = f"≤ {GOAL:.0f} ms, by index"
    reached = found <= GOAL and _uses_index()
    yield Row("finding the overdue", found, "ms", floor, "ms, as many by id", goal, reached)
    began = time.perf_counter()
    ended = sweeps.sweep_deadlines(now=now)
    push.pushes.wait()
    each = 1000 * (time.perf_counter() - began) / ended
    site.say(f"{ended} matches ended")
    floor = _median(lambda: list(Match.objects.filter(pk=known[0])))
    goal, reached = f"≥ {ENDED_PER_SECOND} a second", each <= 1000 / ENDED_PER_SECOND
    yield Row("ending one of them", each, "ms", floor, "ms, reading one", goal, reached)


def _median(work: Callable[[], object]) -> float:
    """Return the median time of some runs, in milliseconds."""
    times = []
    for _ in range(TIMES):
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return median(times)


def _uses_index() -> bool:
    """Whether PostgreSQL finds overdue players by the index on their deadlines."""
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN SELECT match_id FROM match_player WHERE deadline <= now()")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    site.say(plan)
    return "Index" in plan
