"""What follows where the administration closes an account or opens it again: the log, the seats."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from accounts import closing
from accounts.models import User
from accounts.signals import account_closed, account_opened
from games.lobby import services as lobby
from games.moderation import abandoned, cases, log
from games.moderation.errors import NotYours


@receiver(account_closed)
def account_is_closed(user: User, by: User, reason: str, now: datetime, **_: Any) -> None:
    """Log it, withdraw challenges and ask the opponents about the seats, as after a ban."""
    _check(by, user)
    log.write("close-account", moderator=by, user=user, reason=reason, now=now)
    abandoned.declare_all(user, moderator=by, reason=reason, now=now)
    lobby.leave_pending(user, now)


@receiver(account_opened)
def account_is_opened(user: User, by: User, reason: str, now: datetime, **_: Any) -> None:
    """Log it and let the owner play on where nobody else does yet."""
    _check(by, user)
    log.write("open-account", moderator=by, user=user, reason=reason, now=now)
    abandoned.take_back(user, moderator=by, reason=reason, now=now)


def _check(by: User, user: User) -> None:
    """Check that somebody may decide about an account, as for moderators.

    :raises Refused: they play with the owner, or the owner has rights and is left to superusers.
    """
    try:
        cases.check_may_judge(by, user.pk)
    except NotYours as refusal:
        raise closing.Refused(str(refusal)) from refusal
    if cases.plays_with(by, user.pk):
        raise closing.Refused("You are playing with them. Leave it to somebody else.")
