"""Connections to PostgreSQL."""

from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection

from config.postgresql.news import has_news


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper; if one pooled connection is dead, it replaces all idle ones.

    psycopg's own check waits longer for each dead connection than for the one before. After a
    restart of the server, a page would wait for seconds and fail.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """Take a working connection from the pool, if there is one.

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
