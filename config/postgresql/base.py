"""Connections to PostgreSQL."""

from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, Error
from psycopg_pool import ConnectionPool


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
        if self.pool is None or _works(connection):
            return connection
        self.pool.putconn(connection)
        self.pool.drain()
        replacement: Connection[Any] = super().get_new_connection(conn_params)
        return replacement


def _works(connection: Connection[Any]) -> bool:
    """Whether the connection works. A server that stopped has said so, so this needs no query."""
    try:
        ConnectionPool.check_connection(connection)
    except Error:
        return False
    return True
