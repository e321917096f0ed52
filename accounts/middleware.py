"""Middleware for accounts: sessions, readers' zones and languages, guests, and rate limits."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.sessions import middleware as sessions
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts import guests, limits, site_languages, views
from accounts.optional import optional_write

SAFE = ("GET", "HEAD", "OPTIONS")

ACCOUNT = "/account/"
"""Prefix of the URLs of accounts."""

ENTRANCES = frozenset(
    {
        *("account_signup", "account_login", "account_confirm_email"),
        *("mfa_authenticate", "mfa_login_webauthn"),
    }
)
"""URL names of pages that sign in or up, where a guest counts as a visitor."""

OPEN_TO_GUESTS = frozenset(
    {
        *("account_logout", "account_inactive", "account_email_verification_sent"),
        *("account_reset_password", "account_reset_password_done"),
        *("account_reset_password_from_key", "account_reset_password_from_key_done"),
        *("notifications", "notifications-seen", "preferences", "account", "unsubscribe"),
        *("address-change", "standing", "standing-read", "standing-appeal"),
        *("feed-events", "feed-deadlines", "language"),
    }
)
"""URL names of account pages that guests may use; others need an account."""


class SessionMiddleware(sessions.SessionMiddleware):
    """Django's, except that pages load even if the session can't be saved."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if request.method not in SAFE:
            return super().process_response(request, response)
        with optional_write("a session"):
            super().process_response(request, response)
        return response


class ReaderMiddleware:
    """Activates the reader's time zone and language; visitors read UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle a request for its reader. Without a session cookie it costs no query."""
        zone = None
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            zone = request.user.zone
        with timezone.override(zone):
            if not site_languages.has_choice():
                return self.get_response(request)
            language = site_languages.of_request(request)
            with translation.override(language):
                response = self.get_response(request)
        # A response that sets its own Content-Language is the same for all readers.
        if "Content-Language" not in response.headers:
            response.headers["Content-Language"] = language
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response


class GuestMiddleware:
    """Keeps guests alive, and redirects them to sign-up from pages that need an account."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle a request. Without a session cookie it costs no query."""
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            with optional_write("that a guest was seen"):
                guests.touch(request, now=timezone.now())
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Return a redirect to sign-up; ``None`` if the page is open to the sender."""
        if not request.path.startswith(ACCOUNT) or guests.guest_of(request) is None:
            return None
        page = request.resolver_match.url_name if request.resolver_match else None
        if page in ENTRANCES:
            guests.hide(request)
        elif page not in OPEN_TO_GUESTS:
            return redirect("account_signup")
        return None


class LimitMiddleware:
    """Counts the processor time of measured actions, and renders the page for exceeded limits."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        limits.end_measuring(request)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page that says when to try again; ``None`` for other errors."""
        if isinstance(exception, limits.TooMany):
            return views.too_many(request, wait=exception.wait)
        return None
