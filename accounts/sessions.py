"""Sessions in the database. A copy in a cache could miss a sign-out."""

from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user
from django.contrib.sessions.backends import db
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from accounts.models import User

MIN_KEY_LENGTH = 8
"""Minimum characters of a key, as in Django."""


class SessionStore(db.SessionStore):
    """Django's store, except that it never looks up keys that it can't have given out.

    PostgreSQL refuses some of those. A session of an older ``SECRET_KEY`` keeps its key. Django
    would give it another one, which open pages and simultaneous requests don't know, and Channels
    would end it.
    """

    def load(self) -> dict[str, Any]:
        data: dict[str, Any] = super().load()
        if settings.SECRET_KEY_FALLBACKS and {HASH_SESSION_KEY, SESSION_KEY} <= data.keys():
            user = User.objects.filter(pk=data[SESSION_KEY]).first()
            olds = user.get_session_auth_fallback_hash() if user else ()
            if user and any(constant_time_compare(data[HASH_SESSION_KEY], old) for old in olds):
                data[HASH_SESSION_KEY] = user.get_session_auth_hash()
                self.modified = True
        return data

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and len(key) >= MIN_KEY_LENGTH and key.isascii() and key.isalnum()


def signed_in(session_key: str) -> Any:
    """Return the user of a session. An anonymous user if it has ended."""
    request = SimpleNamespace(session=SessionStore(session_key))
    return get_user(cast("HttpRequest", request))
