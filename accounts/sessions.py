"""Sessions, which stand in the database: a copy in a cache that missed a sign-out might count."""

from django.contrib.sessions.backends import db

SHORTEST = 8
"""Characters of a key, as Django has it."""


class SessionStore(db.SessionStore):
    """Django's, but keys that it never gives out are not looked up: PostgreSQL refuses some."""

    def _validate_session_key(self, key: str | None) -> bool:
        """Whether a cookie may hold a key."""
        return key is not None and len(key) >= SHORTEST and key.isascii() and key.isalnum()
