"""Rate limits of the API, and their ``RateLimit`` headers."""

import math
from typing import Any, NamedTuple

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

from config.server.clients import network_of


class Quota(NamedTuple):
    """The rest of a limit: ``left`` of ``most`` requests for ``reset`` more seconds."""

    name: str
    most: int
    window: int
    left: int
    reset: int

    @property
    def policy(self) -> str:
        """The ``RateLimit-Policy`` header (draft-ietf-httpapi-ratelimit-headers)."""
        return f'"{self.name}";q={self.most};w={self.window}'

    @property
    def state(self) -> str:
        return f'"{self.name}";r={self.left};t={self.reset}'


class CountingThrottle(SimpleRateThrottle):
    """A throttle that stores the rest of its limit on the request."""

    num_requests: int | None
    duration: int | None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request. ``False`` if it exceeds the limit."""
        allowed = super().allow_request(request, view)
        if getattr(self, "history", None):
            noted: Any = request
            noted.quotas = [*getattr(noted, "quotas", []), self._quota()]
        return allowed

    def _quota(self) -> Quota:
        most = int(self.num_requests or 0)
        window = int(self.duration or 0)
        oldest = self.history[-1]
        now = self.timer()
        left = max(most - len(self.history), 0)
        return Quota(str(self.scope), most, window, left, math.ceil(oldest + window - now))


class VisitorThrottle(CountingThrottle, AnonRateThrottle):
    """Counts visitors by network, as a visitor can choose among many IPv6 addresses."""

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """``None`` for signed-in users."""
        if request.user and request.user.is_authenticated:
            return None
        return self.cache_format % {
            "scope": self.scope,
            "ident": network_of(self.get_ident(request)),
        }


class CallerThrottle(CountingThrottle, UserRateThrottle):
    """Counts the requests of a user, by session and by all tokens together."""

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """``None`` for visitors."""
        signed_in = request.user and request.user.is_authenticated
        return super().get_cache_key(request, view) if signed_in else None


class ChangeThrottle(CountingThrottle, UserRateThrottle):
    scope = "change"


class MoveThrottle(CountingThrottle, UserRateThrottle):
    """The limit on submissions of moves.

    A program that waits for each response before it sends the next move stays below it.
    """

    scope = "move"
