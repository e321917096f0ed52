"""Who may do what: everybody reads what is public, and a token does what its scopes allow."""

from typing import Any

from django.utils import timezone
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import ApiToken
from accounts.sanctions import standing


class InsufficientScope(PermissionDenied):
    """A token that may not do this (RFC 6750)."""

    default_code = "insufficient-scope"
    default_detail = "This token may not do that."


class Restricted(PermissionDenied):
    """Somebody who is suspended or banned, or has a warning to read."""

    default_code = "restricted"
    default_detail = "See your standing on the site."


class HasScope(BasePermission):
    """Lets in who is signed in, and everybody where ``view.is_public``; tokens need the scope."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether to go on.

        :raises Restricted: the caller is suspended, or has a warning to read.
        :raises InsufficientScope: the token lacks the scope.
        """
        if not request.user.is_authenticated:
            return view.is_public and request.method in SAFE_METHODS
        if request.user.is_restricted and standing.stops(request.user, timezone.now()):
            raise Restricted
        reads = request.method in SAFE_METHODS
        needed = ApiToken.Scope.READ if reads else view.scope
        if isinstance(request.auth, ApiToken) and needed not in request.auth.scopes:
            raise InsufficientScope(f"This token lacks the scope “{needed}”.")
        return True
