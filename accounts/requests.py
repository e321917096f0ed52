"""Requests as views behind a sign-in get them."""

from django.http import HttpRequest

from accounts.models import User


class UserRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User
