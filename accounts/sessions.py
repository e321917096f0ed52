"""Sessions, which stand in the database: a copy in a cache that missed a sign-out might count."""

from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user
from django.contrib.sessions.backends import db
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from accounts.models import User

MIN_KEY_LENGTH = 8
"""Characters of a key, as Django has it."""


class SessionStore(db.SessionStore):
    """Django's, but keys that it never gives out are not looked up: PostgreSQL refuses some.

    A session of an older ``SECRET_KEY`` keeps its key. Django would give it another one, which open
    pages and simultaneous requests don't know, and Channels would end it.
    """

    def load(self) -> dict[str, Any]:
        """Return the session's data, with the user's hash under the current ``SECRET_KEY``."""
        data: dict[str, Any] = super().load()
        if settings.SECRET_KEY_FALLBACKS and {HASH_SESSION_KEY, SESSION_KEY} <= data.keys():
            user = User.objects.filter(pk=data[SESSION_KEY]).first()
            olds = user.get_session_auth_fallback_hash() if user else ()
            if user and any(constant_time_compare(data[HASH_SESSION_KEY], old) for old in olds):
                data[HASH_SESSION_KEY] = user.get_session_auth_hash()
                self.modified = True
        return data

    def _validate_session_key(self, key: str | None) -> bool:
        """Whether a cookie may hold a key."""
        return key is not None and len(key) >= MIN_KEY_LENGTH and key.isascii() and key.isalnum()


def signed_in(session_key: str) -> Any:
    """Return the user of a session; an anonymous user if it has ended."""
    request = SimpleNamespace(session=SessionStore(session_key))
    return get_user(cast("HttpRequest", request))
