"""What all addresses of the API share: who may come, how often, and what an answer's head says."""

from collections.abc import Sequence
from typing import Any, cast

from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import NotFound
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts.models import ApiToken, User
from games.api.permissions import HasScope
from games.api.throttles import CallerThrottle, ChangeThrottle, VisitorThrottle

EXPOSED = "ETag, RateLimit, RateLimit-Policy, Retry-After"
"""The headers that pages of other sites may read."""


def caller(request: Request) -> User:
    """Return who is signed in, where somebody is."""
    return cast(User, request.user)


class ApiView(APIView):
    """An address of the API.

    ``is_public`` says that it may be read without signing in, by pages of other sites too;
    ``scope`` is what a token needs to change something there; ``change_throttle`` limits how often.
    """

    permission_classes: Sequence[type[BasePermission]] = (HasScope,)
    metadata_class = None
    http_method_names = ["get", "head", "post"]
    is_public = False
    change_throttle: type[BaseThrottle] = ChangeThrottle
    scope = ApiToken.Scope.PLAY

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the limits that count this request."""
        if self.request.method in SAFE_METHODS:
            return [VisitorThrottle(), CallerThrottle()]
        return [self.change_throttle()]

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add the headers about caching, other sites (CORS) and limits."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(answer, ["Authorization", "Cookie"])
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        if self.is_public and request.method in ("GET", "HEAD"):
            # Browsers refuse an answer with “*” to pages that send credentials.
            answer.headers["Access-Control-Allow-Origin"] = "*"
            answer.headers["Access-Control-Expose-Headers"] = EXPOSED
        if quotas := getattr(request, "quotas", []):
            answer.headers["RateLimit-Policy"] = ", ".join(quota.policy for quota in quotas)
            answer.headers["RateLimit"] = ", ".join(quota.state for quota in quotas)
        return answer


class Nowhere(ApiView):
    """An address below that of the API that is none of it."""

    schema = None
    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse.

        :raises NotFound: always.
        """
        super().initial(request, *args, **kwargs)
        raise NotFound("There is no such address.")
