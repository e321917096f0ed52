"""Very many stored matches, made in the database from one that was played."""

from datetime import timedelta

from django.db import connection, models
from django.utils import timezone

from bench import people
from games.matches.models import Match, Player

COUNT = 100_000
OVERDUE = 1_000
LATE = timedelta(hours=1)


def fill(count: int = COUNT, *, ended: bool) -> Match:
    """Store so many copies of one match; every second one has ended where ``ended`` says so."""
    original = people.start(people.make(2, "crowd-ended" if ended else "crowd"), 5)
    _copy_match(original, count, ended=ended)
    _copy_players(original)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return original


def make_overdue(count: int = OVERDUE) -> None:
    """Let the time of so many players have run out."""
    late = timezone.now() - LATE
    ids = Player.objects.filter(to_move=True).order_by("-pk").values("pk")[:count]
    Player.objects.filter(pk__in=list(ids.values_list("pk", flat=True))).update(
        clock_since=late - timedelta(days=30), deadline=late
    )


def _columns(model: type[models.Model], besides: str = "") -> list[str]:
    columns = (field.column for field in model._meta.concrete_fields if not field.primary_key)
    return [f'"{column}"' for column in columns if column != besides]


def _copy_match(original: Match, count: int, *, ended: bool) -> None:
    columns = ", ".join(_columns(Match))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO match_match ({columns}) SELECT {columns} FROM match_match,"
            " generate_series(1, %s) WHERE id = %s",
            [count, original.pk],
        )
        if ended:
            cursor.execute(
                "UPDATE match_match SET status = 'over', ending = 'resigned',"
                " ended = changed - id * interval '1 minute' WHERE id > %s AND id %% 2 = 0",
                [original.pk],
            )


def _copy_players(original: Match) -> None:
    columns = _columns(Player, besides="match_id")
    names = ", ".join(columns)
    chosen = ", ".join(f"p.{column}" for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO match_player (match_id, {names}) SELECT m.id, {chosen}"
            " FROM match_match m, match_player p WHERE p.match_id = %s AND m.id > %s",
            [original.pk, original.pk],
        )
        cursor.execute(
            "UPDATE match_player p SET to_move = false, clock_since = NULL, deadline = NULL,"
            " remind_at = NULL, rank = p.seat + 1"
            " FROM match_match m WHERE m.id = p.match_id AND m.status = 'over'"
        )
