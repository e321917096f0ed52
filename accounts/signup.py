"""Registering: what happens around the form."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, QuerySet

from accounts.models import User

PATIENCE = timedelta(days=7)
"""After this, a name that is not used and was never confirmed is free again."""

MOST_UNCONFIRMED = 3
"""How many accounts without a confirmed address may wait to confirm the same one."""


def confirmed_user(email: str) -> User | None:
    """Return the user who has confirmed an address; ``None`` if nobody has.

    allauth lets only one user confirm an address.
    """
    confirmed = EmailAddress.objects.filter(email=email.lower(), verified=True)
    address = confirmed.select_related("user").first()
    return address.user if address else None


def is_claimed_too_often(email: str, *, besides: User | None = None) -> bool:
    """Whether as many unconfirmed accounts as allowed wait for an address already.

    Inside a transaction, PostgreSQL keeps other transactions from counting for the same address
    until this one ends. SQLite lets only one transaction write anyway.
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
    return bool(claims.filter(~Exists(confirmed)).count() >= MOST_UNCONFIRMED)


def awaits_confirmation(user: User) -> bool:
    """Whether a user has given an address and not confirmed it."""
    return bool(awaited_address(user))


def awaited_address(user: User) -> str:
    """Return the address that a user has given and not confirmed; empty if one is confirmed."""
    given = list(EmailAddress.objects.filter(user=user))
    is_confirmed = any(address.verified for address in given)
    return "" if is_confirmed or not given else str(given[0].email)


def forget_unfinished(*, now: datetime) -> int:
    """Delete users who never confirmed an address, and have not signed in for long either.

    One whom something holds on to, as a match or a challenge, stays.

    :returns: how many are gone.
    """
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    unfinished = User.objects.filter(
        Q(last_login=None) | Q(last_login__lt=now - PATIENCE),
        Exists(addresses),
        ~Exists(addresses.filter(verified=True)),
        date_joined__lt=now - PATIENCE,
        is_staff=False,
    )
    found = list(unfinished.values_list("pk", flat=True))
    return sum(_forget(unfinished.filter(pk=pk)) for pk in found)


def _forget(unfinished: QuerySet[User]) -> bool:
    """Delete one user, if still unfinished and nothing holds on to the row."""
    try:
        with transaction.atomic():
            return bool(unfinished.delete()[0])
    except ProtectedError:
        return False
