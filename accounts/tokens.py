"""API tokens: shown once, stored as hashes."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from accounts import presence
from accounts.models import ApiToken, User
from accounts.optional import optional_write

PREFIX = "turnstone_"
"""Prefix of every token, so that scanners for leaked secrets recognise it."""

SIZE = 32
"""Random bytes in a token."""

MAX_TOKENS = 20
"""Maximum number of tokens per user."""

LAST_USED_PRECISION = timedelta(minutes=1)
"""Uses within this time of the last stored one aren't stored."""


def make(*, user: User, name: str, scopes: Collection[str], now: datetime) -> str:
    """Create a token and return it; it can't be read again."""
    token = PREFIX + secrets.token_urlsafe(SIZE)
    kept = [scope.value for scope in ApiToken.Scope if scope in scopes]
    ApiToken.objects.create(user=user, name=name, digest=_digest(token), scopes=kept, created=now)
    return token


def of_user(user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=user).order_by("-created", "-pk")


def find(token: str, *, now: datetime) -> ApiToken | None:
    """Return a token with its user and note its use; ``None`` if it isn't valid."""
    tokens = ApiToken.objects.select_related("user")
    token_row = tokens.filter(digest=_digest(token), user__is_active=True).first()
    if token_row is not None and (
        token_row.last_used is None or now - token_row.last_used >= LAST_USED_PRECISION
    ):
        with optional_write("the use of a token"):
            ApiToken.objects.filter(pk=token_row.pk).update(last_used=now)
            presence.note_day(token_row.user, now=now)
    return token_row


def revoke(*, user: User, token_id: int) -> bool:
    """Delete a token; ``False`` if it does not exist."""
    deleted, _ = ApiToken.objects.filter(user=user, pk=token_id).delete()
    return bool(deleted)


def revoke_all(user: User) -> int:
    """Delete all tokens of a user; return how many."""
    return ApiToken.objects.filter(user=user).delete()[0]


def password_changed(user: User, **kwargs: Any) -> None:
    """Delete a user's tokens after a new password. Receiver of allauth's signals.

    Somebody who knew the old password may have made them.
    """
    revoke_all(user)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
