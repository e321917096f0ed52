"""What the site says about itself: help, terms, files for browsers and search engines."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from django.views.generic import TemplateView

from accounts import deletion, devices, error_reports, guests, signup
from accounts.security import events, sessions
from config import catalogues, translation_progress
from games.kernel import registry
from games.lobby import services as lobby
from games.matches import listing
from games.matches.models import Match

PAGES = (
    "home",
    "activity",
    "games",
    "play-now",
    "lobby",
    "events",
    "archive",
    "dice",
    "help",
    "help-languages",
    "contact",
    "privacy",
    "terms",
    "api-docs",
)
GAME_PAGES = ("game", "game-rules", "game-statistics", "game-ratings")

MAX_MATCHES = 1000
"""Maximum number of matches. Search engines find older ones through the archive."""


class _OfSite(Sitemap[Any]):
    """A part of the sitemap, with the host of ``SITE_URL``, whatever host was requested."""

    def get_protocol(self, protocol: str | None = None) -> str:
        return urlsplit(settings.SITE_URL).scheme

    def get_domain(self, site: Any = None) -> str:
        return urlsplit(settings.SITE_URL).netloc


class _Pages(_OfSite):
    def items(self) -> Sequence[str]:
        of_games = [(name, slug) for slug in registry.titles() for name in GAME_PAGES]
        return [
            *(reverse(name) for name in PAGES),
            *(reverse(name, args=[slug]) for name, slug in of_games),
        ]

    def location(self, item: str) -> str:
        return item


class _Matches(_OfSite):
    def items(self) -> Sequence[Match]:
        over = listing.archive().filter(status=Match.Status.OVER)
        return list(over.order_by("-ended", "-pk").only("ended")[:MAX_MATCHES])

    def lastmod(self, item: Match) -> datetime | None:
        return item.ended


SITEMAPS: Mapping[str, type[Sitemap[Any]]] = {"pages": _Pages, "matches": _Matches}


VALID = timedelta(days=180)
"""How long the contact for security reports is valid. RFC 9116 asks for less than a year."""

ICON_SIZES = (192, 512)
THEME_COLOUR = "#1b1a18"

PRIVATE_PATHS = ("/account/", "/admin/", "/api/", "/challenges/", "/desk/", "/home/", "/report/")
"""Paths that robots shouldn't visit."""


class AboutPage(TemplateView):
    """A page of text: ``help``, ``contact``, ``privacy`` or ``terms``."""

    page = ""

    def get_template_names(self) -> list[str]:
        return [f"about/{self.page}.html"]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            contact=settings.CONTACT_EMAIL,
            operator=settings.OPERATOR,
            takes_replies=bool(settings.REPLY_DOMAIN),
            session_days=settings.SESSION_COOKIE_AGE // 86_400,
            longest_session_days=sessions.MAX_LIFETIME.days,
            deletion_days=deletion.CANCELLATION_PERIOD.days,
            event_days=events.EVENT_LIFETIME.days,
            device_days=devices.DEVICE_LIFETIME.days,
            error_days=error_reports.REPORT_LIFETIME.days,
            guest_days=guests.GUEST_LIFETIME.days,
            unfinished_days=signup.UNCONFIRMED_LIFETIME.days,
            challenge_days=lobby.MAX_CHALLENGE_LIFETIME.days,
            **kwargs,
        )


class LanguagesPage(TemplateView):
    """Shows how complete the translations are."""

    template_name = "about/languages.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            offered=dict(settings.LANGUAGES),
            progress=translations(),
            least=translation_progress.LEAST,
            **kwargs,
        )


@cache
def translations() -> list[translation_progress.Progress]:
    """Return how complete each language is. Files are read once per process."""
    return translation_progress.progress(catalogues.FOLDER, registry.locale_folders())


@require_safe
def favicon(_: HttpRequest) -> HttpResponse:
    """Redirect browsers that look for the icon at the root."""
    return HttpResponseRedirect(static("icons/favicon.ico"))


@require_safe
def manifest(_: HttpRequest) -> HttpResponse:
    """Return the manifest of the site as an application (W3C Web Application Manifest)."""
    icons = [
        {"src": static(f"icons/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in ICON_SIZES
    ]
    icons.append(
        {
            "src": static("icons/icon-maskable-512.png"),
            "sizes": "512x512",
            "type": "image/png",
            "purpose": "maskable",
        }
    )
    about = {
        "id": reverse("my-matches"),  # what browsers took as the id before there was one
        "name": "Turnstone",
        "short_name": "Turnstone",
        "description": gettext("Board games a move at a time."),
        "start_url": reverse("my-matches"),
        "scope": "/",
        "display": "minimal-ui",
        "theme_color": THEME_COLOUR,
        "background_color": "#ffffff",
        "icons": icons,
    }
    return JsonResponse(about, content_type="application/manifest+json")


@require_safe
def robots(_: HttpRequest) -> HttpResponse:
    """Return the rules for robots (RFC 9309)."""
    sitemap = f"{settings.SITE_URL}{reverse('sitemap')}"
    forbidden = (f"Disallow: {path}" for path in PRIVATE_PATHS)
    return _text(("User-agent: *", *forbidden, f"Sitemap: {sitemap}"))


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Return the contact for security reports (RFC 9116)."""
    here = f"{settings.SITE_URL}{request.path}"
    expires = timezone.now() + VALID
    return _text(
        (
            f"Contact: mailto:{settings.CONTACT_EMAIL}",
            f"Expires: {expires:%Y-%m-%dT00:00:00Z}",
            "Preferred-Languages: en",
            f"Canonical: {here}",
        )
    )


def _text(lines: tuple[str, ...]) -> HttpResponse:
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
