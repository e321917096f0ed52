"""Running the hand-written SQL: in a thread on Django's connection, or in a loop."""

from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.utils import DatabaseErrorWrapper

from config.postgresql import loop_pool, prepared, replica
from games.matches.isolation import secret_errors, secret_transaction

Params = ParamSpec("Params")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Statement(Generic[Result]):
    """One statement with its parameters; ``decode`` makes the result of its rows.

    A statement that ``is_read`` only can be sent again if its connection was lost.

    PostgreSQL writes to several tables by one statement. SQLite can't: if the first one has
    returned a row, those in ``then`` follow in the same transaction.
    """

    sql: str
    params: Sequence[Any]
    decode: Callable[[list[tuple[Any, ...]]], Result]
    is_read: bool = True
    then: Sequence[tuple[str, Sequence[Any]]] = ()


def is_postgresql() -> bool:
    """Whether the database is PostgreSQL; otherwise it is SQLite."""
    return bool(connection.vendor == "postgresql")


def run(statement: Statement[Result]) -> Result:
    """Run a statement on Django's connection, or where the running view reads.

    :raises IntegrityError: a row was refused. Nothing is written, and the message quotes no row.
    """
    if not is_postgresql():
        return statement.decode(_on_sqlite(statement))
    alias = replica.alias() if statement.is_read else DEFAULT_DB_ALIAS
    with _failing_alone(statement), prepared.cursor(alias) as cursor:
        cursor.execute(statement.sql, statement.params)
        rows = cursor.fetchall()
    return statement.decode(rows)


def _on_sqlite(statement: Statement[Any]) -> list[tuple[Any, ...]]:
    with (
        secret_transaction() if statement.then else secret_errors(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.sql, statement.params)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        for sql, params in statement.then if rows else ():
            cursor.execute(sql, params)
            rows = cursor.fetchall()
    return rows


def _failing_alone(statement: Statement[Any]) -> AbstractContextManager[None]:
    """Keep a failed change from ending the transaction around it, by a savepoint."""
    if statement.is_read or not connection.in_atomic_block:
        return secret_errors()
    return secret_transaction()


async def run_in_loop(statement: Statement[Result]) -> Result:
    """Run a statement on a connection of the running loop, outside any transaction of a thread.

    Without such connections (``LOOP_CONNECTIONS`` is 0), as on SQLite, a thread runs it.

    :raises IntegrityError: a row was refused. Nothing is written, and the message quotes no row.
    :raises OperationalError: no connection became free in time, or it broke. A writing statement
        may have been executed then; a reading one was sent twice in vain.
    """
    if not settings.LOOP_CONNECTIONS:
        result: Result = await database_sync_to_async(run)(statement)
        return result
    with secret_errors(), DatabaseErrorWrapper(connection):
        rows = await loop_pool.fetch(statement.sql, statement.params, may_repeat=statement.is_read)
    return statement.decode(rows)


def at_once(work: Coroutine[Any, Any, Result]) -> Result:
    """Return the result of a coroutine that awaits nothing but coroutines, without a loop."""
    try:
        work.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    work.close()
    raise RuntimeError("A coroutine for a thread has waited.")


def in_thread(
    call: Callable[Params, Result], executor: ThreadPoolExecutor | None = None
) -> Callable[Params, Coroutine[Any, Any, Result]]:
    """Return a coroutine function that runs ``call``, which uses the ORM, in a thread of its own.

    Other databases than PostgreSQL have one writer: there the thread of all queries serves.

    :param executor: the threads to choose from, by default those of the loop.
    """
    is_alone = not is_postgresql()
    awaited: Callable[Params, Coroutine[Any, Any, Result]] = database_sync_to_async(
        call, thread_sensitive=is_alone, executor=None if is_alone else executor
    )
    return awaited
