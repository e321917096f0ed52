"""Accounts closed or reopened in the admin: log entry, challenges and seats."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext_noop

from accounts import closing
from accounts.models import User
from accounts.signals import account_closed, account_opened
from games.clubs import services as clubs
from games.events import services as events
from games.lobby import services as lobby
from games.moderation import abandoned, cases, log
from games.moderation.errors import NotYours

CLOSED = gettext_noop("The administrators have closed this account.")
"""The reason that opponents read. The real one is for the owner alone."""


@receiver(account_closed)
def account_is_closed(user: User, by: User, reason: str, now: datetime, **_: Any) -> None:
    """Log it, withdraw challenges, ask the opponents about the seats, and pass clubs on."""
    _check(by, user)
    log.write("close-account", moderator=by, user=user, reason=reason, now=now)
    abandoned.declare_all(user, moderator=by, reason=CLOSED, now=now)
    lobby.leave_pending(user, now)
    events.take_out_later(user)
    clubs.leave_all(user, now=now)


@receiver(account_opened)
def account_is_opened(user: User, by: User, reason: str, now: datetime, **_: Any) -> None:
    """Log it and let the owner play on in the seats that nobody has taken over."""
    _check(by, user)
    log.write("open-account", moderator=by, user=user, reason=reason, now=now)
    abandoned.take_back(user, moderator=by, now=now)


def _check(by: User, user: User) -> None:
    """Check that a staff member may decide about an account, as for moderators.

    :raises CannotClose: they play with the owner, or the owner is an official and they are no
        superuser.
    """
    try:
        cases.check_may_judge(by, user.pk)
    except NotYours as refusal:
        raise closing.CannotClose(str(refusal)) from refusal
    if cases.plays_with(by, user.pk):
        raise closing.CannotClose("You are playing with them. Leave it to somebody else.")
