"""What the site says about itself: pages of text, and files that browsers and robots ask for."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from django.views.generic import TemplateView

from accounts import deletion, devices, error_reports, guests, signup
from accounts.security import events, sessions
from games.lobby import services as lobby

VALID = timedelta(days=180)
"""How long what ``security.txt`` says holds; RFC 9116 asks for less than a year."""

ICON_SIZES = (192, 512)
THEME_COLOUR = "#1b1a18"

PRIVATE_PATHS = ("/account/", "/admin/", "/api/", "/challenges/", "/desk/", "/home/", "/report/")
"""What robots are asked to leave alone."""


class AboutPage(TemplateView):
    """A page of text: ``help``, ``contact``, ``privacy`` or ``terms``."""

    page = ""

    def get_template_names(self) -> list[str]:
        """Return the template of the page."""
        return [f"about/{self.page}.html"]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the contact address and the storage periods."""
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


@require_safe
def favicon(_: HttpRequest) -> HttpResponse:
    """Where browsers find the icon that look for it at the root."""
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
        "description": "Board games a move at a time.",
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
    """Return what robots may visit (RFC 9309)."""
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
