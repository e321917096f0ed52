"""Permissions: public reads are open to everybody, and tokens are limited by their scopes."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import ApiToken
from accounts.sanctions import standing


class InsufficientScope(PermissionDenied):
    """The token lacks the scope (RFC 6750)."""

    default_code = "insufficient-scope"
    default_detail = gettext_lazy("This token may not do that.")


class Restricted(PermissionDenied):
    """The user is suspended or banned, or has an unread warning."""

    default_code = "restricted"
    default_detail = gettext_lazy("See your standing on the site.")


class HasScope(BasePermission):
    """Allows signed-in users, and everybody if ``view.is_public``. Tokens need the scope."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the request is allowed.

        :raises Restricted: the caller is suspended, or has an unread warning.
        :raises InsufficientScope: the token lacks the scope.
        """
        if not request.user.is_authenticated:
            return view.is_public and request.method in SAFE_METHODS
        if request.user.is_restricted and standing.stops(request.user, timezone.now()):
            raise Restricted
        reads = request.method in SAFE_METHODS
        needed = ApiToken.Scope.READ if reads else view.scope
        if isinstance(request.auth, ApiToken) and needed not in request.auth.scopes:
            raise InsufficientScope(
                _("This token lacks the scope “{needed}”.").format(needed=needed)
            )
        return True
