"""A block ends the pending challenges in which both players have a seat or an invitation."""

from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import player_blocked
from games.kernel.errors import GameError
from games.lobby import selectors, services
from games.lobby.changes import change
from games.lobby.models import Challenge, Invitation


@receiver(player_blocked)
def end_pending(user: User, other: User, now: datetime, **_: Any) -> None:
    """Withdraw or decline challenges that wait for both players, or give a seat back.

    A challenge that can't be left now stays until it expires. Nobody can begin it.
    """
    theirs = selectors.pending_of(other).values("pk")
    for challenge in selectors.pending_of(user).filter(pk__in=theirs):
        with suppress(GameError):
            _part(challenge, user, other, now)


def _part(challenge: Challenge, user: User, other: User, now: datetime) -> None:
    if challenge.creator_id != user.pk:
        services.decline(challenge_id=challenge.pk, user=user, now=now)
    elif challenge.is_revealing or challenge.audience == Challenge.Audience.NAMED:
        services.withdraw(challenge_id=challenge.pk, user=user, now=now)
    else:
        change(challenge.pk, partial(_free_seat, user=other, now=now), now=now)


def _free_seat(challenge: Challenge, *, user: User, now: datetime) -> None:
    """Take a user's seat in an open challenge; nobody is notified."""
    seats = Invitation.objects.filter(challenge=challenge, user=user)
    seats.update(state=Invitation.State.DECLINED, answered=now)
