"""What every change of a club shares: the locked row, and who may make it.

Every change locks the row of its club first, and then the row of a user if it counts the user's
clubs.
"""

from datetime import datetime
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import blocks, signup
from accounts.models import User
from games.clubs.errors import MayNotJoin, NoSuchClub, NotALeader
from games.clubs.models import Club, LeaderAct, Membership
from games.clubs.signals import membership_ended
from games.matches.errors import Refused

MAX_MEMBERSHIPS = 50
"""How many clubs a user may be in."""

MAX_MEMBERS = 10_000

CLOSED = gettext_lazy("This club is closed.")
CANNOT_JOIN = gettext_lazy("You can’t join this club.")
ONLY_LEADERS = gettext_lazy("Only leaders of the club can do this.")


def locked(pk: int) -> Club:
    """Return an open club, locked until the transaction ends.

    :raises NoSuchClub: it does not exist.
    :raises Refused: it is closed.
    """
    club = Club.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if club is None:
        raise NoSuchClub(_("There is no club {number}.").format(number=pk))
    if not club.is_open:
        raise Refused(str(CLOSED))
    return club


def locked_by_leader(pk: int, leader: User) -> tuple[Club, Membership]:
    """Return an open club, locked, and the membership of its leader.

    :raises NotALeader: the user doesn't lead it.
    :raises NoSuchClub: it does not exist.
    :raises Refused: it is closed.
    """
    club = locked(pk)
    membership = membership_of(club, leader)
    if membership is None or not membership.leads:
        raise NotALeader(str(ONLY_LEADERS))
    return club, membership


def membership_of(club: Club, user: User) -> Membership | None:
    return Membership.objects.filter(club=club, user=user).select_related("user").first()


def log(club: Club, leader: User | None, kind: LeaderAct.Kind, now: datetime, **parts: Any) -> None:
    """Log what a leader did, in its transaction. ``parts`` are columns of the act."""
    LeaderAct.objects.create(club=club, at=now, actor=leader, kind=kind, **parts)


def check_may_join(user: User) -> None:
    """:raises MayNotJoin: an account like this can't join clubs."""
    if user.is_guest:
        raise MayNotJoin(_("Guests can’t join clubs. Join Turnstone first: you keep your matches."))
    if user.is_bot or user.is_program:
        raise MayNotJoin(_("Accounts of bots can’t join clubs."))
    if signup.awaits_confirmation(user):
        raise MayNotJoin(_("Confirm your email address first: then you can join clubs."))


def check_may_found(user: User) -> None:
    """:raises MayNotJoin: an account like this can't found clubs."""
    if user.is_guest:
        raise MayNotJoin(
            _("Guests can’t found clubs. Join Turnstone first: you keep your matches.")
        )
    if user.is_bot or user.is_program:
        raise MayNotJoin(_("Accounts of bots can’t found clubs."))
    if signup.awaits_confirmation(user):
        raise MayNotJoin(_("Confirm your email address first: then you can found clubs."))


def check_blocks(club: Club, user: User) -> None:
    """:raises MayNotJoin: a block separates the user from a leader. It doesn't say which."""
    leaders = Membership.objects.filter(club=club, led_since__isnull=False)
    if blocks.apart(user, leaders.values_list("user", flat=True)):
        raise MayNotJoin(str(CANNOT_JOIN))


def add(club: Club, user: User, now: datetime) -> Membership:
    """Add a member to a locked club, and end what was pending between the two.

    :raises MayNotJoin: the club or the user's list of clubs is full.
    """
    if club.size >= MAX_MEMBERS:
        raise MayNotJoin(_("This club is full."))
    user.lock()
    if Membership.objects.filter(user=user).count() >= MAX_MEMBERSHIPS:
        # Translators: {count} is always more than 1.
        words = _("{name} is in {count} clubs already.")
        raise MayNotJoin(words.format(name=user.username, count=MAX_MEMBERSHIPS))
    membership = Membership.objects.create(club=club, user=user, joined=now)
    club.candidates.filter(user=user).delete()
    club.exclusions.filter(user=user).delete()
    _count(club, 1)
    return membership


def drop(club: Club, membership: Membership) -> None:
    """Delete a membership of a locked club."""
    membership.delete()
    _count(club, -1)
    membership_ended.send(Membership, club=club, user=membership.user)


def _count(club: Club, change: int) -> None:
    Club.objects.filter(pk=club.pk).update(size=F("size") + change)
    club.size += change
