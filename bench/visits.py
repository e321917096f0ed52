"""Pages visited in this process: how long each takes, in queries, and how long it is."""

import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import cycle, islice
from statistics import median, quantiles
from typing import Any

from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bench.models import Counter

TIMES = 40
LEVEL = 6
"""How hard a proxy compresses pages, of 9."""


@dataclass(frozen=True)
class Visits:
    """Visits of one page: times in milliseconds, ``core`` the median of this process's own.

    ``size`` is what goes over the wire where a proxy compresses it, the most of any in bytes.
    """

    p50: float
    p95: float
    core: float
    queries: int
    size: int

    @property
    def in_short(self) -> str:
        """The parts that have no column of their own."""
        return f"p50 {self.p50:.1f} ms, core {self.core:.1f} ms, {self.queries} queries"


def signed_in(user: User) -> Client:
    """Return a browser in which somebody is signed in."""
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    return client


def bare_page() -> str:
    """Return the address of a page of one line about one row."""
    return f"/bench/{Counter.objects.create(changed=timezone.now()).pk}/"


def visit(client: Client, *pages: str) -> Visits:
    """Visit pages by turns, ``TIMES`` in all, after each was visited once to count its queries."""
    queries = max(_queries(client, page) for page in pages)
    times = [_timed(client, page) for page in islice(cycle(pages), TIMES)]
    return Visits(
        median(wall for wall, *_ in times),
        quantiles([wall for wall, *_ in times], n=20)[-1],
        median(core for _, core, _ in times),
        queries,
        max(size for *_, size in times),
    )


def _queries(client: Client, page: str) -> int:
    client.get(page)
    count = _Count()
    with connection.execute_wrapper(count):
        answer = client.get(page)
    if answer.status_code != HTTPStatus.OK:
        raise RuntimeError(f"{page} answered {answer.status_code}.")
    return count.queries


def _timed(client: Client, page: str) -> tuple[float, float, int]:
    began: Sequence[float] = (time.perf_counter(), time.process_time())
    content = client.get(page).content
    ended: Sequence[float] = (time.perf_counter(), time.process_time())
    wall, core = (1000 * (after - before) for before, after in zip(began, ended, strict=True))
    return wall, core, len(zlib.compress(content, LEVEL))


class _Count:
    """Counts the queries that go through it."""

    def __init__(self) -> None:
        self.queries = 0

    def __call__(self, execute: Any, *query: Any) -> Any:
        """Let a query through."""
        self.queries += 1
        return execute(*query)
