"""Statements that PostgreSQL parses and plans once for each connection."""

from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.backends.utils import CursorWrapper

THRESHOLD = 1
"""How often a statement is sent before it is prepared; Django's own statements never are."""


def threshold() -> int | None:
    """Return how often a statement is sent before it is prepared. ``None`` if it never is.

    In transaction mode a pooler may send the next one to a server that hasn't prepared it.
    """
    is_pooled = connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS", False)
    return None if is_pooled else THRESHOLD


def cursor(alias: str = DEFAULT_DB_ALIAS) -> CursorWrapper:
    """Return a cursor for statements whose text is always the same."""
    wrapper: Any = connections[alias]
    wrapper.ensure_connection()
    raw = wrapper.connection
    raw.prepare_threshold = threshold()
    made: CursorWrapper = wrapper._prepare_cursor(ServerBindingCursor(raw))  # type: ignore[call-arg]
    return made
