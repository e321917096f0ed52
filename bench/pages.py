"""Pages with very many matches stored: how long each takes, and how many queries."""

import time
from collections.abc import Iterator
from http import HTTPStatus
from statistics import median
from typing import Any

from django.db import connection
from django.test import Client
from django.utils import timezone

from bench import crowd, people
from bench.models import Counter
from bench.table import Row

SECTION = f"Pages with {crowd.COUNT:,} matches stored, in one process, PostgreSQL"
TIMES = 25
MOST_TIME, MOST_QUERIES = 25.0, 12


def rows() -> Iterator[Row]:
    """Measure each page as one of its readers."""
    stored = crowd.fill(ended=True)
    user, other = people.make(2, "reader")
    match = people.play_half(people.start((user, other), 5), (user, other))
    for _ in range(20):
        people.start((user, other), 5)
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    counter = Counter.objects.create(changed=timezone.now())
    floor, _ = _measure(client, f"/bench/{counter.pk}/")
    goal = f"≤ {MOST_TIME:.0f} ms and ≤ {MOST_QUERIES} queries"
    for name, page in (
        ("match", match.get_absolute_url()),
        ("my matches", "/home/"),
        ("archive", "/archive/"),
        ("archive of a player", f"/archive/?player={stored.players.all()[0].user.username}"),
    ):
        taken, queries = _measure(client, page)
        reached = taken <= MOST_TIME and queries <= MOST_QUERIES if name == "match" else None
        what = f"{name}, {queries} queries"
        yield Row(what, taken, "ms", floor, "ms, bare page", goal * bool(name == "match"), reached)


def _measure(client: Client, page: str) -> tuple[float, int]:
    """Return the median time of a page in milliseconds, and how many queries it took."""
    count = Count()
    with connection.execute_wrapper(count):
        answer = client.get(page)
    if answer.status_code != HTTPStatus.OK:
        raise RuntimeError(f"{page} answered {answer.status_code}.")
    times = []
    for _ in range(TIMES):
        began = time.perf_counter()
        client.get(page)
        times.append(1000 * (time.perf_counter() - began))
    return median(times), count.queries


class Count:
    """Counts the queries that go through it."""

    def __init__(self) -> None:
        self.queries = 0

    def __call__(self, execute: Any, *query: Any) -> Any:
        """Let a query through."""
        self.queries += 1
        return execute(*query)
