"""Accounts closed or reopened in the admin: log entry, challenges and seats."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from accounts import closing
from accounts.models import User
from accounts.signals import account_closed, account_opened
from games.events import services as events
from games.lobby import services as lobby
from games.moderation import abandoned, cases, log
from games.moderation.errors import NotYours

CLOSED = "The administrators have closed this account."
"""What opponents read. The reason is for the owner alone."""


@receiver(account_closed)
def account_is_closed(user: User, by: User, reason: str, now: datetime, **_: Any) -> None:
    """Log it, withdraw challenges and ask the opponents about the seats, as for a ban."""
    _check(by, user)
    log.write("close-account", moderator=by, user=user, reason=reason, now=now)
    abandoned.declare_all(user, moderator=by, reason=CLOSED, now=now)
    lobby.leave_pending(user, now)
    events.take_out_later(user)


@receiver(account_opened)
def account_is_opened(user: User, by: User, reason: str, now: datetime, **_: Any) -> None:
    """Log it and let the owner play on in the seats that nobody has taken over."""
    _check(by, user)
    log.write("open-account", moderator=by, user=user, reason=reason, now=now)
    abandoned.take_back(user, moderator=by, now=now)


def _check(by: User, user: User) -> None:
    """Check that a staff member may decide about an account, as for moderators.

    :raises Refused: they play with the owner, or the owner is an official and they no superuser.
    """
    try:
        cases.check_may_judge(by, user.pk)
    except NotYours as refusal:
        raise closing.Refused(str(refusal)) from refusal
    if cases.plays_with(by, user.pk):
        raise closing.Refused("You are playing with them. Leave it to somebody else.")
