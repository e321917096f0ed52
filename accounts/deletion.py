"""Deleting an account after a grace period, without breaking other people's matches.

The user's row stays, without name and address, because seats refer to it. Before that, each
application deletes its own part (:mod:`accounts.personal_data`).
"""

import logging
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from accounts import dates, mail, names, outgoing, personal_data, signup
from accounts.delivery.models import DeliverySettings, FeedAddress, MutedPage, PushDevice
from accounts.models import AccountDeletion, ApiToken, Block, Notification, User
from accounts.sanctions.models import Trace
from accounts.security import sessions
from accounts.security.models import SecurityEvent
from accounts.site_languages import reading

CANCELLATION_PERIOD = timedelta(days=7)
"""How long the owner can cancel a deletion."""

logger = logging.getLogger(__name__)

TEXT = gettext_noop("""Hello {name},

Your account at Turnstone will be deleted on {day}, because somebody signed in to it asked for it.

Until then you can sign in and keep it, under "Your data". If you didn't ask for this, do so now,
and set a new password.""")


KEPT_TEXT = gettext_noop("""Hello {name},

Your account at Turnstone will not be deleted: somebody signed in to it and chose to keep it.

If it wasn't you, somebody else can use your account. Set a new password now.

Set a new password: {reset}""")


class CannotDelete(Exception):
    """The account must stay; the message says why."""


@transaction.atomic
def ask(user: User, *, now: datetime) -> AccountDeletion:
    """Schedule a deletion and mail the owner; asking again changes nothing.

    An unconfirmed address gets no mail, since it may be somebody else's.

    :raises CannotDelete: this is the only superuser.
    """
    _check_another_superuser_stays(user)
    asked, is_new = AccountDeletion.objects.get_or_create(
        user=user, defaults={"due": now + CANCELLATION_PERIOD}
    )
    if is_new:
        with reading(user):
            day = dates.day(asked.due)
            text = gettext(TEXT).format(name=user.username, day=day)
            _write(user, gettext("Your account will be deleted"), text, now)
    return asked


def _write(user: User, subject: str, text: str, now: datetime) -> None:
    if user.email and not signup.awaits_confirmation(user):
        outgoing.write(to=user.email, subject=subject, text=text, now=now)


def due(user: User) -> datetime | None:
    """Return when an account will be deleted. ``None`` if it won't."""
    return AccountDeletion.objects.filter(user=user).values_list("due", flat=True).first()


def _check_another_superuser_stays(user: User) -> None:
    """Check that another superuser remains, even if two ask at the same time.

    :raises CannotDelete: this one is the last.
    """
    if not user.is_superuser:
        return
    superusers = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
    list(superusers.select_for_update(no_key=True).values_list("pk"))
    if not superusers.filter(deletion=None).exclude(pk=user.pk).exists():
        raise CannotDelete(gettext("You are the only superuser. Make another one first."))


@transaction.atomic
def call_off(user: User, *, now: datetime) -> bool:
    """Cancel a deletion, and mail the owner.

    Returns ``False`` if it wasn't scheduled or it has begun.
    """
    asked = _locked(AccountDeletion.objects.filter(user=user))
    if asked is None or not User.objects.filter(pk=user.pk, is_active=True).exists():
        return False
    asked.delete()
    reset = mail.absolute(reverse("account_reset_password"))
    with reading(user):
        text = gettext(KEPT_TEXT).format(name=user.username, reset=reset)
        _write(user, gettext("Your account stays"), text, now)
    return True


def _locked(rows: QuerySet[AccountDeletion]) -> AccountDeletion | None:
    return rows.select_for_update().first()


def delete_due(*, now: datetime) -> int:
    """Delete all due accounts and return how many; one failure doesn't stop the others."""
    due = list(AccountDeletion.objects.filter(due__lte=now).values_list("pk", flat=True))
    return sum(_delete(pk, now) for pk in due)


def _delete(pk: int, now: datetime) -> bool:
    """Delete a due account; if a part fails the next sweep continues."""
    try:
        user = _claimed(pk, now)
        if user is None:
            return False
        for part in personal_data.parts():
            part.delete(user, now)
        with transaction.atomic():
            AccountDeletion.objects.filter(pk=pk).delete()
            erase(user)
    except Exception:
        logger.exception("Account %s could not be deleted", pk)
        return False
    return True


@transaction.atomic
def _claimed(pk: int, now: datetime) -> User | None:
    """Close a due account, so that its deletion can't be cancelled any more.

    Returns ``None`` if it was cancelled.
    """
    if _locked(AccountDeletion.objects.filter(pk=pk, due__lte=now)) is None:
        return None
    user = User.objects.get(pk=pk)
    user.is_active = False
    user.save(update_fields=["is_active"])
    return user


def erase(user: User) -> None:
    """Remove everything that identifies the person; the row stays, since seats refer to it."""
    sessions.end_all(user)
    for rows in (
        EmailAddress.objects.filter(user=user),
        Authenticator.objects.filter(user=user),
        ApiToken.objects.filter(user=user),
        Notification.objects.filter(recipient=user),
        DeliverySettings.objects.filter(user=user),
        FeedAddress.objects.filter(user=user),
        MutedPage.objects.filter(user=user),
        PushDevice.objects.filter(user=user),
        Block.objects.filter(Q(blocker=user) | Q(blocked=user)),
        SecurityEvent.objects.filter(user=user),
        Trace.objects.filter(user=user),
    ):
        rows.delete()
    user.groups.clear()
    user.user_permissions.clear()
    fresh = User(
        username=f"{names.DELETED_PREFIX}{user.pk}", pk=user.pk, date_joined=user.date_joined
    )
    fresh.is_active = False
    fresh.set_unusable_password()
    fresh.save(force_update=True)
