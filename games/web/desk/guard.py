"""Access to the desk and its actions."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.views.decorators.cache import never_cache

from accounts.requests import UserRequest
from accounts.security import second_factor

View = Callable[..., HttpResponse]


def desk(power: str = "use_desk") -> Callable[[View], View]:
    """Admit only users with a permission who have recently shown a second factor."""

    def decorate(view: View) -> View:
        @login_required
        @never_cache
        @wraps(view)
        def guarded(request: UserRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            check(request, "use_desk")
            check(request, power)
            return second_factor.required(view)(request, *args, **kwargs)

        return guarded

    return decorate


def check(request: UserRequest, power: str) -> None:
    """:raises PermissionDenied: the user doesn't have the permission."""
    if not request.user.has_perm(f"moderation.{power}"):
        raise PermissionDenied
