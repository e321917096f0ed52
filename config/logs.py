"""What is written to the log, and how: lines to read or to be searched, none of them too often."""

import logging
import threading
import time
import traceback
from collections.abc import Callable, Hashable
from types import TracebackType
from typing import Any

import structlog
from django.http import HttpRequest
from psycopg_pool import PoolTimeout
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from structlog.typing import EventDict, WrappedLogger

from config.redaction import safe_text, strike_out

PERIOD = 60.0
"""Seconds in which the same thing is said once."""

MOST = 1000
"""Different things that are remembered."""

AWAY = (ConnectionError, RedisConnectionError, RedisTimeoutError, PoolTimeout)
"""Errors that tell that a server could not be reached, or no connection was free."""


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
        written.exc_text = trace_of(record.exc_info, getattr(record, "request", None))
        if not written.exc_text:
            written.msg, written.args = first_line(record.getMessage()), None
        return super().format(written)


SUSPICIOUS = "django.security."
"""How the names of the loggers begin to which Django tells of suspicious requests."""

CONTEXT = ("request_id", "task_id", "parent_task_id")
"""What is told of where an event belongs to: a request or a socket, and a task."""


class JsonLine(structlog.stdlib.ProcessorFormatter):
    """Writes an event as a JSON object in one line, for programs that search logs.

    It has ``timestamp``, ``level``, ``logger`` and ``event``; ``exception`` where something failed;
    ``request_id`` in the course of a request, also in tasks that it has started, and on a socket;
    ``task_id`` in a task. Nothing else is taken from anywhere.
    """

    def __init__(self) -> None:
        super().__init__(
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
            ],
            processors=[_only_what_is_meant, structlog.processors.JSONRenderer()],
        )


def _only_what_is_meant(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Return of an event what may be told."""
    record: logging.LogRecord = event["_record"]
    told: dict[str, Any] = {name: event[name] for name in ("timestamp", "level", "logger")}
    told |= {name: event[name] for name in CONTEXT if name in event}
    failed = event.get("exc_info")
    trace = trace_of(failed, getattr(record, "request", None))
    text = str(event["event"]) if trace or not failed else first_line(event["event"])
    told["event"] = safe_text(text) + getattr(record, "more", "")
    return told | {"exception": trace} if trace else told


def trace_of(failed: Any, request: HttpRequest | None) -> str:
    """Return where it went wrong, without what was sent; empty for a server that is away.

    :param failed: what ``sys.exc_info`` says of an exception; ``None`` if there was none.
    """
    if not failed or failed[1] is None or is_lost_connection(failed[1]):
        return ""
    return strike_out(logging.Formatter().formatException(failed), request)


def first_line(text: str) -> str:
    """Return a text without what follows in other lines."""
    return text.partition("\n")[0]


def carry_request_ids() -> None:
    """Have structlog write to Python's loggers: django-structlog hands request ids on by it."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def is_lost_connection(error: BaseException | None) -> bool:
    """Whether an error is, or was raised from, that Redis or another server was away.

    One that only happened while such an error was handled is a fault of its own.
    """
    while error is not None:
        if isinstance(error, AWAY):
            return True
        error = error.__cause__
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
    """Return what records of the same trouble have in common: origin, text, exception and place.

    Django logs each class of suspicious request under a name of its own, with a text that the
    visitor chooses, so there only the name counts.
    """
    if record.name.startswith(SUSPICIOUS):
        return record.name
    error = record.exc_info[1] if record.exc_info else None
    trouble = (type(error).__qualname__, *_place(error.__traceback__)) if error else ()
    return record.name, record.pathname, record.lineno, str(record.msg), *trouble


def _place(trace: TracebackType | None) -> tuple[str, int]:
    """Return file and line in which an exception was raised."""
    frames = traceback.extract_tb(trace, limit=-1)
    return (frames[0].filename, frames[0].lineno or 0) if frames else ("", 0)
