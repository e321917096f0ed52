"""What every request of a signed-in user brings with it, and what one too many is answered."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.sessions import middleware as sessions
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import limits, views
from accounts.optional import optional_write

SAFE = ("GET", "HEAD", "OPTIONS")


class SessionMiddleware(sessions.SessionMiddleware):
    """Django's, but a page that is only read comes through when its session cannot be saved."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save the session if it has changed, and set its cookie."""
        if request.method not in SAFE:
            return super().process_response(request, response)
        with optional_write("a session"):
            super().process_response(request, response)
        return response


class ZoneMiddleware:
    """Shows times as the reader's clocks do; who is not signed in reads UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the reader's zone; without a session nobody is looked up."""
        zone = None
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            zone = request.user.zone
        with timezone.override(zone):
            return self.get_response(request)


class LimitMiddleware:
    """Answers what was done too often with the page for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page, which says when to try again; ``None`` for any other error."""
        if isinstance(exception, limits.TooMany):
            return views.too_many(request, wait=exception.wait)
        return None
