"""Closing and reopening accounts by the site's staff, with a reason that is logged and mailed.

This is for hijacked accounts and owners who must not have any. Rule-breaking is for moderators,
whose sanctions can be appealed against.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from accounts import names, outgoing, signup
from accounts.models import User
from accounts.security import events, sessions
from accounts.signals import account_closed, account_opened
from accounts.site_languages import reading

TEXT = gettext_noop("""Hello {name},

The administrators have closed your account. Nobody can sign in to it now. The reason:

{reason}

If you think this is a mistake, write to the address on the contact page.""")


class CannotClose(Exception):
    """The caller may not close or reopen this account; the message says why."""


@transaction.atomic
def close(user: User, *, by: User, reason: str, now: datetime) -> None:
    """Keep everybody from signing in to an account, and mail its owner.

    :raises CannotClose: there is no reason, or ``by`` may not close it.
    """
    if user.is_superuser or user == by:
        raise CannotClose("You can’t close your own account or a superuser’s.")
    _set_active(user, active=False, by=by, reason=reason, now=now)
    sessions.end_all(user)
    account_closed.send(User, user=user, by=by, reason=reason, now=now)
    if user.email and not signup.awaits_confirmation(user):
        with reading(user):
            text = gettext(TEXT).format(name=user.username, reason=reason)
            subject = gettext("Your account is closed")
            outgoing.write(to=user.email, subject=subject, text=text, now=now)


@transaction.atomic
def open_again(user: User, *, by: User, reason: str, now: datetime) -> None:
    """Let the owner sign in to a closed account again.

    :raises CannotClose: there is no reason, ``by`` may not reopen it, or it was deleted.
    """
    if user.username.startswith(names.DELETED_PREFIX):
        raise CannotClose("This account was deleted.")
    _set_active(user, active=True, by=by, reason=reason, now=now)
    account_opened.send(User, user=user, by=by, reason=reason, now=now)


def _set_active(user: User, *, active: bool, by: User, reason: str, now: datetime) -> None:
    if not reason.strip():
        raise CannotClose("A reason is needed.")
    before = events.rights_of(user)
    user.is_active = active
    user.save(update_fields=["is_active"])
    events.rights_changed(user, before=before, by=by.username, now=now)
