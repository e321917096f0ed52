"""Notifications about challenges: rows written in the transaction of the change."""

from datetime import datetime
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat

from accounts import notifications
from accounts.models import User
from games.lobby.models import Challenge

CHALLENGE_RECEIVED = "challenge-received"
CHALLENGE_POSTED = "challenge-posted"
CHALLENGE_ACCEPTED = "challenge-accepted"
CHALLENGE_DECLINED = "challenge-declined"
REVEAL_DUE = "reveal-due"
REVEAL_MISSED = "reveal-missed"


PAGE = "challenge:"
"""What the key of a challenge's page begins with; its id follows."""


def page_key(challenge_id: int) -> str:
    """Return the key of the page of a challenge, by which it is known who has it open."""
    return f"{PAGE}{challenge_id}"


def page_keys(challenges: QuerySet[Challenge]) -> QuerySet[Any, str]:
    """Return the keys of the pages of challenges, as part of another query."""
    challenge_id = Cast("pk", CharField())
    return challenges.order_by().values_list(Concat(Value(PAGE), challenge_id), flat=True)


def notify(kind: str, challenge: Challenge, recipient: User, about: User, now: datetime) -> None:
    """Notify ``recipient`` of what ``about`` did with a challenge."""
    notifications.notify(
        recipient=recipient,
        kind=kind,
        payload={
            "challenge": challenge.pk,
            "user": about.pk,
            "place": page_key(challenge.pk),
        },
        key=f"{kind}:{challenge.pk}:{about.pk}:{recipient.pk}",
        now=now,
    )
