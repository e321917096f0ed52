"""The log of what moderators did."""

from datetime import datetime

from accounts.models import User
from games.moderation.errors import Refused
from games.moderation.models import Case, ModeratorAction


def write(
    action: str,
    *,
    moderator: User,
    reason: str,
    now: datetime,
    user: User | None = None,
    match_id: int | None = None,
    case: Case | None = None,
    details: str = "",
) -> None:
    """Write what a moderator did, in the transaction of it.

    :raises Refused: there is no reason.
    """
    if not reason.strip():
        raise Refused("A reason is needed.")
    ModeratorAction.objects.create(
        at=now,
        action=action,
        moderator_id=moderator.pk,
        moderator_name=moderator.username,
        user_id=user.pk if user else None,
        user_name=user.username if user else "",
        match_id=match_id,
        case_id=case.pk if case else None,
        reason=reason,
        details=details[:200],
    )


def length(case: Case) -> int:
    """Return how many things were done in a case."""
    return ModeratorAction.objects.filter(case_id=case.pk).count()
