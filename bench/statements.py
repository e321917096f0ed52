"""The statements of ``games/matches/store``: the SQL beside the ORM."""

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any
from uuid import uuid4

from django.utils import timezone

from bench import people
from bench.rows import Row
from games.matches import selectors, store
from games.matches.models import LogEntry, Match
from games.matches.store import Statement
from games.matches.update import MatchUpdate

SECTION = "Hand-written SQL: processor time of the process that asks, beside the ORM"
GOAL = 0.5
"""The part of the ORM's time that justifies a second implementation."""

TIMES = 200
LISTED = 20
"""Matches in a list."""


def rows() -> Iterator[Row]:
    """Measure each statement."""
    players = people.make(2, "asked")
    matches = [people.play_half(people.start(players, 3), players) for _ in range(LISTED)]
    for name, statement in _reading(matches).items():
        yield _row(name, _median(statement), _median(statement, by_orm=True))
    by_sql, by_orm = (
        median(_writing(matches, by_orm=by_orm) for _ in range(TIMES)) for by_orm in (False, True)
    )
    yield _row("write", by_sql, by_orm)


def _row(name: str, by_sql: float, by_orm: float) -> Row:
    goal = f"≤ {GOAL} of the ORM"
    return Row(name, by_sql, "ms", by_orm, "ms, ORM", goal, by_sql <= GOAL * by_orm)


def _reading(matches: list[Match]) -> dict[str, Callable[[], Statement[Any]]]:
    """Return how to make each statement that reads, by its name."""
    match = matches[0]
    user_id = match.players.all()[0].user_id
    return {
        "match_with_players": lambda: store.match_with_players(match.pk),
        "match_with_log": lambda: store.match_with_log(match.pk, match.version - 1, 25),
        "secret": lambda: store.secret(match.pk),
        "was_sent": lambda: store.was_sent(match.pk, 0, uuid4()),
        "count_waiting": lambda: store.count_waiting(user_id),
        "outages": lambda: store.outages(tuple(selectors.GAPS)),
        f"players_and_last_entries, {LISTED}": lambda: store.players_and_last_entries(
            list(Match.objects.filter(pk__in=[match.pk for match in matches]))
        ),
    }


def _median(made: Callable[[], Statement[Any]], *, by_orm: bool = False) -> float:
    return median(_spent(made(), by_orm=by_orm) for _ in range(TIMES))


def _writing(matches: list[Match], *, by_orm: bool) -> float:
    """Make an offer in the next match, and return how long it took to write that."""
    match = matches.pop(0)
    matches.append(match)
    update = MatchUpdate.load(match.pk, timezone.now())
    seat = update.snapshot.actors[0]
    update.add(LogEntry.Kind.OFFER, seat)
    update.finalize()
    return _spent(store.write(update.change()), by_orm=by_orm)


def _spent(statement: Statement[Any], *, by_orm: bool) -> float:
    """Return the processor time of a statement in milliseconds."""
    began = time.process_time()
    _ = statement.plain() if by_orm else store.run(statement)
    return 1000 * (time.process_time() - began)
