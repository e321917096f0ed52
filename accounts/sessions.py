"""Sessions, which stand in the database: a copy in a cache that missed a sign-out might count."""

from types import SimpleNamespace
from typing import Any, cast

from django.contrib.auth import get_user
from django.contrib.sessions.backends import db
from django.http import HttpRequest

MIN_KEY_LENGTH = 8
"""Characters of a key, as Django has it."""


class SessionStore(db.SessionStore):
    """Django's, but keys that it never gives out are not looked up: PostgreSQL refuses some."""

    def _validate_session_key(self, key: str | None) -> bool:
        """Whether a cookie may hold a key."""
        return key is not None and len(key) >= MIN_KEY_LENGTH and key.isascii() and key.isalnum()


def signed_in(session_key: str) -> Any:
    """Return the user of a session; an anonymous user if it has ended."""
    request = SimpleNamespace(session=SessionStore(session_key))
    return get_user(cast("HttpRequest", request))
