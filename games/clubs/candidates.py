"""Who asks to join a club, and who is invited."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import dates
from accounts.models import User
from accounts.sanctions import standing
from games.clubs import changes, notifications
from games.clubs.errors import MayNotJoin
from games.clubs.models import Candidate, Club, Exclusion, LeaderAct, Membership
from games.matches.errors import Refused
from games.talk import writing

Kind = Candidate.Kind

LIFETIME = timedelta(days=30)
"""How long a request or an invitation waits, and how long one counts that was declined."""

MAX_REQUESTS = 10
"""How many requests of a user may wait for an answer."""

MAX_WAITING = 500
"""How many requests may wait in one club."""

MAX_INVITATIONS = 100
"""How many invitations a club may send within ``LIFETIME``, without those that were accepted."""

ALREADY_IN = gettext_lazy("{name} is a member already.")
DECLINED = gettext_lazy("This club has declined your request. You can ask again after 30 days.")
NOBODY_WAITS = gettext_lazy("This request or invitation has been answered already.")


def current(now: datetime) -> QuerySet[Candidate]:
    """Return the candidacies that still count, declined ones as well."""
    return Candidate.objects.filter(created__gt=now - LIFETIME, club__closed=None)


def pending(now: datetime) -> QuerySet[Candidate]:
    """Return the candidacies that wait for an answer."""
    return current(now).filter(declined=None)


@transaction.atomic
def join(*, club_id: int, user: User, now: datetime, text: str = "") -> Membership | Candidate:
    """Join a club, accept its invitation, or ask its leaders. Repeating it has no effect.

    :param text: what the leaders read beside a request.
    :raises MayNotJoin: the user may not join, or not now.
    :raises Refused: the club is closed, or the user is muted and has written something.
    """
    club = changes.locked(club_id)
    if membership := changes.membership_of(club, user):
        return membership
    changes.check_may_join(user)
    changes.check_blocks(club, user)
    asked = current(now).filter(club=club, user=user).first()
    if asked and asked.kind == Kind.INVITATION and asked.declined is None:
        return changes.add(club, user, now)
    check_may_return(club, user, now)
    if club.admission == Club.Admission.OPEN:
        return changes.add(club, user, now)
    if club.admission == Club.Admission.INVITATION:
        raise MayNotJoin(_("This club takes members by invitation only."))
    if asked and asked.kind == Kind.REQUEST:
        if asked.declined:
            raise MayNotJoin(str(DECLINED))
        return asked
    return _ask(club, user, text, now)


def check_may_return(club: Club, user: User, now: datetime) -> None:
    """:raises MayNotJoin: the user was removed, and the time for which that counts isn't over."""
    exclusion = club.exclusions.filter(user=user).first()
    if exclusion is None or (exclusion.until is not None and exclusion.until <= now):
        return
    if exclusion.until is None:
        raise MayNotJoin(_("The leaders have removed you from this club for good."))
    words = _(
        "The leaders have removed you from this club. You can come back after {date}, or if they"
        " invite you."
    )
    raise MayNotJoin(words.format(date=dates.day(exclusion.until)))


def _ask(club: Club, user: User, text: str, now: datetime) -> Candidate:
    writing.check_may_write(user, text, now)
    user.lock()
    waiting = pending(now).filter(kind=Kind.REQUEST)
    if waiting.filter(user=user).count() >= MAX_REQUESTS:
        # Translators: {count} is always more than 1.
        words = _("You wait for the answers of {count} clubs already. Withdraw a request first.")
        raise MayNotJoin(words.format(count=MAX_REQUESTS))
    if waiting.filter(club=club).count() >= MAX_WAITING:
        raise MayNotJoin(_("Too many people wait for an answer of this club. Try again later."))
    candidate = _replaced(club, user, Kind.REQUEST, now, text=text)
    notifications.asked(candidate, now)
    return candidate


def _replaced(
    club: Club, user: User, kind: Kind, now: datetime, *, by: User | None = None, text: str = ""
) -> Candidate:
    """Write a candidacy in place of an earlier one."""
    fields = {"kind": kind, "by": by, "text": text, "created": now, "declined": None}
    candidate, _is_new = Candidate.objects.update_or_create(club=club, user=user, defaults=fields)
    return candidate


@transaction.atomic
def invite(
    *, club_id: int, leader: User, user: User | None, now: datetime
) -> Membership | Candidate:
    """Invite a user, who becomes a member at once if they have asked to join.

    Inviting twice has no effect. It ends an exclusion only when the user accepts.

    :raises NotALeader: only leaders invite.
    :raises Refused: the user can't be invited now.
    """
    club, _own = changes.locked_by_leader(club_id, leader)
    if user is None:
        raise Refused(_("There is no player with this name."))
    if changes.membership_of(club, user):
        raise Refused(ALREADY_IN.format(name=user.username))
    if why := standing.refusal(user, now):
        raise Refused(why)
    try:
        changes.check_may_join(user)
        changes.check_blocks(club, user)
    except MayNotJoin as refusal:
        words = _("{name} can’t be invited.")
        raise Refused(words.format(name=user.username)) from refusal
    before = current(now).filter(club=club, user=user).first()
    if before and before.kind == Kind.REQUEST and before.declined is None:
        return _taken_in(club, user, now)
    if before and before.kind == Kind.INVITATION:
        if before.declined:
            words = _("{name} has declined. You can ask again after 30 days.")
            raise Refused(words.format(name=user.username))
        return before
    sent = current(now).filter(club=club, kind=Kind.INVITATION)
    if sent.count() >= MAX_INVITATIONS:
        # Translators: {count} is always more than 1.
        words = _(
            "{count} invitations of the last 30 days were declined or wait for an answer. Wait"
            " until some are accepted or over."
        )
        raise Refused(words.format(count=MAX_INVITATIONS))
    writing.check_may_write(leader, "An invitation counts as one.", now)
    candidate = _replaced(club, user, Kind.INVITATION, now, by=leader)
    notifications.invited(candidate, now)
    return candidate


def _taken_in(club: Club, user: User, now: datetime) -> Membership:
    membership = changes.add(club, user, now)
    notifications.answered(club, user, now, is_accepted=True)
    return membership


@transaction.atomic
def answer(
    *, club_id: int, leader: User, user: User, accepts: bool, now: datetime
) -> Membership | None:
    """Accept or decline a request.

    :raises NotALeader: only leaders answer.
    :raises Refused: there is no such request.
    """
    club, _own = changes.locked_by_leader(club_id, leader)
    asked = pending(now).filter(club=club, user=user, kind=Kind.REQUEST)
    if not asked.exists():
        raise Refused(str(NOBODY_WAITS))
    if accepts:
        if why := standing.refusal(user, now):
            raise Refused(why)
        return _taken_in(club, user, now)
    asked.update(declined=now)
    notifications.answered(club, user, now, is_accepted=False)
    return None


@transaction.atomic
def decline(*, club_id: int, user: User, now: datetime) -> None:
    """Decline an invitation, or withdraw a request.

    :raises Refused: there is none.
    """
    club = changes.locked(club_id)
    own = pending(now).filter(club=club, user=user)
    withdrawn, _rows = own.filter(kind=Kind.REQUEST).delete()
    if not withdrawn and not own.update(declined=now):
        raise Refused(str(NOBODY_WAITS))


@transaction.atomic
def withdraw(*, club_id: int, leader: User, user: User, now: datetime) -> None:
    """Withdraw an invitation. It counts on, so that nobody is invited again and again.

    :raises NotALeader: only leaders withdraw invitations.
    :raises Refused: there is no such invitation.
    """
    club, _own = changes.locked_by_leader(club_id, leader)
    sent = pending(now).filter(club=club, user=user, kind=Kind.INVITATION)
    if not sent.update(declined=now):
        raise Refused(str(NOBODY_WAITS))


@transaction.atomic
def readmit(*, club_id: int, leader: User, user: User, now: datetime) -> None:
    """End an exclusion, so that the user can join or ask again.

    :raises NotALeader: only leaders end it.
    :raises Refused: the user isn't excluded.
    """
    club, _own = changes.locked_by_leader(club_id, leader)
    ended, _rows = Exclusion.objects.filter(club=club, user=user).delete()
    if not ended:
        raise Refused(_("{name} can come back already.").format(name=user.username))
    changes.log(club, leader, LeaderAct.Kind.READMIT, now, about=user)
