"""Notifications about challenges: rows written in the transaction of the change."""

from datetime import datetime

from accounts import notifications
from accounts.models import User
from games.lobby.models import Challenge

CHALLENGE_RECEIVED = "challenge-received"
CHALLENGE_POSTED = "challenge-posted"
CHALLENGE_ACCEPTED = "challenge-accepted"
CHALLENGE_DECLINED = "challenge-declined"
REVEAL_DUE = "reveal-due"
REVEAL_MISSED = "reveal-missed"


def notify(kind: str, challenge: Challenge, recipient: User, about: User, now: datetime) -> None:
    """Notify ``recipient`` of what ``about`` did with a challenge."""
    notifications.notify(
        recipient=recipient,
        kind=kind,
        payload={
            "challenge": challenge.pk,
            "user": about.pk,
            "place": f"challenge:{challenge.pk}",
        },
        key=f"{kind}:{challenge.pk}:{about.pk}:{recipient.pk}",
        now=now,
    )
