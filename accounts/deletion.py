"""Deleting an account: after days in which it can be called off, and without holes for others.

What others need stays: the row of the user, without name and address, holds its seats. Other
applications register what they have to do first, such as resigning from matches.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Q
from django.utils.formats import date_format

from accounts import names, outgoing
from accounts.delivery.models import DeliverySettings, MutedPage
from accounts.models import ApiToken, Block, Notification, User
from accounts.security import sessions
from accounts.security.models import AccountDeletion, SecurityEvent

GRACE = timedelta(days=7)
"""How long a deletion can be called off."""

Step = Callable[[User, datetime], None]

logger = logging.getLogger(__name__)

_steps: list[Step] = []

TEXT = """Hello {name},

Your account at Turnstone will be deleted on {day}, as somebody who is signed in to it has asked.

Until then you can sign in and keep it, under "Your data". If it was not you who asked, do so now,
and set a new password."""


class CannotDelete(Exception):
    """An account that has to stay; the message says why."""


def register(step: Step) -> None:
    """Make known what has to be done before an account is deleted; it may be done twice."""
    _steps.append(step)


def ask(user: User, *, now: datetime) -> AccountDeletion:
    """Note that an account is to be deleted, and tell its owner; asking again changes nothing.

    :raises CannotDelete: nobody else could do what this user can.
    """
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise CannotDelete("You are the only superuser. Make another one first.")
    asked, is_new = AccountDeletion.objects.get_or_create(user=user, defaults={"due": now + GRACE})
    if is_new and user.email:
        text = TEXT.format(name=user.username, day=date_format(asked.due, "j F Y"))
        outgoing.write(to=user.email, subject="Your account will be deleted", text=text, now=now)
    return asked


def call_off(user: User) -> bool:
    """Keep an account after all; ``False`` if nothing was asked."""
    return bool(AccountDeletion.objects.filter(user=user).delete()[0])


def delete_due(*, now: datetime) -> int:
    """Delete the accounts whose days are over; one that fails stops no other. Return how many."""
    due = AccountDeletion.objects.filter(due__lte=now).select_related("user")
    return sum(_delete(asked.user, now) for asked in due)


def _delete(user: User, now: datetime) -> bool:
    try:
        for step in _steps:
            step(user, now)
        with transaction.atomic():
            if AccountDeletion.objects.filter(user=user, due__lte=now).delete()[0]:
                erase(user)
    except Exception:
        logger.exception("Account %s could not be deleted", user.pk)
        return False
    return True


def erase(user: User) -> None:
    """Take everything that says who this was; the row stays, as seats point at it."""
    sessions.end_all(user)
    for rows in (
        EmailAddress.objects.filter(user=user),
        Authenticator.objects.filter(user=user),
        ApiToken.objects.filter(user=user),
        Notification.objects.filter(recipient=user),
        DeliverySettings.objects.filter(user=user),
        MutedPage.objects.filter(user=user),
        Block.objects.filter(Q(blocker=user) | Q(blocked=user)),
        SecurityEvent.objects.filter(user=user),
    ):
        rows.delete()
    user.groups.clear()
    user.user_permissions.clear()
    fresh = User(username=f"{names.GONE}{user.pk}", pk=user.pk, date_joined=user.date_joined)
    fresh.is_active = False
    fresh.set_unusable_password()
    fresh.save(force_update=True)
