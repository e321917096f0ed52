"""Requests as views behind a sign-in get them."""

from django.http import HttpRequest

from accounts.models import User


class UserRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User


def signed_in(request: HttpRequest) -> User:
    """Return who has sent a request that is only answered to users."""
    assert isinstance(request.user, User)  # noqa: S101 - for the reader, and the type checker
    return request.user
