"""Founding, leading, leaving and closing clubs. All functions take ``now``."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import languages, texts
from accounts.models import User
from games.clubs import changes, names, notifications
from games.clubs.errors import NotALeader
from games.clubs.models import (
    Candidate,
    Club,
    Colour,
    Exclusion,
    LeaderAct,
    Membership,
    Shape,
    Sign,
)
from games.clubs.signals import club_closed
from games.matches.errors import Refused
from games.matches.models import Player
from games.talk import writing

MAX_FOUNDED = 3
"""How many open clubs a user may have founded."""

MIN_MATCHES = 5
"""How many matches somebody must have played to the end who founds a club."""

MAX_LEADERS = 30

KEPT_OUT = timedelta(days=30)
"""How long a removed member can't come back, unless it is for good or they are invited."""

NAME_TAKEN = gettext_lazy("There is a club with this name, or one that looks too similar.")
LAST_LEADER = gettext_lazy(
    "You are the last leader. Make somebody else a leader first, or close the club."
)
OPEN_AND_PRIVATE = gettext_lazy(
    "A private club can’t be open to all. Let people ask, or invite them."
)


@dataclass(frozen=True)
class Terms:
    """Everything that leaders choose about a club."""

    name: str
    about: str = ""
    country: str = ""
    language: str = ""
    admission: Club.Admission = Club.Admission.OPEN
    is_private: bool = False
    shape: Shape = Shape.SHIELD
    colour: Colour = Colour.BLUE
    second_colour: Colour = Colour.YELLOW
    sign: Sign = Sign.STAR

    @classmethod
    def of(cls, club: Club) -> "Terms":
        """Return those of a club as it is."""
        return cls(
            name=club.name,
            about=club.about,
            country=str(club.country),
            language=club.language,
            admission=Club.Admission(club.admission),
            is_private=club.is_private,
            shape=Shape(club.shape),
            colour=Colour(club.colour),
            second_colour=Colour(club.second_colour),
            sign=Sign(club.sign),
        )

    def check(self) -> None:
        """:raises Refused: the name isn't allowed, or the rest doesn't go together."""
        names.validate(texts.one_line(self.name))
        if self.is_private and self.admission == Club.Admission.OPEN:
            raise Refused(str(OPEN_AND_PRIVATE))
        if self.language and self.language not in languages.offered():
            raise Refused(_("We don’t know this language."))

    def columns(self) -> Mapping[str, object]:
        """Return the values of a row."""
        name = texts.one_line(self.name)
        return {**asdict(self), "name": name, "skeleton": names.skeleton(name)}


@transaction.atomic
def found(*, founder: User, terms: Terms, now: datetime) -> Club:
    """Found a club, whose first leader is the founder.

    :raises MayNotJoin: guests, bots and people without a confirmed address found no clubs.
    :raises Refused: the founder has played too little or has too many clubs, or the terms are
        wrong.
    """
    changes.check_may_found(founder)
    played = Player.objects.filter(user=founder, ended__isnull=False).exclude(result="")
    if played.count() < MIN_MATCHES:
        # Translators: {count} is always more than 1.
        words = _("Play {count} matches to the end first: then you can found a club.")
        raise Refused(words.format(count=MIN_MATCHES))
    founder.lock()
    if Club.objects.filter(founder=founder, closed=None).count() >= MAX_FOUNDED:
        # Translators: {count} is always more than 1.
        words = _("You have founded {count} clubs already. Close one of them first.")
        raise Refused(words.format(count=MAX_FOUNDED))
    return establish(founder=founder, terms=terms, now=now)


@transaction.atomic
def establish(*, founder: User, terms: Terms, now: datetime) -> Club:
    """Found a club whatever the founder has played, such as a sample.

    :raises Refused: the terms are wrong, the name is taken, or the founder may not write.
    """
    terms.check()
    writing.check_may_write(founder, terms.name, now)
    club = _saved(Club(founder=founder, created=now, **terms.columns()))
    membership = changes.add(club, founder, now)
    membership.led_since = now
    membership.save(update_fields=["led_since"])
    return club


def _saved(club: Club) -> Club:
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:
        raise Refused(str(NAME_TAKEN)) from error
    return club


@transaction.atomic
def edit(*, club_id: int, leader: User, terms: Terms, now: datetime) -> Club:
    """Change what leaders choose about a club.

    Who waits for an answer goes on waiting, and nobody has to leave.

    :raises NotALeader: only leaders edit.
    :raises Refused: the terms are wrong, the name is taken, or the leader is muted and changes a
        text.
    """
    club, _own = changes.locked_by_leader(club_id, leader)
    terms.check()
    columns = terms.columns()
    if (club.name, club.about) != (columns["name"], texts.lines(terms.about)):
        writing.check_may_write(leader, terms.name, now)
    for column, value in columns.items():
        setattr(club, column, value)
    try:
        with transaction.atomic():
            club.save(update_fields=list(columns))
    except IntegrityError as error:
        raise Refused(str(NAME_TAKEN)) from error
    changes.log(club, leader, LeaderAct.Kind.EDIT, now)
    return club


@transaction.atomic
def leave(*, club_id: int, user: User) -> Club:
    """Leave a club. Leaving twice has no effect.

    :raises Refused: the user is its last leader.
    """
    club = changes.locked(club_id)
    membership = changes.membership_of(club, user)
    if membership is None:
        return club
    if membership.leads and not _others_lead(club, user):
        raise Refused(str(LAST_LEADER))
    changes.drop(club, membership)
    return club


def _others_lead(club: Club, user: User) -> bool:
    leaders = Membership.objects.filter(club=club, led_since__isnull=False)
    return leaders.exclude(user=user).exists()


@transaction.atomic
def appoint(*, club_id: int, leader: User, user: User, now: datetime) -> Membership:
    """Make a member a leader. Doing it twice has no effect.

    :raises NotALeader: only leaders appoint.
    :raises Refused: the user isn't a member, or there are too many leaders.
    """
    club, _own = changes.locked_by_leader(club_id, leader)
    membership = _member(club, user)
    if membership.leads:
        return membership
    if club.memberships.filter(led_since__isnull=False).count() >= MAX_LEADERS:
        # Translators: {count} is always more than 1.
        raise Refused(_("A club has at most {count} leaders.").format(count=MAX_LEADERS))
    _lead(membership, now)
    changes.log(club, leader, LeaderAct.Kind.APPOINT, now, about=user)
    notifications.made_leader(club, user, now)
    return membership


def _member(club: Club, user: User) -> Membership:
    membership = changes.membership_of(club, user)
    if membership is None:
        raise Refused(_("{name} is not a member.").format(name=user.username))
    return membership


def _lead(membership: Membership, now: datetime | None) -> None:
    membership.led_since = now
    membership.save(update_fields=["led_since"])


@transaction.atomic
def dismiss(*, club_id: int, leader: User, user: User, now: datetime) -> Membership:
    """Make a leader an ordinary member: oneself, or one who has led for a shorter time.

    :raises NotALeader: only leaders do, and not with those who have led longer.
    :raises Refused: the user leads nothing here, or is the last leader.
    """
    club, own = changes.locked_by_leader(club_id, leader)
    membership = _member(club, user)
    if not membership.leads:
        raise Refused(_("{name} is not a leader.").format(name=user.username))
    if not _others_lead(club, user):
        raise Refused(str(LAST_LEADER))
    if membership.pk != own.pk and not outranks(own, membership):
        raise NotALeader(_("You can’t dismiss a leader who has led longer than you."))
    _lead(membership, None)
    changes.log(club, leader, LeaderAct.Kind.DISMISS, now, about=user)
    return membership


def outranks(one: Membership, other: Membership) -> bool:
    """Whether a leader has led longer than another one."""
    return (one.led_since, one.pk) < (other.led_since, other.pk)


@transaction.atomic
def remove(
    *,
    club_id: int,
    leader: User,
    user: User,
    reason: str,
    for_good: bool = False,
    now: datetime,
) -> Exclusion:
    """Remove a member, who reads the reason and can't come back for ``KEPT_OUT``, or for good.

    :raises NotALeader: only leaders remove members.
    :raises Refused: there is no reason, or the user isn't a member or leads the club.
    """
    club, _own = changes.locked_by_leader(club_id, leader)
    if not texts.lines(reason):
        raise Refused(_("Say why: the member reads it."))
    writing.check_may_write(leader, reason, now)
    membership = _member(club, user)
    if membership.leads:
        raise Refused(_("A leader can’t be removed. Dismiss them as a leader first."))
    changes.drop(club, membership)
    until = None if for_good else now + KEPT_OUT
    fields = {"by": leader, "reason": reason, "since": now, "until": until}
    exclusion, _is_new = Exclusion.objects.update_or_create(club=club, user=user, defaults=fields)
    changes.log(club, leader, LeaderAct.Kind.REMOVE, now, about=user, reason=reason)
    notifications.removed(exclusion, now)
    return exclusion


@transaction.atomic
def close(*, club_id: int, leader: User, now: datetime) -> Club:
    """Close a club for good, and notify its members.

    :raises NotALeader: only leaders close it.
    """
    club, _own = changes.locked_by_leader(club_id, leader)
    _close(club, leader, now)
    changes.log(club, leader, LeaderAct.Kind.CLOSE, now)
    return club


def _close(club: Club, by: User | None, now: datetime) -> None:
    club.closed = now
    club.save(update_fields=["closed"])
    club.candidates.all().delete()
    club_closed.send(Club, club=club, now=now)
    notifications.closed(club, by, now)


# --- Moderators and accounts that go --------------------------------------------------------------


@transaction.atomic
def close_by_moderator(*, club_id: int, now: datetime) -> Club:
    """Close a club in the place of its leaders, and notify its members.

    :raises Refused: it is closed already.
    """
    club = changes.locked(club_id)
    _close(club, None, now)
    return club


@transaction.atomic
def clear_texts(*, club_id: int) -> Club:
    """Erase the name, the text and the messages of a club, which may be closed."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    club.name = f"Club {club.pk}"
    club.skeleton = names.skeleton(club.name)
    club.about = ""
    club.save(update_fields=["name", "skeleton", "about"])
    club.messages.all().delete()
    return club


def leave_all(user: User, *, now: datetime) -> None:
    """Let a user leave all clubs. A club without another leader passes on.

    Its next leader is who has been a member for longest. Without other members it is closed.
    """
    for pk in list(Membership.objects.filter(user=user).values_list("club", flat=True)):
        _pass_on(pk, user, now)
    Candidate.objects.filter(user=user).delete()


@transaction.atomic
def _pass_on(club_id: int, user: User, now: datetime) -> None:
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    membership = changes.membership_of(club, user)
    if membership is None:
        return
    if club.is_open and membership.leads and not _others_lead(club, user):
        heir = _heir(club, user)
        if heir is None:
            _close(club, user, now)
        else:
            _lead(heir, now)
            notifications.made_leader(club, heir.user, now)
    changes.drop(club, membership)


def _heir(club: Club, user: User) -> Membership | None:
    """Return the membership of who leads next: of members who may use the site, the oldest."""
    others = club.memberships.exclude(user=user).filter(user__is_active=True)
    unrestricted = others.order_by("user__is_restricted", "joined", "pk")
    return unrestricted.select_related("user").first()
