"""Connections to PostgreSQL that belong to an event loop.

psycopg's ``AsyncConnectionPool`` works with tasks of its own. They are cancelled when a loop ends,
and then it can't close its connections. It also waits longer after each dead connection. This pool
has no tasks: the caller who needs a connection opens it.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import connection as django_connection
from psycopg import AsyncConnection, AsyncCursor, OperationalError
from psycopg.pq import TransactionStatus
from psycopg_pool import PoolTimeout

from config.postgresql import prepared
from config.postgresql.news import has_news

DEFAULT_TIMEOUT = 10.0
"""Seconds that a task waits for a connection, unless the settings say otherwise."""

RETRY_DELAY = 0.1
"""Seconds between two attempts to connect."""

Connection = AsyncConnection[tuple[Any, ...]]


class LoopPool:
    """At most ``most`` connections in autocommit mode, for the tasks of one event loop."""

    def __init__(self, most: int, patience: float) -> None:
        self.most = most
        self._patience = patience
        self._idle: list[Connection] = []
        self._slots = asyncio.Semaphore(most)
        self._is_closed = False
        self.opened = self.waiting = 0
        self._end = self._close_at_end()

    async def start(self) -> None:
        """Close the pool when the loop shuts down its asynchronous generators."""
        await anext(self._end)

    async def _close_at_end(self) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            await self.close()

    @property
    def available(self) -> int:
        """The number of open connections that are free."""
        return len(self._idle)

    async def close(self) -> None:
        """Close idle connections now, and the others when their tasks are done."""
        self._is_closed = True
        await self._close_idle()

    async def fetch(
        self, sql: str, values: Sequence[Any], *, may_repeat: bool
    ) -> list[tuple[Any, ...]]:
        """Send a statement and return its rows.

        :param may_repeat: send it once more if the connection breaks.
        :raises PoolTimeout: all connections are in use, or opening another failed.
        :raises psycopg.Error: the statement failed.
        """
        async with self._connection() as connection:
            try:
                return await _fetched(connection, sql, values)
            except OperationalError:
                if not connection.closed:
                    raise
                # The others have probably lost the server too.
                await self._close_idle()
                if not may_repeat:
                    raise
        async with self._connection() as connection:
            return await _fetched(connection, sql, values)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        connection = await self._take()
        try:
            yield connection
        finally:
            await self._give_back(connection)

    async def _take(self) -> Connection:
        """Wait for a slot and return a connection that seems to work.

        :raises PoolTimeout: the wait was too long.
        """
        self.waiting += 1
        has_slot = False
        failure = "all are in use"
        try:
            async with asyncio.timeout(self._patience):
                has_slot = await self._slots.acquire()
                while True:
                    try:
                        return await self._working_or_new()
                    except OperationalError as error:
                        failure = str(error)
                        await asyncio.sleep(RETRY_DELAY)
        except BaseException as error:
            if has_slot:
                self._slots.release()
            if not isinstance(error, TimeoutError):
                raise
            within = f"within {self._patience} s"
            raise PoolTimeout(f"no connection for the event loop {within}: {failure}") from None
        finally:
            self.waiting -= 1

    async def _working_or_new(self) -> Connection:
        while self._idle:
            connection = self._idle.pop()
            if not has_news(connection):
                return connection
            await self._close(connection)
        connection = await _connected()
        self.opened += 1
        return connection

    async def _give_back(self, connection: Connection) -> None:
        is_well = connection.info.transaction_status == TransactionStatus.IDLE
        if is_well and not self._is_closed:
            self._idle.append(connection)
        else:
            await self._close(connection)
        self._slots.release()

    async def _close_idle(self) -> None:
        while self._idle:
            await self._close(self._idle.pop())

    async def _close(self, connection: Connection) -> None:
        self.opened -= 1
        await connection.close()


async def _fetched(
    connection: Connection, sql: str, values: Sequence[Any]
) -> list[tuple[Any, ...]]:
    cursor = await connection.execute(sql, values)
    return await cursor.fetchall()


async def _connected() -> Connection:
    """Connect as Django does, with its adapters, so that both drivers decode values alike."""
    how: dict[str, Any] = django_connection.get_connection_params()
    how |= {"cursor_factory": AsyncCursor, "prepare_threshold": prepared.threshold()}
    connection: Connection = await AsyncConnection.connect(**how, autocommit=True)
    zone = django_connection.timezone_name
    if connection.info.parameter_status("TimeZone") != zone:
        await connection.execute("SELECT set_config('TimeZone', %s, false)", [zone])
    return connection


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopPool] = WeakKeyDictionary()


async def fetch(sql: str, values: Sequence[Any], *, may_repeat: bool) -> list[tuple[Any, ...]]:
    """Send a statement through the pool of the running loop. See :meth:`LoopPool.fetch`."""
    loop = asyncio.get_running_loop()
    pool = _pools.get(loop)
    if pool is None:
        options = django_connection.settings_dict["OPTIONS"].get("pool") or {}
        patience = options.get("timeout", DEFAULT_TIMEOUT)
        pool = _pools[loop] = LoopPool(settings.LOOP_CONNECTIONS, patience)
        await pool.start()
    return await pool.fetch(sql, values, may_repeat=may_repeat)


async def close() -> None:
    pool = _pools.pop(asyncio.get_running_loop(), None)
    if pool is not None:
        await pool.close()


def stats() -> dict[str, int]:
    """Return the sums of all pools of this process, by the names of psycopg's pools."""
    pools = list(_pools.values())
    return {
        "pool_size": sum(pool.opened for pool in pools),
        "pool_available": sum(pool.available for pool in pools),
        "requests_waiting": sum(pool.waiting for pool in pools),
        "pool_max": settings.LOOP_CONNECTIONS,
    }
