"""Notifications about challenges: rows written in the transaction of the change."""

from collections.abc import Mapping
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
"""Prefix of the page keys of challenges; the id follows."""


def page_key(challenge_id: int) -> str:
    """Return the page key of a challenge, under which presence is stored."""
    return f"{PAGE}{challenge_id}"


def page_keys(challenges: QuerySet[Challenge]) -> QuerySet[Any, str]:
    """Return a subquery for the page keys of challenges."""
    challenge_id = Cast("pk", CharField())
    return challenges.order_by().values_list(Concat(Value(PAGE), challenge_id), flat=True)


def notify(
    kind: str,
    challenge: Challenge,
    recipient: User,
    about: User,
    now: datetime,
    *,
    subject: Mapping[str, Any] | None = None,
) -> None:
    """Notify ``recipient`` about an action of ``about`` on a challenge.

    ``subject`` is the code and the parts of a subject that replaces the usual one; see
    :func:`games.lobby.notification_emails.register_subject`.
    """
    notifications.notify(
        recipient=recipient,
        kind=kind,
        payload={
            "challenge": challenge.pk,
            "user": about.pk,
            "place": page_key(challenge.pk),
            **({"subject": dict(subject)} if subject else {}),
        },
        key=f"{kind}:{challenge.pk}:{about.pk}:{recipient.pk}",
        now=now,
    )
