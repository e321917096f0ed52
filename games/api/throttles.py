"""How often programs may ask."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle

from config.server.clients import network_of


class VisitorThrottle(AnonRateThrottle):
    """Counts visitors by network: anybody can choose among the IPv6 addresses of their own."""

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """Return where a visitor is counted; ``None`` for who is signed in."""
        if request.user and request.user.is_authenticated:
            return None
        return self.cache_format % {
            "scope": self.scope,
            "ident": network_of(self.get_ident(request)),
        }
