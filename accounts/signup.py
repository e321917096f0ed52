"""Registering: what happens around the form."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError, QuerySet

from accounts.models import User

PATIENCE = timedelta(days=7)
"""After this, a name that was registered and never confirmed is free again."""


def forget_unfinished(*, now: datetime) -> int:
    """Delete users who registered long ago and never confirmed an address nor signed in.

    One whom something holds on to, as a challenge by somebody who knows the name, stays.

    :returns: how many are gone.
    """
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    unfinished = User.objects.filter(
        Exists(addresses),
        ~Exists(addresses.filter(verified=True)),
        date_joined__lt=now - PATIENCE,
        last_login=None,
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
