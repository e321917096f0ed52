"""Very many stored matches, made in the database from some that were played."""

import os
from collections.abc import Sequence
from datetime import timedelta

from django.db import connection, models
from django.utils import timezone

from accounts.models import User
from bench import people, scripts, site
from games.kernel import registry
from games.lobby.models import Challenge
from games.matches.models import Match, Player

COUNT = 100_000
OVERDUE = 1_000
LATE = timedelta(hours=1)

MATCHES = int(os.environ.get("MATCHES", "1000000"))
"""How many matches the lists are measured with, and a tenth as many people."""

RUNNING, TIED, VOID = 10, 20, 100
"""Of so many matches one runs; of so many that have ended one is a tie, or has no result."""


def fill_lists(count: int = MATCHES) -> list[User]:
    """Store so many matches of all games, played by a tenth as many people; return two of them."""
    _make_people(count // 10)
    readers = list(User.objects.filter(username__startswith="crowd-").order_by("pk")[:2])
    for title in registry.titles():
        original = scripts.start(scripts.write(title, 0), readers)
        first = _copy_match(original, count // len(registry.titles()))
        _end_most(first)
        _seat_anybody(original, first, count // 10)
        site.say(f"{count // len(registry.titles()):,} matches of {title}")
    _challenge(readers[0], count // 10)
    _analyze()
    return readers


def fill(count: int = COUNT) -> Match:
    """Store so many copies of one running match."""
    original = people.start(people.make(2, "crowd"), 5)
    _copy_match(original, count)
    _copy_players(original)
    _analyze()
    return original


def make_overdue(count: int = OVERDUE) -> None:
    """Let the time of so many players have run out."""
    late = timezone.now() - LATE
    ids = Player.objects.filter(to_move=True).order_by("-pk").values("pk")[:count]
    Player.objects.filter(pk__in=list(ids.values_list("pk", flat=True))).update(
        clock_since=late - timedelta(days=30), deadline=late
    )


def _execute(statement: str, parameters: Sequence[int] = ()) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def _analyze() -> None:
    """Let the database know what it holds, as its own housekeeping does in time."""
    _execute("VACUUM ANALYZE")


def _columns(model: type[models.Model], besides: Sequence[str] = ()) -> list[str]:
    fields = model._meta.concrete_fields
    columns = (field.column for field in fields if not (field.primary_key or field.generated))
    return [f'"{column}"' for column in columns if column not in besides]


def _make_people(count: int) -> None:
    original = people.make(1, "original")[0]
    columns = _columns(User, besides=["username", "email"])
    _execute(
        f"INSERT INTO accounts_user (username, email, {', '.join(columns)})"
        f" SELECT 'crowd-' || n, 'crowd-' || n || '@example.org', {', '.join(columns)}"
        " FROM accounts_user, generate_series(1, %s) n WHERE id = %s",
        [count, original.pk],
    )


def _copy_match(original: Match, count: int) -> int:
    """Copy a match; return the id of the first copy."""
    columns = ", ".join(_columns(Match))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO match_match ({columns}) SELECT {columns} FROM match_match,"
            " generate_series(1, %s) WHERE id = %s RETURNING id",
            [count, original.pk],
        )
        ids: list[int] = [pk for (pk,) in cursor.fetchall()]
    return min(ids)


def _end_most(first: int) -> None:
    """Let most of the matches from ``first`` on have ended, each a minute before the one before."""
    _execute(
        "UPDATE match_match SET changed = created - id * interval '1 minute',"
        f" status = CASE WHEN id %% {RUNNING} = 0 THEN 'running'"
        f" WHEN id %% {VOID} = 1 THEN 'cancelled' ELSE 'over' END,"
        f" ending = CASE WHEN id %% {RUNNING} = 0 THEN '' WHEN id %% {VOID} = 1 THEN 'cancelled'"
        f" WHEN id %% {TIED} = 3 THEN 'closed' ELSE 'resigned' END,"
        f" ended = CASE WHEN id %% {RUNNING} <> 0 THEN created - id * interval '1 minute' END"
        " WHERE id >= %s",
        [first],
    )


def _seat_anybody(original: Match, first: int, crowd: int) -> None:
    """Seat two people of the crowd at each match from ``first`` on, with the clocks of another."""
    own = ["match_id", "user_id", "rank", "to_move", "clock_since", "deadline", "remind_at"]
    columns = _columns(Player, besides=own)
    runs = "m.status = 'running'"
    clock = ", ".join(f"CASE WHEN {runs} THEN p.{name} END" for name in own[4:])
    _execute(
        f"INSERT INTO match_player ({', '.join([*own, *columns])})"
        " SELECT m.id, u.id,"
        f" CASE WHEN m.status = 'over' THEN CASE WHEN m.id %% {TIED} = 3 THEN 1"
        " ELSE p.seat + 1 END END,"
        f" p.to_move AND {runs}, {clock}, {', '.join(f'p.{column}' for column in columns)}"
        " FROM match_match m JOIN match_player p ON p.match_id = %s"
        " JOIN accounts_user u ON u.username = 'crowd-' ||"
        " (1 + (m.id * (7919 + 2 * p.seat) + p.seat) %% %s)"
        " WHERE m.id >= %s",
        [original.pk, crowd, first],
    )


def _challenge(creator: User, count: int) -> None:
    """Store as many challenges that nobody may accept any more, and some that anybody may."""
    now = timezone.now()
    made = Challenge(
        creator=creator,
        title=people.TITLE,
        params={"size": 5},
        seats=2,
        created=now,
        expires=now + timedelta(days=7),
        status="withdrawn",
        audience="open",
        secret=b"s" * 32,
    )
    made.save()
    table = Challenge._meta.db_table
    columns = _columns(Challenge, besides=["seal", "token", "status", "created"])
    _execute(
        f"INSERT INTO {table} (seal, token, status, created, {', '.join(columns)})"
        " SELECT 'c' || n, 'c' || n, CASE WHEN n %% 1000 = 0 THEN 'open' ELSE 'withdrawn' END,"
        f" created - n * interval '1 minute', {', '.join(columns)}"
        f" FROM {table}, generate_series(1, %s) n WHERE id = %s",
        [count, made.pk],
    )


def _copy_players(original: Match) -> None:
    columns = _columns(Player, besides=["match_id"])
    names = ", ".join(columns)
    chosen = ", ".join(f"p.{column}" for column in columns)
    _execute(
        f"INSERT INTO match_player (match_id, {names}) SELECT m.id, {chosen}"
        " FROM match_match m, match_player p WHERE p.match_id = %s AND m.id > %s",
        [original.pk, original.pk],
    )
