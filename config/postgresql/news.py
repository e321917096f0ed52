"""Whether an idle connection to PostgreSQL still works."""

import select
from typing import Any

from psycopg import AsyncConnection, Connection


def has_news(connection: Connection[Any] | AsyncConnection[Any]) -> bool:
    """Whether the server has sent something unasked, nearly always its goodbye. Sends no query."""
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
