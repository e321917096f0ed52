"""What becomes of the challenges of somebody who deletes the account, and what is stored."""

from datetime import datetime
from typing import Any

from django.db.models import F, Q

from accounts.models import User
from games.kernel.errors import GameError
from games.lobby import services
from games.lobby.models import (
    Challenge,
    ChallengePreferences,
    Follow,
    Invitation,
    StandingChallenge,
)


def leave_all(user: User, now: datetime) -> None:
    """Withdraw and decline what is open, and take away what was written."""
    leave_pending(user, now)
    Challenge.objects.filter(creator=user).update(message="")
    Follow.objects.filter(Q(follower=user) | Q(followed=user)).delete()
    ChallengePreferences.objects.filter(user=user).delete()
    Invitation.objects.filter(user=user).update(reason="")


def leave_pending(user: User, now: datetime) -> None:
    """Withdraw and decline what is open: nobody begins a match with who is not there."""
    StandingChallenge.objects.filter(user=user).delete()
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    invitations = Invitation.objects.filter(user=user).exclude(state=Invitation.State.DECLINED)
    for challenge in Challenge.objects.filter(
        status__in=pending, pk__in=invitations.values("challenge")
    ):
        _leave(challenge, user, now)


def _leave(challenge: Challenge, user: User, now: datetime) -> None:
    """Leave a challenge, unless that is refused now: it expires by itself."""
    is_own = challenge.creator_id == user.pk
    service = services.withdraw if is_own else services.decline
    try:
        service(challenge_id=challenge.pk, user=user, now=now)
    except GameError:
        return


def own_data(user: User) -> dict[str, Any]:
    """Return the challenges that a user has made, and the answers to those of others."""
    made = Challenge.objects.filter(creator=user).order_by("created")
    answered = Invitation.objects.filter(user=user).exclude(challenge__creator=user)
    return {
        "follows": list(
            Follow.objects.filter(follower=user).values("created", player=F("followed__username"))
        ),
        "preferences": list(
            ChallengePreferences.objects.filter(user=user).values("challengers", "most_matches")
        ),
        "renewed": list(
            StandingChallenge.objects.filter(user=user).values("title", "params", "most", "message")
        ),
        "made": list(made.values("id", "title", "params", "message", "status", "created")),
        "invited_to": list(answered.values("challenge", "state", "reason", "answered")),
    }
