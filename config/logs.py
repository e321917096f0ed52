"""Keeps what goes wrong many times over from filling the log."""

import logging
import threading
import time
import traceback
from collections.abc import Callable, Hashable
from types import TracebackType

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from config.redaction import strike_out

PERIOD = 60.0
"""Seconds in which the same thing is said once."""

MOST = 1000
"""Different things that are remembered."""


class Line(logging.Formatter):
    """Writes an event in one line, and below it where it went wrong.

    That a server cannot be reached is said without: it is no fault of any line here. Errors often
    repeat what they were given, so what a request has sent is left out of the traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        if not record.exc_info or record.exc_info[1] is None:
            return super().format(record)
        written = logging.makeLogRecord(record.__dict__)
        written.exc_info = written.exc_text = None
        if is_lost_connection(record.exc_info[1]):
            written.msg, written.args = record.getMessage().partition("\n")[0], None
        else:
            trace = self.formatException(record.exc_info)
            written.exc_text = strike_out(trace, getattr(record, "request", None))
        return super().format(written)


def is_lost_connection(error: BaseException | None) -> bool:
    """Whether Redis or another server that is connected to was away, as far as can be told."""
    while error is not None:
        if isinstance(error, ConnectionError | RedisConnectionError | RedisTimeoutError):
            return True
        error = error.__cause__ or error.__context__
    return False


class Seldom(logging.Filter):
    """Lets a warning or an error through once a minute; ``more`` says how often it was left out.

    Two are the same if they come from the same call and, where there is one, the same exception.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._said: dict[Hashable, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether the record is to be written."""
        record.more = ""
        if record.levelno < logging.WARNING:
            return True
        with self._lock:
            left_out = self._left_out(kind(record))
        if left_out:
            record.more = f" ({left_out} more like this since the last line)"
        return left_out is not None

    def _left_out(self, key: Hashable) -> int | None:
        """Return how many records were left out before this one; ``None`` if it is too."""
        now = self._clock()
        since, count = self._said.get(key, (now - PERIOD, 0))
        if now - since < PERIOD:
            self._said[key] = (since, count + 1)
            return None
        if len(self._said) >= MOST:
            self._said.clear()
        self._said[key] = (now, 0)
        return count


def kind(record: logging.LogRecord) -> Hashable:
    """Return what records of the same trouble have in common: origin, text, exception and place."""
    error = record.exc_info[1] if record.exc_info else None
    trouble = (type(error).__qualname__, *_place(error.__traceback__)) if error else ()
    return record.name, record.pathname, record.lineno, str(record.msg), *trouble


def _place(trace: TracebackType | None) -> tuple[str, int]:
    """Return file and line in which an exception was raised."""
    frames = traceback.extract_tb(trace, limit=-1)
    return (frames[0].filename, frames[0].lineno or 0) if frames else ("", 0)
