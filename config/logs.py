"""Formats of the log, as text or JSON, and a filter against repetition."""

import json
import logging
import os
import threading
import time
import traceback
from collections.abc import Callable, Hashable
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

import structlog
from django.http import HttpRequest
from psycopg_pool import PoolTimeout
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from structlog.typing import EventDict, WrappedLogger

from config.redaction import safe_text, strike_out

REPEAT_PERIOD = 60.0
"""Seconds in which a repeated record is written once."""

MAX_REMEMBERED = 1000
"""How many different records the filter remembers."""

STDERR = 2

AWAY = (ConnectionError, RedisConnectionError, RedisTimeoutError, PoolTimeout)
"""Errors that mean that a server is down or no connection was free."""


class TextFormatter(logging.Formatter):
    """Formats a record as one line, with the traceback below.

    Errors of servers that are down are only named, without a traceback: no line of code is to
    blame. Error messages often repeat their input, so what a request sent is removed from the
    traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        if not record.exc_info or record.exc_info[1] is None:
            return super().format(record)
        written = logging.makeLogRecord(record.__dict__)
        written.exc_info = written.exc_text = None
        written.exc_text = trace_of(record.exc_info, getattr(record, "request", None))
        if not written.exc_text:
            written.msg = _named(record.getMessage(), record.exc_info)
            written.args = None
        return super().format(written)


SUSPICIOUS = "django.security."
"""Prefix of the loggers that Django uses for suspicious requests."""

CONTEXT = ("request_id", "task_id", "parent_task_id")
"""Context variables that are logged: the request or socket, and the task."""


class JsonFormatter(structlog.stdlib.ProcessorFormatter):
    """Formats a record as a JSON object in one line.

    It has ``timestamp``, ``level``, ``logger`` and ``event``; ``exception`` for errors;
    ``request_id`` during requests, in tasks they start, and on sockets; ``task_id`` in tasks.
    Nothing else.
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
    """Return the parts of an event that may be logged."""
    record: logging.LogRecord = event["_record"]
    fields: dict[str, Any] = {name: event[name] for name in ("timestamp", "level", "logger")}
    fields |= {name: event[name] for name in CONTEXT if name in event}
    failed = event.get("exc_info")
    trace = trace_of(failed, getattr(record, "request", None))
    text = str(event["event"]) if trace or not failed else _named(event["event"], failed)
    fields["event"] = safe_text(text) + getattr(record, "more", "")
    return fields | {"exception": trace} if trace else fields


def trace_of(failed: Any, request: HttpRequest | None) -> str:
    """Return a traceback without what the request sent. Empty if a server is down.

    :param failed: the result of ``sys.exc_info``. ``None`` without an exception.
    """
    if not failed or failed[1] is None or lost_connection(failed[1]):
        return ""
    return strike_out(logging.Formatter().formatException(failed), request)


def _named(text: str, failed: Any) -> str:
    """Return the first line of a text, with the class of the error of a server that is down."""
    away = lost_connection(failed[1])
    return text.partition("\n")[0] + (f" ({type(away).__name__})" if away else "")


def say(text: str, *_: Any) -> None:
    """Write a line of JSON from a signal handler, where a logger might wait for its lock.

    It takes Celery's arguments: the text and a stream.
    """
    moment = datetime.now(UTC).isoformat()
    line = {"timestamp": moment, "level": "info", "logger": "celery", "event": text}
    os.write(STDERR, json.dumps(line).encode() + b"\n")


def carry_request_ids() -> None:
    """Configure structlog for Python's loggers; django-structlog passes request ids on."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def lost_connection(error: BaseException | None) -> BaseException | None:
    """Return the error that means that a server is down: this one, or one it was raised from.

    An error that merely occurred while handling such an error doesn't count.
    """
    while error is not None and not isinstance(error, AWAY):
        error = error.__cause__
    return error


class RepeatFilter(logging.Filter):
    """Lets a warning or error through once a minute, with the number left out as ``more``.

    Two records are the same if call and exception are the same.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._said: dict[Hashable, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        record.more = ""
        if record.levelno < logging.WARNING:
            return True
        with self._lock:
            left_out = self._left_out(kind(record))
        if left_out:
            record.more = f" ({left_out} more like this since the last line)"
        return left_out is not None

    def _left_out(self, key: Hashable) -> int | None:
        """Return how many records were left out before this one. ``None`` to leave it out too."""
        now = self._clock()
        since, count = self._said.get(key, (now - REPEAT_PERIOD, 0))
        if now - since < REPEAT_PERIOD:
            self._said[key] = (since, count + 1)
            return None
        if len(self._said) >= MAX_REMEMBERED:
            self._said.clear()
        self._said[key] = (now, 0)
        return count


def kind(record: logging.LogRecord) -> Hashable:
    """Return a key for records of the same problem: logger, text, exception and place.

    Django logs each class of suspicious request under its own logger, with text that the client
    chooses, so only the logger counts there.
    """
    if record.name.startswith(SUSPICIOUS):
        return record.name
    error = record.exc_info[1] if record.exc_info else None
    trouble = (type(error).__qualname__, *_place(error.__traceback__)) if error else ()
    return record.name, record.pathname, record.lineno, str(record.msg), *trouble


def _place(trace: TracebackType | None) -> tuple[str, int]:
    """Return file and line where an exception was raised."""
    frames = traceback.extract_tb(trace, limit=-1)
    return (frames[0].filename, frames[0].lineno or 0) if frames else ("", 0)
