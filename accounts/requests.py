"""Types for requests of signed-in users."""

from django.http import HttpRequest

from accounts.models import User


class UserRequest(HttpRequest):
    user: User


def signed_in(request: HttpRequest) -> User:
    """Return the user of a request that only signed-in users can send."""
    assert isinstance(request.user, User)  # noqa: S101 - for the reader, and the type checker
    return request.user
