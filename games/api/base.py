"""The base view of the API: permissions, throttles and headers."""

from collections.abc import Sequence
from typing import Any, cast

from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts.models import ApiToken, User
from games.api.permissions import HasScope
from games.api.throttles import CallerThrottle, ChangeThrottle, VisitorThrottle
from games.kernel import registry
from games.kernel.contract import AnyGame
from games.kernel.errors import UnknownTitle

EXPOSED = "ETag, RateLimit, RateLimit-Policy, Retry-After"
"""The response headers that scripts of other sites may read."""


def caller(request: Request) -> User:
    return cast(User, request.user)


def title_or_404(slug: str) -> AnyGame:
    """:raises NotFound: no game has this slug."""
    try:
        return registry.get(slug)
    except UnknownTitle as unknown:
        raise NotFound(str(unknown)) from unknown


def body_of(request: Request, kind: type[BaseSerializer[Any]]) -> dict[str, Any]:
    """Return the fields of a request.

    :raises ValidationError: one is missing or wrong.
    """
    return _valid(kind(data=request.data))


def query_of(request: Request, kind: type[BaseSerializer[Any]]) -> dict[str, Any]:
    """Return the query parameters of a request.

    :raises ValidationError: one is wrong.
    """
    return _valid(kind(data=request.query_params))


def _valid(form: BaseSerializer[Any]) -> dict[str, Any]:
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


class ApiView(APIView):
    """A view of the API.

    If ``is_public``, it can be read without signing in, and by scripts of other sites. ``scope`` is
    what a token needs for changes, ``change_throttle`` limits their rate.
    """

    permission_classes: Sequence[type[BasePermission]] = (HasScope,)
    metadata_class = None
    http_method_names = ["get", "head", "post"]
    is_public = False
    change_throttle: type[BaseThrottle] = ChangeThrottle
    scope = ApiToken.Scope.PLAY

    def get_throttles(self) -> list[BaseThrottle]:
        if self.request.method in SAFE_METHODS:
            return [VisitorThrottle(), CallerThrottle()]
        return [self.change_throttle()]

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(answer, ["Authorization", "Cookie"])
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        if self.is_public and request.method in ("GET", "HEAD"):
            # browsers refuse “*” in responses to requests with credentials
            answer.headers["Access-Control-Allow-Origin"] = "*"
            answer.headers["Access-Control-Expose-Headers"] = EXPOSED
        if quotas := getattr(request, "quotas", []):
            answer.headers["RateLimit-Policy"] = ", ".join(quota.policy for quota in quotas)
            answer.headers["RateLimit"] = ", ".join(quota.state for quota in quotas)
        return answer


class Nowhere(ApiView):
    schema = None
    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound(_("There is no such address."))
