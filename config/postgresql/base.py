"""Connections to PostgreSQL."""

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg import AsyncConnection, Connection


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper; if one pooled connection is dead, it replaces all idle ones.

    psycopg's own check waits longer for each dead connection than for the one before. After a
    restart of the server, a page would wait for seconds and fail.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """Return a working connection, from the pool if there is one.

        :raises psycopg_pool.PoolTimeout: no connection is free, or the server is down.
        """
        connection: Connection[Any] = super().get_new_connection(conn_params)
        if self.pool is None or not has_news(connection):
            return connection
        connection.close()
        self.pool.putconn(connection)
        self.pool.drain()
        replacement: Connection[Any] = super().get_new_connection(conn_params)
        return replacement


def has_news(connection: Connection[Any] | AsyncConnection[Any]) -> bool:
    """Whether the server has said something unasked, nearly always goodbye. Sends no query."""
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
