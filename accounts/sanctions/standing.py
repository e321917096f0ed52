"""An account's standing: its sanctions, their effects, and appeals.

``User.is_restricted`` says whether there may be any, so that other users' requests cost no query.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.sanctions.models import Sanction

ANSWER_WITHIN = timedelta(days=3)
"""How soon moderators must answer an appeal."""

MAX_APPEAL_LENGTH = 2000

RESTRICTED = {
    Sanction.Kind.BAN: gettext_lazy("{name} is banned."),
    Sanction.Kind.SUSPENSION: gettext_lazy("{name} is suspended and can’t play at the moment."),
}
"""What others read about a user who is kept out."""

MUTED = gettext_lazy("You may not write to others at the moment. Your account’s standing says why.")


class InvalidSanction(Exception):
    """An operation on a sanction that isn't possible now; the message says why."""


def active(user: User, now: datetime) -> list[Sanction]:
    """Return the sanctions in effect, latest first; warnings that were read don't count."""
    if not user.is_restricted:
        return []
    return list(_holding(now).filter(user=user).order_by("-since", "-pk"))


def _holding(now: datetime | Now) -> QuerySet[Sanction]:
    lasting = Q(until=None) | Q(until__gt=now)
    sanctions = Sanction.objects.filter(lasting, lifted=None)
    return sanctions.exclude(kind=Sanction.Kind.WARNING, read__isnull=False)


def shutting_out() -> QuerySet[Sanction]:
    """Return the suspensions and bans in effect, by the database's clock."""
    return _holding(Now()).filter(kind__in=RESTRICTED)


def is_muted(user: User, now: datetime) -> bool:
    return any(sanction.kind != Sanction.Kind.WARNING for sanction in active(user, now))


def restriction(user: User, now: datetime) -> Sanction.Kind | None:
    """Return ``BAN`` or ``SUSPENSION`` if one keeps a user out now, a ban first."""
    kinds = {sanction.kind for sanction in active(user, now)}
    return next((kind for kind in RESTRICTED if kind in kinds), None)


def is_shut_out(user: User, now: datetime) -> bool:
    return restriction(user, now) is not None


def banned() -> QuerySet[Sanction, Any]:
    """Return the ids of banned users, as a subquery for filters."""
    return Sanction.objects.filter(kind=Sanction.Kind.BAN, lifted=None).values("user")


def refusal(user: User, now: datetime) -> str:
    """Return why a user can't play now, for others to read; empty if they can."""
    kind = restriction(user, now)
    return RESTRICTED[kind].format(name=user.shown_name) if kind else ""


def stops(user: User, now: datetime) -> list[Sanction]:
    """Return the sanctions a user must read, or is kept out by."""
    return [sanction for sanction in active(user, now) if sanction.kind != Sanction.Kind.MUTE]


def impose(
    user: User,
    kind: Sanction.Kind,
    *,
    reason: str,
    moderator: User,
    now: datetime,
    until: datetime | None = None,
) -> Sanction:
    """Impose a sanction on an account."""
    imposed = Sanction.objects.create(
        user=user, kind=kind, reason=reason, since=now, until=until, moderator=moderator
    )
    user.is_restricted = True
    user.save(update_fields=["is_restricted"])
    return imposed


def lift(sanction: Sanction, *, now: datetime) -> bool:
    """Lift a sanction; ``False`` if it was lifted already."""
    lifted = Sanction.objects.filter(pk=sanction.pk, lifted=None).update(lifted=now)
    settle(sanction.user, now=now)
    return bool(lifted)


def read(user: User, sanction_id: int, *, now: datetime) -> None:
    """Note that a user has read a warning."""
    warnings = Sanction.objects.filter(user=user, pk=sanction_id, kind=Sanction.Kind.WARNING)
    warnings.filter(read=None).update(read=now)
    settle(user, now=now)


def move(user: User, to: User, *, now: datetime) -> None:
    """Move sanctions to another account of the same person."""
    if Sanction.objects.filter(user=user).update(user=to):
        settle(to, now=now)


@transaction.atomic
def settle(user: User, *, now: datetime) -> None:
    """Update ``is_restricted`` from the sanctions in effect.

    Locks the row, so that a sanction imposed at the same time is either seen here or sets the flag
    later.
    """
    row = User.objects.filter(pk=user.pk)
    marked = row.select_for_update(no_key=True).values_list("is_restricted", flat=True).first()
    user.is_restricted = _holding(now).filter(user=user).exists()
    if marked != user.is_restricted:
        row.update(is_restricted=user.is_restricted)


def appeal(user: User, sanction_id: int, text: str, *, now: datetime) -> Sanction:
    """Store an appeal against a sanction.

    :raises InvalidSanction: there is no such sanction in effect, or it has an appeal.
    """
    sanction = _holding(now).filter(user=user, pk=sanction_id).exclude(kind=Sanction.Kind.WARNING)
    if not sanction.exists():
        raise InvalidSanction(_("There is nothing you can appeal against."))
    written = {
        "appeal": text[:MAX_APPEAL_LENGTH],
        "appealed": now,
        "answer_due": now + ANSWER_WITHIN,
    }
    if not sanction.filter(appealed=None).update(**written):
        raise InvalidSanction(_("You have already appealed."))
    return sanction.get()


def answer(sanction: Sanction, text: str, *, now: datetime) -> None:
    """Answer an appeal, once.

    :raises InvalidSanction: it does not exist, or it was answered.
    """
    open_ones = Sanction.objects.filter(pk=sanction.pk, appealed__isnull=False, answered=None)
    if not open_ones.update(answer=text, answered=now):
        raise InvalidSanction(_("There is no appeal to answer."))
