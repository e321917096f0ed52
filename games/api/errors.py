"""Errors as problem details (RFC 9457), with the stable ``code`` of their kind."""

import inspect
import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.limits import TooMany
from games.api.permissions import InsufficientScope, Restricted
from games.http.echo import shorten_echo
from games.http.errors import status_of_kind
from games.kernel.errors import GameError

MEDIA_TYPE = "application/problem+json"

PROGRAMS = "/api/v1/"
"""Prefix of the API's URLs."""


class ErrorKind(NamedTuple):
    """A kind of problem: its code, its status, and one sentence of description."""

    code: str
    status: int
    title: str


OWN = (
    exceptions.ValidationError,
    exceptions.ParseError,
    exceptions.NotAuthenticated,
    exceptions.AuthenticationFailed,
    exceptions.PermissionDenied,
    InsufficientScope,
    Restricted,
    exceptions.NotFound,
    exceptions.MethodNotAllowed,
    exceptions.NotAcceptable,
    exceptions.UnsupportedMediaType,
    exceptions.Throttled,
)
"""The problems of malformed or refused requests."""

OUTSIDE = {
    HTTPStatus.BAD_REQUEST: ("bad_request", gettext_lazy("The request is malformed.")),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (
        "too_large",
        gettext_lazy("A body may have 1 MB at most."),
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "failed",
        gettext_lazy("The site failed. Operators have been notified."),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "unavailable",
        gettext_lazy("The site is too busy. Try again."),
    ),
}
"""Problems that arise outside the views: the code and the detail of each status."""

PAGES = ("api-docs", "api-guides", "api-guide")
"""URL names of pages below the API's prefix, whose errors are pages."""

TITLES = {
    "invalid": "A field of the request is missing or wrong",
    "parse_error": "The body of the request isn’t JSON",
}
"""The titles of problems that differ from the phrase of their status."""


def kinds() -> list[ErrorKind]:
    """Return every kind of problem, those of requests first."""
    own = [_own_kind(error.default_code, error.status_code) for error in OWN]
    outside = [_own_kind(code, status) for status, (code, _) in OUTSIDE.items()]
    by_code = {kind.code: kind for kind in (*map(_kind_of, family(GameError)), *own, *outside)}
    return sorted(by_code.values(), key=lambda kind: (kind.status, kind.code))


def family(parent: type[GameError]) -> Iterator[type[GameError]]:
    """Yield the subclasses of an error that have a code of their own."""
    for child in parent.__subclasses__():
        if "code" in vars(child):
            yield child
        yield from family(child)


def _kind_of(error: type[GameError]) -> ErrorKind:
    title = inspect.cleandoc(error.__doc__ or "").partition("\n")[0].rstrip(".")
    return ErrorKind(error.code, int(status_of_kind(error)), title)


def _own_kind(code: str, status: int) -> ErrorKind:
    return ErrorKind(code, status, TITLES.get(code, HTTPStatus(status).phrase))


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to an error. ``None`` for an unexpected one, which Django reports."""
    if isinstance(error, GameError):
        kind = _kind_of(type(error))
        return _problem(kind, shorten_echo(str(error)))
    if isinstance(error, TooMany):
        error = exceptions.Throttled(error.wait)
    response = exception_handler(error, context)
    if response is None:
        return None
    kind = _own_kind(_code_of(error, response.status_code), response.status_code)
    if isinstance(error, exceptions.ValidationError):
        detail = gettext("See “errors” for what is wrong.")
        more = {"errors": _by_field(error.detail)}
    else:
        detail = shorten_echo(str(response.data["detail"]))
        more = {}
    return _problem(kind, detail, response.headers, **more)


class ProblemMiddleware:
    """Turns errors outside the API's views into problems, such as those of a busy site."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_error = response.status_code >= HTTPStatus.BAD_REQUEST
        if is_error and request.path.startswith(PROGRAMS) and not _is_page(request):
            _become_problem(response)
        return response


def _is_page(request: HttpRequest) -> bool:
    return request.resolver_match is not None and request.resolver_match.url_name in PAGES


def _become_problem(response: HttpResponse) -> None:
    if response.headers.get("Content-Type") == MEDIA_TYPE:
        return
    status = HTTPStatus(response.status_code)
    code, detail = OUTSIDE.get(status, (status.name.lower(), status.description))
    response.content = json.dumps(_problem(_own_kind(code, status), str(detail)).data)
    response.headers["Content-Type"] = MEDIA_TYPE


def _code_of(error: Exception, status: int) -> str:
    """Return the code of an error of REST framework, or of Django’s by its status."""
    missing = status == HTTPStatus.NOT_FOUND
    own = exceptions.NotFound if missing else exceptions.PermissionDenied
    return str(getattr(error, "default_code", own.default_code))


def _by_field(detail: Any, path: str = "") -> dict[str, list[str]]:
    """Return the messages by the path of their field, such as ``clock.start`` or ``moves.0``."""
    if isinstance(detail, dict):
        before = f"{path}." if path else ""
        parts = [_by_field(errors, f"{before}{name}") for name, errors in detail.items()]
        return {name: messages for part in parts for name, messages in part.items()}
    messages = detail if isinstance(detail, list) else [detail]
    return {path or "body": [str(one) for one in messages]}


def _problem(kind: ErrorKind, detail: str, headers: Any = None, **more: Any) -> Response:
    body = {
        "type": f"{reverse('api-docs')}#{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": kind.code,
        **more,
    }
    kept = {k: v for k, v in (headers or {}).items() if k in ("WWW-Authenticate", "Retry-After")}
    return Response(body, kind.status, headers=kept, content_type=MEDIA_TYPE)
