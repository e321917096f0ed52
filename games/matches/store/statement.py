"""A statement, and how to run it from a thread or from an event loop."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import connection
from django.db.utils import DatabaseErrorWrapper

from config.postgresql import loop_pool, prepared
from games.matches.isolation import secret_errors, secret_transaction

Params = ParamSpec("Params")
Result_co = TypeVar("Result_co", covariant=True)

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Statement(Generic[Params, Result_co]):
    """One question or change, as SQL for PostgreSQL and in the ORM for SQLite.

    ``sql`` returns a text that never changes, so that PostgreSQL plans it once per connection.
    ``values`` turns the arguments into the parameters of that text. ``decode`` turns the rows into
    the result, without access to the database; it gets the arguments too. ``orm`` returns the same
    result for the same arguments. A statement that ``writes`` is never sent twice.
    """

    sql: Callable[[], str]
    values: Callable[Params, Sequence[Any]]
    decode: Callable[..., Result_co]
    orm: Callable[Params, Result_co]
    writes: bool = False


def uses_sql() -> bool:
    """Whether the database understands the SQL."""
    return bool(connection.vendor == "postgresql")


def run(
    statement: Statement[Params, Result_co], *args: Params.args, **kwargs: Params.kwargs
) -> Result_co:
    """Run a statement on this thread's connection.

    :raises IntegrityError: a row was refused. Nothing is written, and the message quotes no row.
    """
    if not uses_sql():
        return statement.orm(*args, **kwargs)
    with _atomic(statement), prepared.cursor() as cursor:
        cursor.execute(statement.sql(), statement.values(*args, **kwargs))
        rows = cursor.fetchall()
    return statement.decode(rows, *args, **kwargs)


def _atomic(statement: Statement[Params, Result_co]) -> AbstractContextManager[None]:
    """Let a change fail alone: inside of a transaction that takes a savepoint."""
    if not statement.writes:
        return nullcontext()
    return secret_transaction() if connection.in_atomic_block else secret_errors()


async def run_in_loop(
    statement: Statement[Params, Result_co], *args: Params.args, **kwargs: Params.kwargs
) -> Result_co:
    """Run a statement on a connection of the running event loop, outside of any transaction.

    Without a pool for loops (``LOOP_CONNECTIONS`` is 0), as on SQLite, the thread for queries runs
    it. A change whose task is cancelled may be written or not.

    :raises IntegrityError: as of :func:`run`.
    :raises OperationalError: the database is away, or all connections are in use for too long. It
        is unknown whether a change was written.
    """
    if not settings.LOOP_CONNECTIONS:
        found: Result_co = await database_sync_to_async(run)(statement, *args, **kwargs)
        return found
    values = statement.values(*args, **kwargs)
    with secret_errors(), DatabaseErrorWrapper(connection):
        rows = await loop_pool.fetch(statement.sql(), values, may_repeat=not statement.writes)
    return statement.decode(rows, *args, **kwargs)
