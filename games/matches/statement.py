"""A change of a match as one statement of PostgreSQL: compare and swap, and all rows with it.

One round trip instead of six; other databases write the same rows by steps. Tables, columns and
types are those of the models.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection, models

from accounts.models import Notification
from accounts.notifications import keep
from games.matches.isolation import secret_errors, secret_transaction
from games.matches.models import Checkpoint, LogEntry, Match, Player

MATCH_FIELDS = ("position", "version", "rolls", "status", "ending", "changed", "ended")
PLAYER_FIELDS = (
    "version",
    "to_move",
    "time_left",
    "clock_since",
    "deadline",
    "remind_at",
    "pauses",
    "agrees_to_close",
    "agrees_to",
    "take_backs",
    "dropped",
    "rank",
    "ended",
    "result",
)

Part = tuple[str, list[Any]]
"""A part of the statement, and its parameters."""


@dataclass(frozen=True)
class Change:
    """What a change writes: of the match and ``players`` the fields above, and new rows.

    Nothing is written unless the match still has this ``version`` and clock ``epoch``.
    """

    match: Match
    version: int
    epoch: int
    log: Sequence[LogEntry]
    players: Sequence[Player]
    notifications: Sequence[Notification]
    checkpoints: Sequence[Checkpoint]


def is_spoken() -> bool:
    """Whether the database takes the statement."""
    return bool(connection.vendor == "postgresql")


def write(change: Change) -> list[bool] | None:
    """Write a change; ``None``, with nothing written, if another one was first.

    Returns of each seat whether its player has plans, which change without a version.

    :raises IntegrityError: a row was refused; nothing is written, and the message quotes no row.
    """
    return _write_at_once(change) if is_spoken() else _write_by_steps(change)


def _write_at_once(change: Change) -> list[bool] | None:
    """Write a change by one statement."""
    parts = [
        _swap(change),
        *_inserted("logged", change.log),
        *_updated(change.players),
        *_inserted("stored", change.checkpoints),
        *_inserted("told", change.notifications, "ON CONFLICT DO NOTHING"),
    ]
    sql = ",\n".join(text for text, _ in parts)
    values = [value for _, found in parts for value in found]
    # A single statement is a transaction of its own; one of several needs a savepoint to fail.
    errors = secret_transaction() if connection.in_atomic_block else secret_errors()
    with errors, connection.cursor() as cursor:
        cursor.execute(f"WITH {sql}\nSELECT {_plans()} FROM swapped", [*values, change.match.pk])
        found = cursor.fetchone()
    return found[0] if found else None


def _write_by_steps(change: Change) -> list[bool] | None:
    """Write a change in a short transaction, a kind of rows after the other."""
    match = change.match
    fields = {name: getattr(match, name) for name in MATCH_FIELDS}
    read = {"version": change.version, "clock_epoch": change.epoch}
    with secret_transaction():
        if not Match.objects.filter(pk=match.pk, **read).update(**fields):
            return None
        LogEntry.objects.bulk_create(change.log)
        # All rows exist; to insert them over themselves costs a tenth of bulk_update.
        Player.objects.bulk_create(
            change.players,
            update_conflicts=True,
            unique_fields=["pk"],
            update_fields=PLAYER_FIELDS,
        )
        Checkpoint.objects.bulk_create(change.checkpoints)
        keep(change.notifications)
        return list(
            Player.objects.filter(match=match).order_by("seat").values_list("plans", flat=True)
        )


def _swap(change: Change) -> Part:
    fields = _fields(Match, MATCH_FIELDS)
    columns = ", ".join(f"{_column(field)} = {_placeholder(field)}" for field in fields)
    sql = (
        f"swapped AS (UPDATE {_table(Match)} SET {columns}"  # noqa: S608 - names of the models
        " WHERE id = %s AND version = %s AND clock_epoch = %s RETURNING id)"
    )
    return sql, [*_values(change.match, fields), change.match.pk, change.version, change.epoch]


@cache
def _plans() -> str:
    return f"ARRAY(SELECT plans FROM {_table(Player)} WHERE match_id = %s ORDER BY seat)"  # noqa: S608


def _inserted(name: str, rows: Sequence[models.Model], conflict: str = "") -> list[Part]:
    """Return the part that writes new rows of one model; none without rows."""
    if not rows:
        return []
    model = type(rows[0])
    fields = _fields(model)
    columns = ", ".join(map(_column, fields))
    sql = (
        f"{name} AS (INSERT INTO {_table(model)} ({columns}) SELECT fresh.* FROM"  # noqa: S608
        f" (VALUES {_rows(fields, len(rows))}) AS fresh ({columns}), swapped {conflict})"
    )
    return [(sql, [value for row in rows for value in _values(row, fields)])]


def _updated(players: Sequence[Player]) -> list[Part]:
    """Return the part that writes the players that have changed; none without any."""
    if not players:
        return []
    fields = _fields(Player, ("id", *PLAYER_FIELDS))
    columns = ", ".join(map(_column, fields))
    changes = ", ".join(f"{_column(field)} = fresh.{_column(field)}" for field in fields[1:])
    sql = (
        f"seated AS (UPDATE {_table(Player)} AS seat SET {changes} FROM"  # noqa: S608
        f" (VALUES {_rows(fields, len(players))}) AS fresh ({columns}), swapped"
        " WHERE seat.id = fresh.id)"
    )
    return [(sql, [value for player in players for value in _values(player, fields)])]


@cache
def _fields(model: type[models.Model], names: tuple[str, ...] = ()) -> tuple[Any, ...]:
    """Return the fields of these names; without names all that a new row has but its id."""
    if names:
        return tuple(model._meta.get_field(name) for name in names)
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)


@cache
def _rows(fields: tuple[Any, ...], count: int) -> str:
    row = ", ".join(map(_placeholder, fields))
    return ", ".join([f"({row})"] * count)


@cache
def _placeholder(field: Any) -> str:
    """Return a parameter of the type of a column; a cast to ``varchar`` would cut what is long."""
    kind = field.rel_db_type(connection) if field.primary_key else field.db_type(connection)
    return f"%s::{'text' if kind.startswith('varchar') else kind}"


def _values(row: models.Model, fields: Sequence[Any]) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]


def _column(field: Any) -> str:
    return connection.ops.quote_name(field.column)


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)
