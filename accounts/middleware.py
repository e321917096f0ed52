"""What every request of a signed-in user brings with it, and what one too many is answered."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import limits, views


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
