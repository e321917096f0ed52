"""Pages visited in this process: time and queries of each."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from statistics import median
from typing import Any

from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bench.models import Counter
from bench.rows import Row, percentile, row
from config.server.server import spare_the_collector

TIMES = 40
BARE = "ms, bare page"


@dataclass(frozen=True)
class Visits:
    """Visits of one page: milliseconds, ``core`` those of this process alone, and queries."""

    p50: float
    p95: float
    core: float
    queries: int

    @property
    def in_short(self) -> str:
        """The parts that have no column of their own."""
        return f"p50 {self.p50:.1f} ms, core {self.core:.1f} ms, {self.queries} queries"


class Visitor:
    """A signed-in browser. The garbage collector runs as in a web process."""

    def __init__(self, user: User) -> None:
        spare_the_collector()
        self.client = Client(headers={"host": "127.0.0.1"})
        self.client.force_login(user)
        self.floor = self.visit(f"/bench/{Counter.objects.create(changed=timezone.now()).pk}/").p95
        """Milliseconds of a page of one line about one row."""

    def visit(self, page: str) -> Visits:
        """Visit a page ``TIMES`` times, after it was visited to count its queries."""
        self.client.get(page)
        queries: list[Any] = []

        def note(execute: Any, *query: Any) -> Any:
            queries.append(query)
            return execute(*query)

        with connection.execute_wrapper(note):
            answer = self.client.get(page)
        if answer.status_code != HTTPStatus.OK:
            raise RuntimeError(f"{page} answered {answer.status_code}.")
        walls, cores = zip(*(self._timed(page) for _ in range(TIMES)), strict=True)
        return Visits(median(walls), percentile(walls, 95), median(cores), len(queries))

    def _timed(self, page: str) -> tuple[float, float]:
        wall, core = time.perf_counter(), time.process_time()
        self.client.get(page)
        return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - core)

    def rows(
        self, pages: Iterable[tuple[str, str]], most_time: float, most_queries: int
    ) -> Iterator[Row]:
        """Visit pages, given by name and address. ``most_time`` is in milliseconds (p95)."""
        goal = f"≤ {most_time:.0f} ms and ≤ {most_queries} queries"
        for name, page in pages:
            seen = self.visit(page)
            yield row(
                f"{name}: {seen.in_short}",
                seen.p95,
                "ms",
                floor=self.floor,
                floor_is=BARE,
                goal=goal,
                reached=seen.p95 <= most_time and seen.queries <= most_queries,
            )
