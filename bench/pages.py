"""Pages of a match: how long each takes and how long it is, however long the match."""

import time
from collections.abc import Iterator
from http import HTTPStatus
from statistics import quantiles
from typing import Any
from uuid import uuid4

from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bench import people
from bench.models import Counter
from bench.rows import Row
from games.matches import services
from games.matches.models import LogEntry, Match

SECTION = "Pages of a match, in one process, PostgreSQL (p95)"
TIMES = 20
MOST_TIME, MOST_QUERIES = 25.0, 12
ENTRIES = 5_000
MOST_OF_A_STEP, LONGEST_STEP = 50.0, 40_000


def rows() -> Iterator[Row]:
    """Measure each page as one of its readers."""
    user, other = people.make(2, "reader")
    match = people.play_half(people.start((user, other), 5), (user, other))
    client = signed_in(user)
    floor, *_ = measure(client, bare_page())
    taken, queries, _ = measure(client, match.get_absolute_url())
    goal = f"≤ {MOST_TIME:.0f} ms and ≤ {MOST_QUERIES} queries"
    reached: bool | None = taken <= MOST_TIME and queries <= MOST_QUERIES
    yield Row(f"match, {queries} queries", taken, "ms", floor, "ms, bare page", goal, reached)
    long = lengthened(people.start((user, other), 5), (user, other))
    for name, path in (("match", ""), ("step", f"{ENTRIES - 30}/?part=record")):
        taken, queries, size = measure(client, f"{long.get_absolute_url()}{path}")
        what = f"{name} of {ENTRIES:,} entries, {queries} queries, {size / 1000:.0f} kB"
        goal = f"≤ {MOST_OF_A_STEP:.0f} ms and ≤ {LONGEST_STEP / 1000:.0f} kB" * bool(path)
        reached = taken <= MOST_OF_A_STEP and size <= LONGEST_STEP if path else None
        yield Row(what, taken, "ms", floor, "ms, bare page", goal, reached)


def signed_in(user: User) -> Client:
    """Return a browser in which somebody is signed in."""
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    return client


def bare_page() -> str:
    """Return the address of a page of one line about one row."""
    return f"/bench/{Counter.objects.create(changed=timezone.now()).pk}/"


def lengthened(match: Match, players: tuple[User, User]) -> Match:
    """Let the first move be made and taken back until the log is long; as no change is, at once."""
    change: dict[str, Any] = {"match_id": match.pk, "user": players[0], "now": timezone.now()}
    services.play_move(texts=["c3"], version=0, submission=uuid4(), **change)
    services.take_back(version=1, submission=uuid4(), **change)
    made, undone = LogEntry.objects.filter(match=match).order_by("number")
    log = []
    for number in range(3, ENTRIES + 1, 2):
        for entry, at in ((made, number), (undone, number + 1)):
            fields = {field.name: getattr(entry, field.name) for field in LogEntry._meta.fields}
            fresh = {"id": None, "number": at, "submission": uuid4()}
            fresh |= {"undoes": number} if entry is undone else {}
            log.append(LogEntry(**fields | fresh))
    LogEntry.objects.bulk_create(log)
    Match.objects.filter(pk=match.pk).update(version=ENTRIES)
    return match


def measure(client: Client, page: str) -> tuple[float, int, int]:
    """Return the p95 of a page in milliseconds, its queries and its length in bytes."""
    client.get(page)
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
    return quantiles(times, n=20)[-1], count.queries, len(answer.content)


class Count:
    """Counts the queries that go through it."""

    def __init__(self) -> None:
        self.queries = 0

    def __call__(self, execute: Any, *query: Any) -> Any:
        """Let a query through."""
        self.queries += 1
        return execute(*query)
