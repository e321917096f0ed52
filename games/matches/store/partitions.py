"""Partitions of the log by match, for a site whose log has grown to a terabyte.

The last partition has no upper bound, so every move has one. A new one begins at the id of a future
match: the last partition gets that id as its bound, and no row is copied. A table without
partitions becomes the first one as it is. Partitions are by range, because nothing is written to a
partition any more once its matches have ended. It is frozen once, and can move to another disk.
Partitions by hash would all keep changing.
"""

import time
from collections.abc import Callable
from typing import Any

from django.db import OperationalError, connection, models, transaction
from django.db.models import Max
from psycopg.errors import LockNotAvailable

from accounts.models import User
from games.matches.models import Checkpoint, LogEntry, Match

MODELS: tuple[type[models.Model], ...] = (LogEntry, Checkpoint)

AHEAD = 1_000_000
"""How many matches may begin while the rows are checked against the new bound."""

LOCK_TIMEOUT = 500
"""Milliseconds for which this waits for a lock, and moves wait after it.

After a second PostgreSQL would look for deadlocks, and might cancel a move.
"""

PAUSE = 1.0
"""Seconds until the next attempt."""

BOUND = "bound_of_partition"
"""The constraint that shows that all rows of a table belong to a partition."""

Partition = tuple[str, int]
"""The name of a table and the id of its first match."""


def begin(ahead: int = AHEAD) -> dict[str, int]:
    """Begin a partition of each table, unless the last one still waits for its first match.

    Return the ids of the matches with which the last partitions begin. Moves continue meanwhile. If
    the process is killed, matches from the bound on are refused until this runs again.
    """
    return {model._meta.db_table: _begin(model._meta.db_table, ahead) for model in MODELS}


def partitions(table: str) -> list[Partition]:
    """Return the partitions of a table in order. Empty if it isn't partitioned."""
    rows = _rows(
        "SELECT inhrelid::regclass::text,"
        " substring(pg_get_expr(relpartbound, inhrelid) FROM 'FROM \\(''?(\\d+)')"
        " FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = %s::regclass",
        table,
    )
    return sorted(((name, int(first or 0)) for name, first in rows), key=lambda one: one[1])


def _begin(table: str, ahead: int) -> int:
    latest = Match.objects.aggregate(latest=Max("pk"))["latest"] or 0
    last, first = (partitions(table) or [(table, 0)])[-1]
    if first > latest:
        return first
    bound = latest + ahead
    drop = f"ALTER TABLE {last} DROP CONSTRAINT IF EXISTS {BOUND}"
    try:
        check = f"ADD CONSTRAINT {BOUND} CHECK (match_id >= {first} AND match_id < {bound})"
        _patiently(lambda: _run(drop, f"ALTER TABLE {last} {check} NOT VALID"))
        # This may take an hour, and nobody waits for it.
        _run(f"ALTER TABLE {last} VALIDATE CONSTRAINT {BOUND}")
        _patiently(lambda: _close(table, last, first, bound))
    except BaseException:
        _patiently(lambda: _run(drop))
        raise
    _run(f"ANALYZE {table}")
    return bound


def _close(table: str, last: str, first: int, bound: int) -> None:
    """Give the last partition its bound, and create the next one."""
    referred = ", ".join(model._meta.db_table for model in (Match, User))
    # Moves lock in this order, too.
    _run(f"LOCK TABLE {referred} IN SHARE ROW EXCLUSIVE MODE", f"LOCK TABLE {table}")
    if last == table:
        last = f"{table}_0"
        _divide(table, last)
    else:
        _run(f"ALTER TABLE {table} DETACH PARTITION {last}")
    new = f"{table}_{bound}"
    _run(
        f"ALTER TABLE {table} ATTACH PARTITION {last} FOR VALUES FROM ({first}) TO ({bound})",
        f"ALTER TABLE {last} DROP CONSTRAINT {BOUND}",
        f"CREATE TABLE {new} PARTITION OF {table} FOR VALUES FROM ({bound}) TO (MAXVALUE)",
        # A primary key of the whole table would have to name the match.
        f"ALTER TABLE {new} ADD PRIMARY KEY (id)",
    )


def _divide(table: str, old: str) -> None:
    """Rename a table, and create an empty one of its name that can have partitions.

    It has the same columns, constraints and indexes, under the names that migrations know.
    """
    constraints = _rows(
        "SELECT conname, contype = 'u', pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = %s::regclass AND contype IN ('u', 'f')",
        table,
    )
    indexes = _rows(
        "SELECT relname, pg_get_indexdef(indexrelid) FROM pg_index"
        " JOIN pg_class ON oid = indexrelid WHERE indrelid = %s::regclass"
        " AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid"
        " AND conrelid = indrelid)",
        table,
    )
    ((next_id,),) = _rows("SELECT nextval(pg_get_serial_sequence(%s, 'id'))", table)
    names = [name for name, is_unique, _ in constraints if is_unique]
    names += [name for name, _ in indexes]
    sequence = f"{table}_id_seq"
    _run(
        f"ALTER TABLE {table} RENAME TO {old}",
        f"ALTER TABLE {old} ALTER COLUMN id DROP IDENTITY",
        *(f"ALTER INDEX {name} RENAME TO {name}_0" for name in names),
        f"CREATE TABLE {table} (LIKE {old} INCLUDING ALL EXCLUDING INDEXES)"
        " PARTITION BY RANGE (match_id)",
        f"ALTER TABLE {table} DROP CONSTRAINT {BOUND}",
        f"CREATE SEQUENCE {sequence} START {next_id} OWNED BY {table}.id",
        f"ALTER TABLE {table} ALTER COLUMN id SET DEFAULT nextval('{sequence}')",
        *(f"ALTER TABLE {table} ADD CONSTRAINT {name} {how}" for name, _, how in constraints),
        *(how for _, how in indexes),
    )


def _patiently(change: Callable[[], None]) -> None:
    """Change tables in one transaction, as soon as nobody else is using them."""
    while True:
        try:
            with transaction.atomic():
                _run(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT}")
                change()
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            time.sleep(PAUSE)
        else:
            return


def _run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _rows(query: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
