"""Rules around sign-up: unconfirmed addresses and abandoned accounts."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, QuerySet

from accounts.models import User

UNCONFIRMED_LIFETIME = timedelta(days=7)
"""How long an unused account without a confirmed address keeps its name."""

NONE_AWAITED = 3600
"""Seconds for which it is cached that a user has no address to confirm."""

MAX_UNCONFIRMED = 3
"""How many unconfirmed accounts may claim the same address."""


def confirmed_user(email: str) -> User | None:
    """Return the user who has confirmed an address, or ``None``.

    allauth lets only one user confirm an address.
    """
    confirmed = EmailAddress.objects.filter(email=email.lower(), verified=True)
    address = confirmed.select_related("user").first()
    return address.user if address else None


def is_claimed_too_often(email: str, *, besides: User | None = None) -> bool:
    """Whether the maximum number of unconfirmed accounts claims an address already.

    Within a transaction on PostgreSQL, other transactions wait before they count for the same
    address. SQLite has only one writer anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s::text, 0))", [email.lower()]
            )
    claims = EmailAddress.objects.filter(email=email.lower(), verified=False)
    confirmed = EmailAddress.objects.filter(user=OuterRef("user"), verified=True)
    if besides is not None:
        claims = claims.exclude(user=besides)
    return bool(claims.filter(~Exists(confirmed)).count() >= MAX_UNCONFIRMED)


def awaits_confirmation(user: User) -> bool:
    """Whether a user has given an address but not confirmed it."""
    return bool(awaited_address(user))


def awaited_address(user: User) -> str:
    """Return the unconfirmed address of a user; empty if one is confirmed."""
    addresses = list(EmailAddress.objects.filter(user=user))
    is_confirmed = any(address.verified for address in addresses)
    return "" if is_confirmed or not addresses else str(addresses[0].email)


def known_awaited_address(user: User) -> str:
    """The same, cached for an hour if it is empty, since every page asks."""
    key = f"confirmed:{user.pk}"
    if cache.get(key):
        return ""
    address = awaited_address(user)
    if not address:
        cache.set(key, 1, NONE_AWAITED)
    return address


def forget_unfinished(*, now: datetime) -> int:
    """Delete accounts that never confirmed an address and haven't been used for long.

    Accounts with matches or challenges stay.

    :returns: the number of deleted accounts.
    """
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    unfinished = User.objects.filter(
        Q(last_login=None) | Q(last_login__lt=now - UNCONFIRMED_LIFETIME),
        Exists(addresses),
        ~Exists(addresses.filter(verified=True)),
        date_joined__lt=now - UNCONFIRMED_LIFETIME,
        is_staff=False,
    )
    pks = list(unfinished.values_list("pk", flat=True))
    return sum(_forget(unfinished.filter(pk=pk)) for pk in pks)


def _forget(unfinished: QuerySet[User]) -> bool:
    """Delete a user who is still unconfirmed, unless other rows refer to them."""
    try:
        with transaction.atomic():
            return bool(unfinished.delete()[0])
    except ProtectedError:
        return False
