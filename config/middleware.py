"""Middleware for what Django has no setting for: ids, metrics, ports, HEAD, private pages."""

import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponsePermanentRedirect,
)
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.template.loader import render_to_string
from django.utils.http import escape_leading_slashes
from structlog.contextvars import bind_contextvars, bound_contextvars, get_contextvars

from config import metrics

log = logging.getLogger(__name__)

SAFE_METHODS = ("GET", "HEAD")
PAGE_METHODS = (*SAFE_METHODS, "POST")

PROGRAMS = "/api/"
"""Prefix of the API's URLs."""

LARGEST_BODY = 1024 * 1024
"""Maximum size of a request's body, in bytes."""

FAILED = 3011
"""Close code after a server error. Daphne can't send 1011, which RFC 6455 has for it."""


class RequestIdMiddleware:
    """Adds the request's id to the response, and counts the request.

    The server generates the id. Under another server, django-structlog's middleware does.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle a request, and add its id as a header."""
        begun = time.monotonic()
        if request_id := getattr(request, "scope", {}).get("request_id"):
            bind_contextvars(request_id=request_id)
        response = self.get_response(request)
        response.headers["X-Request-ID"] = get_contextvars()["request_id"]
        page = request.resolver_match.view_name if request.resolver_match else ""
        metrics.REQUESTS.labels(page, str(response.status_code)).inc()
        metrics.REQUEST_SECONDS.observe(time.monotonic() - begun)
        return response


class SocketIds:
    """Gives each socket an id for the log, and counts it.

    It closes a socket that fails; Daphne would log the failure without the id.

    :param application: the ASGI application of the sockets.
    """

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        request_id = scope.get("request_id") or str(uuid.uuid4())
        with bound_contextvars(request_id=request_id), metrics.SOCKETS.track_inprogress():
            try:
                await self.application(scope, receive, send)
            except Exception:
                log.exception("A socket failed.")
                await send({"type": "websocket.close", "code": FAILED})


class HostPortMiddleware:
    """Refuses a ``Host`` with another port than ``HOST_PORT``; Django checks only the name.

    A ``Host`` without a port passes, since many proxies leave it out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """:raises DisallowedHost: host or port isn't this site's."""
        host = request.get_host()
        port = split_domain_port(host)[1]
        if port and settings.HOST_PORT is not None and int(port) != settings.HOST_PORT:
            raise DisallowedHost(f"Invalid HTTP_HOST header: {host!r}. SITE_URL has another port.")
        return self.get_response(request)


class MethodMiddleware:
    """Refuses methods that no page supports; the API refuses them itself.

    Django's admin and some generic views would treat them as GET or POST.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in PAGE_METHODS or request.path.startswith(PROGRAMS):
            return self.get_response(request)
        return HttpResponseNotAllowed(PAGE_METHODS)


class BodySizeMiddleware:
    """Refuses bodies over 1 MB with a page; programs get a problem (games.api.errors).

    The proxy has a limit of its own, and also refuses bodies that don't say how long they are.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) <= LARGEST_BODY:
            return self.get_response(request)
        is_program = request.path.startswith(PROGRAMS)
        page = "" if is_program else render_to_string("413.html")
        response = HttpResponse(page, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        response.headers["Cache-Control"] = "no-store"
        return response


class SlashMiddleware(CommonMiddleware):
    """Redirects URLs without a final slash, as Django does, but keeps the method.

    After a 301 most programs repeat a POST as a GET.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        is_missing = response.status_code == HTTPStatus.NOT_FOUND
        is_unsafe = request.method not in SAFE_METHODS
        if not (is_missing and is_unsafe and self.should_redirect_with_slash(request)):
            return super().process_response(request, response)
        there = escape_leading_slashes(request.get_full_path(force_append_slash=True))
        return HttpResponsePermanentRedirect(there, preserve_request=True)


class HeadMiddleware:
    """Removes the body of responses to HEAD, but keeps its length.

    Daphne drops only the first chunk; the rest would corrupt the next response.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method == "HEAD" and not response.streaming:
            response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        return response


class PrivateMiddleware:
    """Keeps pages of signed-in users out of shared caches."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "Cache-Control" not in response.headers and request.user.is_authenticated:
            response.headers["Cache-Control"] = "private, no-cache"
        return response
