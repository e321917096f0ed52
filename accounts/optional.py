"""Writes that a page can do without: where nothing can be written, it is read all the same."""

import contextlib
import logging
import time
from collections.abc import Iterator

from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError

log = logging.getLogger(__name__)

QUIET = 60.0
"""Seconds between two lines in the log, lest an outage fill it with every page that is read."""


class _Log:
    """What is said of failed writes, not more often than every ``QUIET`` seconds."""

    def __init__(self) -> None:
        self._next = 0.0

    def say(self, what: str, error: Exception) -> None:
        """Log what could not be written, and the kind of error."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + QUIET
            log.warning("Could not write %s, and went on: %s", what, type(error).__name__)


_log = _Log()


@contextlib.contextmanager
def optional_write(what: str) -> Iterator[None]:
    """Go on where the database does not take a write; ``what`` names it in the log.

    Not for use within a transaction, which an error would end.
    """
    try:
        yield
    # Django takes every error of the database for a session that somebody else has ended.
    except (DatabaseError, SessionInterrupted) as error:
        _log.say(what, error)
