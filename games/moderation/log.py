"""The log of moderators."""

from datetime import datetime

from accounts.models import User
from games.moderation.errors import ModerationRefused
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
    """Log an action of a moderator, in its transaction.

    :param user: whom it concerns, the suspect of the case if it's left out.
    :raises ModerationRefused: the reason is empty.
    """
    if not reason.strip():
        raise ModerationRefused("A reason is needed.")
    if user is None and case is not None:
        user = case.suspect
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
    return ModeratorAction.objects.filter(case_id=case.pk).count()
