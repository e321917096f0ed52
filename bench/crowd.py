"""Very many stored matches, copied from some that were played."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, models
from django.utils import timezone

from accounts.models import User
from bench import people
from bench.options import chosen
from bench.site import say
from games.kernel import registry
from games.lobby.models import Challenge
from games.matches.models import LogEntry, Match

MATCHES = chosen.matches
"""How many matches the lists are measured with, and a tenth as many people."""

STAGES = (2, 6, 14, 24, 40)
"""The numbers of moves after which matches of each game are copied."""

USUAL = MATCHES // 90 | 1
"""One in this many matches is the usual player's: about 20 running and 200 ended in total.

It's odd, or the usual player's first seats would all be in running matches.
"""

BUSY, OPEN = 199, 1_000
"""One in this many matches is the busiest player's. One in this many challenges is open."""

STATUS = """
CASE WHEN mod(n, 10) = 0 THEN 'running' WHEN mod(n, 100) = 1 THEN 'cancelled' ELSE 'over' END"""
ENDING = """
CASE WHEN mod(n, 10) = 0 THEN '' WHEN mod(n, 100) = 1 THEN 'cancelled'
WHEN mod(n, 20) = 11 THEN 'closed' ELSE 'resigned' END"""
CHANGED = "%(now)s - (%(last)s - n) * INTERVAL '1 minute'"
ENDED = f"CASE WHEN mod(n, 10) <> 0 THEN {CHANGED} END"
"""Of match number ``n``. Of a hundred matches ten run, four are ties and one has no result."""

WAITS = "(to_move AND mod(n, 10) = 0)"
RANK = """
CASE WHEN mod(n, 10) = 0 OR mod(n, 100) = 1 THEN NULL WHEN mod(n, 20) = 11 THEN 1
ELSE 1 + mod(n / 2 + seat, 2) END"""
PLAYER = f"""
%(first)s + CASE WHEN mod(n, {BUSY}) = seat THEN 0 WHEN mod(n, {USUAL}) = seat THEN 1
ELSE 2 + mod(n::bigint * (7919 * seat + 1) + seat, %(people)s - 2) END"""
OF_PLAYER = {
    "match_id": "n",
    "user_id": PLAYER,
    "rank": RANK,
    "result": f"CASE {RANK} WHEN 2 THEN 'lost' WHEN 1 THEN"
    " CASE mod(n, 20) WHEN 11 THEN 'tied' ELSE 'won' END ELSE '' END",
    "ended": ENDED,
    "to_move": WAITS,
    "clock_since": f"CASE WHEN {WAITS} THEN {CHANGED} END",
    # The next moves of running matches are due within a week.
    "deadline": f"CASE WHEN {WAITS} THEN %(now)s + (1 + mod(n, 10000)) * INTERVAL '1 minute' END",
    "remind_at": "NULL",
}


def fill_lists(count: int = MATCHES) -> list[User]:
    """Store matches of all games by a tenth as many people. Return the busiest and a usual one.

    Sections of one run share those of the first.
    """
    if known := list(User.objects.filter(username__startswith="crowd-").order_by("pk")[:2]):
        return known
    now = timezone.now()
    numbers = "generate_series(0, %(people)s - 1)"
    name = {"username": "'crowd-' || n", "email": "'crowd-' || n || '@example.org'"}
    given: dict[str, Any] = {"now": now, "people": count // 10}
    originals = people.make(2, "original")
    copy(originals[0], name, numbers, given)
    crowd = list(User.objects.filter(username__startswith="crowd-").order_by("pk"))
    given["first"] = crowd[0].pk
    stages = [stage for title in registry.titles() for stage in _stages(title, originals)]
    first = 1 + Match.objects.latest("pk").pk
    given["last"] = first + count - 1
    for number, match in enumerate(stages):
        numbers = f"generate_series({first + number}, %(last)s, {len(stages)})"
        of_match = {"id": "n", "status": STATUS, "ending": ENDING, "ended": ENDED}
        copy(match, of_match | {"changed": CHANGED}, numbers, given)
        for player in match.players.all():
            copy(player, OF_PLAYER, numbers, given)
        entry = LogEntry.objects.filter(match=match).latest("number")
        copy(entry, {"match_id": "n"}, numbers, given)
    execute("SELECT setval(pg_get_serial_sequence('match_match', 'id'), %(last)s)", given)
    say(f"{count:,} matches")
    _copy_challenges(crowd, now)
    # As the database's own housekeeping does in time.
    execute("VACUUM ANALYZE")
    return crowd[:2]


def _stages(title: str, users: Sequence[User]) -> list[Match]:
    """Play matches of a game to several stages."""
    script = people.script(title, longest=STAGES[-1])
    played = sorted({min(moves, len(script.moves)) for moves in STAGES})
    return [script.play(users, moves) for moves in played]


def _copy_challenges(crowd: Sequence[User], now: datetime) -> None:
    """Store challenges by all people."""
    pattern = Challenge.objects.create(
        creator=crowd[0],
        title=people.TITLE,
        params={"size": 5},
        seats=2,
        created=now,
        expires=now + timedelta(days=7),
        status=Challenge.Status.WITHDRAWN,
        audience="open",
        secret=b"s" * 32,
    )
    own = {
        "seal": "'c' || n",
        "token": "'c' || n",
        "status": f"CASE mod(n, {OPEN}) WHEN 0 THEN 'open' ELSE 'withdrawn' END",
        "created": "created - n * INTERVAL '1 minute'",
        "creator_id": f"creator_id + mod(n / {OPEN}, %(people)s)",
    }
    copy(pattern, own, "generate_series(1, %(people)s)", {"people": len(crowd)})


def copy(row: models.Model, own: dict[str, str], numbers: str, given: dict[str, Any]) -> None:
    """Store a copy of a row for each ``n`` among ``numbers``, with ``own`` columns of each."""
    fields = (field for field in row._meta.concrete_fields if not field.generated)
    columns = [str(f.column) for f in fields if f.column and (not f.primary_key or f.column in own)]
    names = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(own.get(column, f'"{column}"') for column in columns)
    table = row._meta.db_table
    execute(
        f"INSERT INTO {table} ({names}) SELECT {values} FROM {table}, {numbers} AS n"
        f" WHERE id = {int(row.pk)}",
        given,
    )


def execute(statement: str, given: dict[str, Any] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
