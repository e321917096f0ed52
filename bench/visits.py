"""Pages visited in this process: time and queries of each."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from statistics import median
from typing import Any

from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bench.models import Counter
from bench.rows import Row, percentile
from config.server.server import spare_the_collector

TIMES = 40


@dataclass(frozen=True)
class Visits:
    """Visits of one page: times in milliseconds, ``core`` the median of this process's own."""

    p50: float
    p95: float
    core: float
    queries: int

    @property
    def in_short(self) -> str:
        """The parts that have no column of their own."""
        return f"p50 {self.p50:.1f} ms, core {self.core:.1f} ms, {self.queries} queries"


def signed_in(user: User) -> Client:
    """Return a signed-in browser."""
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    return client


def bare_page() -> str:
    """Return the address of a page of one line about one row."""
    return f"/bench/{Counter.objects.create(changed=timezone.now()).pk}/"


def visit(client: Client, page: str) -> Visits:
    """Visit a page ``TIMES`` times, after it was visited to count its queries."""
    queries = _queries(client, page)
    walls, cores = zip(*(_timed(client, page) for _ in range(TIMES)), strict=True)
    return Visits(median(walls), percentile(walls, 95), median(cores), queries)


def rows_of(
    user: User, pages: Iterable[tuple[str, str]], most_time: float, most_queries: int
) -> Iterator[Row]:
    """Visit pages, given by name and address, as a user. ``most_time`` is in milliseconds (p95).

    The garbage collector runs as in a web process.
    """
    spare_the_collector()
    client = signed_in(user)
    floor = visit(client, bare_page()).p95
    goal = f"≤ {most_time:.0f} ms and ≤ {most_queries} queries"
    for name, page in pages:
        seen = visit(client, page)
        reached = seen.p95 <= most_time and seen.queries <= most_queries
        yield Row(f"{name}: {seen.in_short}", seen.p95, "ms", floor, "ms, bare page", goal, reached)


def _queries(client: Client, page: str) -> int:
    client.get(page)
    count = Count()
    with connection.execute_wrapper(count):
        answer = client.get(page)
    if answer.status_code != HTTPStatus.OK:
        raise RuntimeError(f"{page} answered {answer.status_code}.")
    return count.queries


def _timed(client: Client, page: str) -> tuple[float, float]:
    began: Sequence[float] = (time.perf_counter(), time.process_time())
    client.get(page)
    ended: Sequence[float] = (time.perf_counter(), time.process_time())
    wall, core = (1000 * (after - before) for before, after in zip(began, ended, strict=True))
    return wall, core


class Count:
    """Counts queries."""

    def __init__(self) -> None:
        self.queries = 0

    def __call__(self, execute: Any, *query: Any) -> Any:
        self.queries += 1
        return execute(*query)
