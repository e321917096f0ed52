"""Pages of a match: how long each takes and how long it is, however long the match."""

from collections.abc import Iterator

from django.test import Client

from bench import long_match, people
from bench.rows import Row
from bench.visits import Visits, bare_page, signed_in, visit
from games.matches.models import Match

SECTION = "Pages of a match, in one process, PostgreSQL (p95; compressed as by a proxy)"
SIZE = 7
LENGTHS = (20, 600, 5_000)
STEPS = 20
MOST_TIME, MOST_QUERIES = 25.0, 12
MOST_OF_A_STEP, LONGEST_STEP = 50.0, 40_000


def rows() -> Iterator[Row]:
    """Measure the page of a match and steps all over its record, for logs of several lengths."""
    users = people.make(2, "reader")
    client = signed_in(users[0])
    floor = visit(client, bare_page()).p95
    half = people.play_half(people.start(users, 5), (users[0], users[1]))
    yield _match_row(client, half, floor)
    for length in LENGTHS:
        match = people.start(users, SIZE, clock=None)
        long_match.lengthen(match.pk, length)
        match.refresh_from_db(fields=["version"])
        yield _match_row(client, match, floor)
        yield _step_row(client, match, floor)


def _match_row(client: Client, match: Match, floor: float) -> Row:
    seen = visit(client, match.get_absolute_url())
    reached = seen.p95 <= MOST_TIME and seen.queries <= MOST_QUERIES
    goal = f"≤ {MOST_TIME:.0f} ms and ≤ {MOST_QUERIES} queries"
    return _row(f"match of {match.version:,} entries", seen, floor, goal, reached=reached)


def _step_row(client: Client, match: Match, floor: float) -> Row:
    numbers = (step * match.version // STEPS for step in range(1, STEPS + 1))
    parts = (f"{match.get_absolute_url()}{number}/?part=record" for number in numbers)
    seen = visit(client, *parts)
    reached = seen.p95 <= MOST_OF_A_STEP and seen.size <= LONGEST_STEP
    goal = f"≤ {MOST_OF_A_STEP:.0f} ms and ≤ {LONGEST_STEP / 1000:.0f} kB"
    return _row(f"step, {match.version:,} entries", seen, floor, goal, reached=reached)


def _row(what: str, seen: Visits, floor: float, goal: str, *, reached: bool) -> Row:
    name = f"{what}: {seen.in_short}, {seen.size / 1000:.1f} kB"
    return Row(name, seen.p95, "ms", floor, "ms, bare page", goal, reached)
