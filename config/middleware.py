"""What Django has no setting for: HEAD, ports, private pages, ids and counts of requests."""

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
from django.utils.http import escape_leading_slashes
from structlog.contextvars import bind_contextvars, bound_contextvars, get_contextvars

from config import metrics

log = logging.getLogger(__name__)

SAFE_METHODS = ("GET", "HEAD")
PAGE_METHODS = (*SAFE_METHODS, "POST")

PROGRAMS = "/api/"
"""How the addresses of the API begin."""

FAILED = 1011
"""The close code of a server that has failed (RFC 6455)."""


class RequestIdMiddleware:
    """Tells the id under which the log has a request, and counts the request.

    The server has made the id; where another one serves, django-structlog's middleware, above this.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, with the id in a header."""
        begun = time.monotonic()
        if given := getattr(request, "scope", {}).get("request_id"):
            bind_contextvars(request_id=given)
        response = self.get_response(request)
        response.headers["X-Request-ID"] = get_contextvars()["request_id"]
        page = request.resolver_match.view_name if request.resolver_match else ""
        metrics.REQUESTS.labels(page, str(response.status_code)).inc()
        metrics.REQUEST_SECONDS.observe(time.monotonic() - begun)
        return response


class SocketIds:
    """Gives each socket an id, under which the log has what happens on it, and counts the socket.

    One that fails is closed; Daphne would log that without the id.

    :param application: the ASGI application of the sockets.
    """

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Serve a socket to its end."""
        request_id = scope.get("request_id") or str(uuid.uuid4())
        with bound_contextvars(request_id=request_id), metrics.SOCKETS.track_inprogress():
            try:
                await self.application(scope, receive, send)
            except Exception:
                log.exception("A socket failed.")
                await send({"type": "websocket.close", "code": FAILED})


class HostPortMiddleware:
    """Refuses a ``Host`` that names another port than ``HOST_PORT``; Django checks the name alone.

    A ``Host`` without a port passes, as many proxies leave it out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or refuse.

        :raises DisallowedHost: the host or its port is not this site's.
        """
        host = request.get_host()
        port = split_domain_port(host)[1]
        if port and settings.HOST_PORT is not None and int(port) != settings.HOST_PORT:
            raise DisallowedHost(f"Invalid HTTP_HOST header: {host!r}. SITE_URL has another port.")
        return self.get_response(request)


class MethodMiddleware:
    """Refuses methods that no page knows; the API refuses its own in the way of programs.

    Django's admin and some generic views would take them for GET or POST.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or refuse."""
        if request.method in PAGE_METHODS or request.path.startswith(PROGRAMS):
            return self.get_response(request)
        return HttpResponseNotAllowed(PAGE_METHODS)


class SlashMiddleware(CommonMiddleware):
    """Redirects addresses without the slash at their end, as Django does, but keeps the method.

    After a 301, most programs repeat a POST as a GET.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Redirect a request for an address that exists with a slash."""
        is_missing = response.status_code == HTTPStatus.NOT_FOUND
        is_unsafe = request.method not in SAFE_METHODS
        if not (is_missing and is_unsafe and self.should_redirect_with_slash(request)):
            return super().process_response(request, response)
        there = escape_leading_slashes(request.get_full_path(force_append_slash=True))
        return HttpResponsePermanentRedirect(there, preserve_request=True)


class HeadMiddleware:
    """Leaves the body out of an answer to HEAD, but says how long it would be.

    Daphne drops the first piece of such a body only; the rest would run into the next answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, without the body."""
        response = self.get_response(request)
        if request.method == "HEAD" and not response.streaming:
            response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        return response


class PrivateMiddleware:
    """Keeps the pages of somebody who is signed in out of shared caches, and asked for anew."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and say whose the answer is where the view has not said so."""
        response = self.get_response(request)
        if "Cache-Control" not in response.headers and request.user.is_authenticated:
            response.headers["Cache-Control"] = "private, no-cache"
        return response
