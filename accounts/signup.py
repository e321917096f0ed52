"""Registering: what happens around the form."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, QuerySet

from accounts.models import User

PATIENCE = timedelta(days=7)
"""After this, a name that is not used and was never confirmed is free again."""


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
