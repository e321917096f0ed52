"""Tokens by which programs sign in: made once, shown once, found again by their hash."""

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
"""Begins every token, so that programs that look for leaked secrets know one."""

SIZE = 32
"""Bytes of a token that are drawn."""

MOST = 20
"""How many tokens a user may have."""

STEP = timedelta(minutes=1)
"""Uses within this time of the last one that was noted are not noted."""


def make(*, user: User, name: str, scopes: Collection[str], now: datetime) -> str:
    """Make a token and return it; it cannot be read again."""
    token = PREFIX + secrets.token_urlsafe(SIZE)
    kept = [scope.value for scope in ApiToken.Scope if scope in scopes]
    ApiToken.objects.create(user=user, name=name, digest=_digest(token), scopes=kept, created=now)
    return token


def of_user(user: User) -> QuerySet[ApiToken]:
    """Return the tokens of a user, the latest first."""
    return ApiToken.objects.filter(user=user).order_by("-created", "-pk")


def find(token: str, *, now: datetime) -> ApiToken | None:
    """Return a token with its user, and note its use; ``None`` if it does not sign in."""
    held = ApiToken.objects.select_related("user")
    found = held.filter(digest=_digest(token), user__is_active=True).first()
    if found is not None and (found.last_used is None or now - found.last_used >= STEP):
        with optional_write("the use of a token"):
            ApiToken.objects.filter(pk=found.pk).update(last_used=now)
            presence.note_day(found.user, now=now)
    return found


def revoke(*, user: User, token_id: int) -> bool:
    """Delete a token of a user; ``False`` if the user has none with this id."""
    deleted, _ = ApiToken.objects.filter(user=user, pk=token_id).delete()
    return bool(deleted)


def revoke_all(user: User) -> int:
    """Delete all tokens of a user; return how many there were."""
    return ApiToken.objects.filter(user=user).delete()[0]


def password_changed(user: User, **kwargs: Any) -> None:
    """Delete the tokens of who has a new password: a receiver of allauth's signals.

    Somebody else may have made them, who knew the old one.
    """
    revoke_all(user)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
