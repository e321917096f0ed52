"""Reading pages from a streaming replica, if the settings name one.

A view that is marked :func:`from_replica` reads there only if the replica has replayed everything
that the primary had written when the request came. So readers see what they have just done, whether
by page, socket or mail. Otherwise, and if the replica fails, it reads from the primary.
"""

import logging
import select
import time
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

log = logging.getLogger(__name__)

ALIAS = "replica"

LOOK_PERIOD = 0.005
"""Seconds between two checks of the replica."""

Params = ParamSpec("Params")
Result = TypeVar("Result")

_is_reading: ContextVar[bool] = ContextVar("is_reading_from_replica", default=False)


class Router:
    """Sends reads of marked views to the replica until their first write."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """Return the database to read from, wherever a row came from."""
        return alias()

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """Return the primary. The view's later reads may depend on this write."""
        _is_reading.set(False)
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        """Both databases hold the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """The replica gets its tables from the primary."""
        return db == DEFAULT_DB_ALIAS


def is_named() -> bool:
    return ALIAS in connections.settings


def alias() -> str:
    """Return the database that the running view reads from."""
    return ALIAS if _is_reading.get() else DEFAULT_DB_ALIAS


def from_replica(view: Callable[Params, Result]) -> Callable[Params, Result]:
    """Let a view that changes nothing read from the replica.

    If the replica fails meanwhile, the view runs once more.
    """

    @wraps(view)
    def read(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        if not is_named() or not _replica.is_current():
            return view(*args, **kwargs)
        token = _is_reading.set(True)
        try:
            return view(*args, **kwargs)
        except OperationalError:
            _replica.leave_alone("failed")
        finally:
            _is_reading.reset(token)
        return view(*args, **kwargs)

    return read


class _Replica:
    def __init__(self) -> None:
        self._alone_until = 0.0

    def leave_alone(self, why: str) -> None:
        """Read from the primary for a while."""
        log.warning("The replica %s: pages are read from the primary.", why)
        self._alone_until = time.monotonic() + settings.REPLICA_PAUSE

    def is_current(self) -> bool:
        """Wait until the replica has replayed all that the primary has written by now.

        False if that takes longer than ``REPLICA_LAG``, or the replica is away.
        """
        now = time.monotonic()
        if now < self._alone_until:
            return False
        try:
            if _has_replayed(_written(), now + settings.REPLICA_LAG):
                return True
        except OperationalError:
            connections[ALIAS].close()
            self.leave_alone("or the primary is away")
        else:
            self.leave_alone("is behind")
        return False


_replica = _Replica()


def _written() -> str:
    """Return the primary's position in its log. Every committed change is before it."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_flush_lsn()")
        return str(cursor.fetchone()[0])


def _has_replayed(written: str, end: float) -> bool:
    """Wait until the replica has replayed the log up to a position, or until ``end``."""
    query = f"SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= '{written}'".encode()
    while not (is_current := _is_true(query, end)) and time.monotonic() < end:
        time.sleep(LOOK_PERIOD)
    return is_current


def _is_true(query: bytes, end: float) -> bool:
    """Ask the replica, and stop waiting at ``end``, since a hanging server has no timeout.

    :raises OperationalError: no answer came.
    """
    wrapper: Any = connections[ALIAS]
    wrapper.ensure_connection()
    link = wrapper.connection.pgconn
    with wrapper.wrap_database_errors:
        link.send_query(query)
        poll = select.poll()
        poll.register(link.socket, select.POLLIN)
        while link.is_busy():
            left = max(0.0, end - time.monotonic())
            if not poll.poll(1000 * left):
                raise OperationalError("The replica doesn't answer.")
            link.consume_input()
        answer = link.get_result()
        while link.get_result():
            pass
    if answer is None or answer.ntuples != 1:
        raise OperationalError("The replica can't answer.")
    return bool(answer.get_value(0, 0) == b"t")
