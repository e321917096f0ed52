"""Lists with very many stored matches: time and number of queries of each page.

``MATCHES`` sets their number. A million take some minutes to create.
"""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from bench import crowd, groups
from bench.rows import Row
from bench.visits import Visitor
from games.http.paging import Cursor

SECTION = f"Lists with {crowd.MATCHES:,} matches stored, in one process, PostgreSQL (p95)"
MOST_TIME, MOST_BUSY = 25.0, 80.0
"""Milliseconds for a usual player, and for one with a thousand matches."""

MOST_QUERIES, MOST_OF_GROUPS = 12, 25


def rows() -> Iterator[Row]:
    """Measure each list as a usual player and as the one with the most matches."""
    busiest, usual = crowd.fill_lists()
    for user, most_time in ((usual, MOST_TIME), (busiest, MOST_BUSY)):
        pages = ((f"{user.username}, {name}", page) for name, page in _pages(user.username))
        yield from Visitor(user).rows(pages, most_time, MOST_QUERIES)
    of_groups = ((f"{usual.username}, {name}", page) for name, page in groups.pages(usual))
    yield from Visitor(usual).rows(of_groups, MOST_TIME, MOST_OF_GROUPS)


def _pages(player: str) -> Iterator[tuple[str, str]]:
    long_ago = timezone.now() - timedelta(minutes=crowd.MATCHES // 2)
    yield "front page", "/"
    yield "my matches", "/home/"
    yield "lobby", "/lobby/"
    yield "player", f"/players/{player}/"
    yield "archive", "/archive/"
    yield "archive, far back", f"/archive/?page={Cursor(long_ago, 0).write()}"
    for asked in (
        "game=die",
        "game=die&param-size=6",
        f"player={player}",
        "result=won",
        "result=lost",
        "result=tied",
        "status=running",
        "status=void",
        "ending=closed",
        f"until={long_ago:%Y-%m-%d}",
        f"game=grim-reaper&player={player}&result=won",
    ):
        yield f"archive, {asked}", f"/archive/?{asked}"
