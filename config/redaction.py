"""Removes from logs and error mails what could sign somebody in or reveal a hidden card."""

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest
from django.http.request import RawPostDataException
from django.utils.safestring import SafeString, mark_safe
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter

HIDDEN = "…"

MAX_SEGMENT_LENGTH = 20
"""Longer path segments are hidden, unless they consist of words, as slugs do."""

MAX_PATH_LENGTH = 500

_words = re.compile(r"[a-z]+(-[a-z]+)*")
_address = re.compile(r"(?<![^\s\"'<>(=;])(?:https?:/)?/[^\s\"'<>]*")
_credentials = re.compile(r"(?<=://)[^\s/@]*@")

SHOWN_SETTINGS = {"INSTALLED_APPS", "MIDDLEWARE", "SETTINGS_MODULE"}
SHOWN_META = {
    *("CONTENT_LENGTH", "CONTENT_TYPE", "HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE", "HTTP_HOST"),
    *("HTTP_USER_AGENT", "REMOTE_ADDR", "REQUEST_METHOD", "SERVER_NAME"),
    *("SERVER_PORT",),
}


def safe_path(path: str) -> str:
    """Return a URL without its query string and without tokens in its path.

    Tokens are recognised by their form, so that those of future URLs are hidden too.
    """
    path, _, _ = path.partition("?")
    path = "".join(sign if sign.isprintable() else HIDDEN for sign in path[:MAX_PATH_LENGTH])
    if path.startswith(settings.STATIC_URL):
        return path
    return "/".join(HIDDEN if _is_token(segment) else segment for segment in path.split("/"))


def safe_text(text: str) -> str:
    return _address.sub(lambda url: safe_path(url[0]), text)


def _is_token(segment: str) -> bool:
    return len(segment) > MAX_SEGMENT_LENGTH and not _words.fullmatch(segment)


class SafeAddressFilter(logging.Filter):
    """Makes the URLs in Django's log records safe."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                safe_text(arg) if isinstance(arg, str) else arg for arg in record.args
            )
        return True


class SafeFilter(SafeExceptionReporterFilter):
    """Shows only harmless parts of requests and settings."""

    def get_safe_settings(self) -> dict[str, Any]:
        """Only the few settings that describe the site's setup."""
        values = {name: getattr(settings, name, None) for name in sorted(SHOWN_SETTINGS)}
        return {name: value for name, value in values.items() if value is not None}

    def get_safe_request_meta(self, request: HttpRequest | None) -> dict[str, Any]:
        """Only headers and variables that say nothing about the person."""
        meta = getattr(request, "META", {})
        return {name: value for name, value in meta.items() if name in SHOWN_META}

    def get_safe_cookies(self, request: HttpRequest | None) -> dict[str, Any]:
        """Only the names."""
        return dict.fromkeys(getattr(request, "COOKIES", {}), HIDDEN)

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        """Only the names."""
        return {} if request is None else dict.fromkeys(request.POST, HIDDEN)

    def get_traceback_frame_variables(self, request: Any, tb_frame: Any) -> Any:
        """Only the names."""
        return [(name, HIDDEN) for name in tb_frame.f_locals]


class SafeReporter(ExceptionReporter):
    """Reports errors without what people sent, even in error messages."""

    def get_traceback_data(self) -> dict[str, Any]:
        data = super().get_traceback_data()
        if self.filter.is_active(self.request) and self.request is not None:
            data["request_GET_items"] = [(name, HIDDEN) for name in self.request.GET]
            data["request_FILES_items"] = [(name, HIDDEN) for name in self.request.FILES]
            data["request_insecure_uri"] = safe_path(self.request.path)
        return data

    def get_traceback_text(self) -> SafeString:
        return mark_safe(self._safe(super().get_traceback_text()))  # noqa: S308 - is a whole page

    def get_traceback_html(self) -> SafeString:
        return mark_safe(self._safe(super().get_traceback_html()))  # noqa: S308 - is a whole page

    def _safe(self, report: str) -> str:
        return strike_out(report, self.request) if self.filter.is_active(self.request) else report


def strike_out(report: str, request: HttpRequest | None) -> str:
    """Remove passwords in URLs and what the request sent from an error report.

    :param request: the failed request. ``None`` for an error outside of one.
    """
    report = _credentials.sub(f"{HIDDEN}@", report)
    if request is None:
        return report
    sent = {text for text in _sent(request) if len(text) > 1 and text in report}
    for text in sorted(sent, key=len, reverse=True):
        report = re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", HIDDEN, report)
    return report


def _sent(request: HttpRequest) -> Iterator[str]:
    """Yield the secrets in a request."""
    for name in ("GET", "POST"):
        yield from _values(request, name)
    yield from request.COOKIES.values()
    yield from (segment for segment in request.path.split("/") if _is_token(segment))
    yield from _texts(_json(request))


def _values(request: HttpRequest, name: str) -> list[str]:
    """Return the values in ``GET`` or ``POST``. Empty if they can't be read."""
    try:
        return [str(value) for _, values in getattr(request, name).lists() for value in values]
    except (SuspiciousOperation, OSError, ValueError):
        return []


def _json(request: HttpRequest) -> Any:
    """Return the body as JSON. ``None`` if it isn't JSON or was read as a stream."""
    try:
        return json.loads(request.body)
    except (ValueError, RecursionError, RawPostDataException, SuspiciousOperation, OSError):
        return None


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
