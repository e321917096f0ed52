"""The sitemap: the pages of the site and of its games, and the matches that ended last."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.urls import reverse

from games.kernel import registry
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
    "contact",
    "privacy",
    "terms",
    "api-docs",
)
GAME_PAGES = ("game", "game-rules", "game-statistics", "game-ratings")

MAX_MATCHES = 1000
"""The most matches; search engines find older ones through the archive."""


class _OfSite(Sitemap[Any]):
    """A part of the sitemap, with the host of ``SITE_URL`` whatever host was asked."""

    def get_protocol(self, protocol: str | None = None) -> str:
        """Return the scheme of all addresses."""
        return urlsplit(settings.SITE_URL).scheme

    def get_domain(self, site: Any = None) -> str:
        """Return the host of all addresses."""
        return urlsplit(settings.SITE_URL).netloc


class _Pages(_OfSite):
    def items(self) -> Sequence[str]:
        """Return the addresses of the pages for everybody."""
        of_games = [(name, slug) for slug in registry.titles() for name in GAME_PAGES]
        return [
            *(reverse(name) for name in PAGES),
            *(reverse(name, args=[slug]) for name, slug in of_games),
        ]

    def location(self, item: str) -> str:
        """Return an address."""
        return item


class _Matches(_OfSite):
    def items(self) -> Sequence[Match]:
        """Return the matches that ended last."""
        over = listing.archive().filter(status=Match.Status.OVER)
        return list(over.order_by("-ended", "-pk").only("ended")[:MAX_MATCHES])

    def lastmod(self, item: Match) -> datetime | None:
        """Return when a match ended."""
        return item.ended


SITEMAPS: Mapping[str, type[Sitemap[Any]]] = {"pages": _Pages, "matches": _Matches}
