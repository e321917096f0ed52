"""Stores the site's errors, merged by kind, from a thread that no request waits for.

Django configures logging before it loads models, so this module imports them when it writes.
"""

import hashlib
import logging
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.apps import apps
from django.db import close_old_connections, connection, transaction
from django.db.models import F

from config import logs
from config.background import Background
from config.redaction import strike_out

MAX_SUMMARY_LENGTH = 200
MAX_DETAILS_LENGTH = 10_000
MAX_ROWS = 500
"""How many kinds of errors are stored. Those that occurred longest ago are deleted first."""


@dataclass(frozen=True)
class CountedError:
    summary: str
    details: str
    first: datetime
    last: datetime
    count: int = 1


class ReportHandler(logging.Handler):
    """Logging handler that stores errors for the admins without blocking."""

    def emit(self, record: logging.LogRecord) -> None:
        """Store an error. Failures are ignored, since the log has the error too.

        Requests that Django refuses are no errors of the site, and anybody can send them.
        """
        if record.name.startswith(logs.SUSPICIOUS):
            return
        try:
            waiting.put({_fingerprint(record): _seen(record)})
        except Exception:  # noqa: BLE001  # as every handler does
            self.handleError(record)


def _fingerprint(record: logging.LogRecord) -> str:
    return hashlib.sha256(repr(logs.kind(record)).encode()).hexdigest()


def _seen(record: logging.LogRecord) -> CountedError:
    """Return an error without the request's data, which may be secret."""
    summary = record.getMessage()
    details = ""
    if record.exc_info and record.exc_info[1] is not None:
        summary = f"{type(record.exc_info[1]).__name__}: {summary}"
        details = "".join(traceback.format_exception(record.exc_info[1]))
    request = getattr(record, "request", None)
    summary, details = (_storable(strike_out(text, request)) for text in (summary, details))
    moment = datetime.fromtimestamp(record.created, UTC)
    return CountedError(summary[:MAX_SUMMARY_LENGTH], details[-MAX_DETAILS_LENGTH:], moment, moment)


def _storable(text: str) -> str:
    """Return the text without characters that a database refuses, which would block all others."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def _together(older: CountedError, newer: CountedError) -> CountedError:
    return replace(older, last=max(older.last, newer.last), count=older.count + newer.count)


def _store(errors: Mapping[str, CountedError]) -> None:
    """Write errors over a connection of this thread, and close it."""
    close_old_connections()
    try:
        write(errors)
    finally:
        connection.close()


waiting: Background[str, CountedError] = Background("errors", _store, _together)


def write(errors: Mapping[str, CountedError]) -> None:
    """Add errors, by fingerprint, to the counts in the database."""
    reports = apps.get_model("accounts", "ErrorReport")._default_manager
    with transaction.atomic():
        for fingerprint, seen in sorted(errors.items()):
            _add(fingerprint, seen)
        newest = reports.order_by("-last_seen", "-pk").values_list("pk", flat=True)
        if surplus := list(newest[MAX_ROWS:]):
            reports.filter(pk__in=surplus).delete()


def _add(fingerprint: str, seen: CountedError) -> None:
    about = {
        "summary": seen.summary,
        "details": seen.details,
        "first_seen": seen.first,
        "last_seen": seen.last,
    }
    reports = apps.get_model("accounts", "ErrorReport")._default_manager
    row, _ = reports.get_or_create(fingerprint=fingerprint, defaults=about)
    reports.filter(pk=row.pk).update(count=F("count") + seen.count, last_seen=seen.last)
