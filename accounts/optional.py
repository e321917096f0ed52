"""Writes that a page can do without, so that it loads while the database is read-only."""

import contextlib
import logging
import time
from collections.abc import Iterator

from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError

log = logging.getLogger(__name__)

QUIET = 60.0
"""Seconds between two log lines, so that an outage doesn't fill the log."""


class _Log:
    """Logs failed writes at most every ``QUIET`` seconds."""

    def __init__(self) -> None:
        self._next = 0.0

    def say(self, what: str, error: Exception) -> None:
        """Log what could not be written, and the class of the error."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + QUIET
            log.warning("Could not write %s, and went on: %s", what, type(error).__name__)


_log = _Log()


@contextlib.contextmanager
def optional_write(what: str) -> Iterator[None]:
    """Ignore a failed write and log it; ``what`` names it.

    Don't use it within a transaction, which an error would end.
    """
    try:
        yield
    # Django turns any database error here into the one for a deleted session.
    except (DatabaseError, SessionInterrupted) as error:
        _log.say(what, error)
