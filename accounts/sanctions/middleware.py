"""Redirects suspended, banned or warned users to the page that says why."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from accounts.optional import optional_write
from accounts.sanctions import standing

OPEN = (
    *("/account/standing/", "/account/logout/", "/account/data/", "/account/reauthenticate/"),
    "/language/",  # what the scripts of these pages say
)
"""Prefixes of pages that stay open to everybody."""

PROGRAMS = "/api/"
"""Prefix of the API, which answers suspended users with an error of its own."""

ALWAYS_OPEN_PAGES = ("/privacy/", "/terms/", "/contact/", "/help/", "/help/languages/")


class StandingMiddleware:
    """Redirects users to their standing; users without restrictions cost no query."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and _is_kept_out(request):
            return HttpResponseRedirect(reverse("standing"))
        return self.get_response(request)


def _is_kept_out(request: HttpRequest) -> bool:
    user = request.user
    if not user.is_authenticated or not user.is_restricted:
        return False
    if request.path.startswith((*OPEN, PROGRAMS)) or request.path in ALWAYS_OPEN_PAGES:
        return False
    now = timezone.now()
    if standing.stops(user, now):
        return True
    if not standing.active(user, now):
        with optional_write("that nothing is imposed any more"):
            standing.settle(user, now=now)
    return False
