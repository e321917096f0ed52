"""What every request of a signed-in user brings with it."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone


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
