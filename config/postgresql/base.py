"""Connections to PostgreSQL."""

from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, Error
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, but one connection that is found dead in the pool stands for all that lie in it.

    psycopg's own check, which Django would switch on, waits longer for each dead connection than
    for the last one: after a restart of the server a page would wait for seconds, and fail.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """Return a connection that works, from the pool if there is one.

        :raises psycopg_pool.PoolTimeout: none is free, or the server is away.
        """
        connection: Connection[Any] = super().get_new_connection(conn_params)
        if self.pool is None or _works(connection):
            return connection
        self.pool.putconn(connection)
        self.pool.drain()
        replacement: Connection[Any] = super().get_new_connection(conn_params)
        return replacement


def _works(connection: Connection[Any]) -> bool:
    """Whether the server answers; a server that was stopped has said so, which costs no wait."""
    try:
        ConnectionPool.check_connection(connection)
    except Error:
        return False
    return True
