"""Running the hand-written SQL: in a thread on Django's connection, or in a loop.

PostgreSQL takes the SQL. Other databases are asked by the ORM: :attr:`Statement.plain` does the
same, and tests compare the two.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import OperationalError, connection
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from config.postgresql import prepared

Params = ParamSpec("Params")
Result = TypeVar("Result")

PATIENCE = 5.0
"""Seconds that a statement in a loop waits for a connection."""


@dataclass(frozen=True)
class Statement(Generic[Result]):
    """One statement with its parameters.

    ``decode`` makes the result of its rows, ``plain`` gets the same result by the ORM. A statement
    that ``is_read`` only can be sent again if its connection was lost.
    """

    sql: str
    params: Sequence[Any]
    decode: Callable[[list[tuple[Any, ...]]], Result]
    plain: Callable[[], Result]
    is_read: bool = True


def is_postgresql() -> bool:
    """Whether the database takes the SQL."""
    return bool(connection.vendor == "postgresql")


def run(statement: Statement[Result]) -> Result:
    """Run a statement on Django's connection."""
    if not is_postgresql():
        return statement.plain()
    with prepared.cursor() as cursor:
        cursor.execute(statement.sql, statement.params)
        return statement.decode(cursor.fetchall())


async def run_in_loop(statement: Statement[Result]) -> Result:
    """Run a statement on a connection of the running loop, outside any transaction of a thread.

    :raises psycopg_pool.PoolTimeout: no connection became free in :data:`PATIENCE` seconds.
    :raises django.db.Error: the statement failed. If the connection was lost it may have been
        carried out, unless it only reads: then it is sent once more first.
    """
    if not is_postgresql():
        plain: Result = await database_sync_to_async(statement.plain)()
        return plain
    pool = await _pool()
    try:
        rows = await _rows(pool, statement)
    except OperationalError:
        # After a restart of the server all connections in the pool are dead.
        await pool.drain()
        if not statement.is_read:
            raise
        rows = await _rows(pool, statement)
    return statement.decode(rows)


def in_thread(
    call: Callable[Params, Result],
) -> Callable[Params, Coroutine[Any, Any, Result]]:
    """Return a coroutine function that runs ``call``, which uses the ORM, in a thread of its own.

    Other databases than PostgreSQL have one writer: there the thread of all queries serves.
    """
    awaited: Callable[Params, Coroutine[Any, Any, Result]] = database_sync_to_async(
        call, thread_sensitive=not is_postgresql()
    )
    return awaited


async def _rows(pool: AsyncConnectionPool, statement: Statement[Any]) -> list[tuple[Any, ...]]:
    with connection.wrap_database_errors:
        async with pool.connection() as lent, lent.cursor() as cursor:
            await cursor.execute(statement.sql, statement.params)
            return await cursor.fetchall()


_pools: "WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncConnectionPool]" = WeakKeyDictionary()


async def _pool() -> AsyncConnectionPool:
    """Return the open pool of the running loop."""
    loop = asyncio.get_running_loop()
    pool = _pools.get(loop)
    if pool is None:
        pool = _pools[loop] = AsyncConnectionPool(
            kwargs=_connection_params(),
            configure=_configure,
            min_size=0,
            max_size=settings.LOOP_CONNECTIONS,
            timeout=PATIENCE,
            open=False,
        )
        await pool.open()
    return pool


def _connection_params() -> dict[str, Any]:
    """Return the parameters of Django's own connections, whose values are read in the same way."""
    params = connection.get_connection_params()
    del params["cursor_factory"]
    return {**params, "autocommit": True, "prepare_threshold": prepared.THRESHOLD}


async def _configure(fresh: AsyncConnection) -> None:
    """Django takes the moments that it reads for moments in the time zone of the connection."""
    await fresh.execute("SELECT set_config('TimeZone', %s, false)", [connection.timezone_name])


async def close_pool() -> None:
    """Close the connections of the running loop."""
    pool = _pools.pop(asyncio.get_running_loop(), None)
    if pool is not None:
        await pool.close()
