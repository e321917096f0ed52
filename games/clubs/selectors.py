"""Clubs for pages and programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.clubs import candidates, names
from games.clubs.errors import NoSuchClub
from games.clubs.models import Candidate, Club, Exclusion, LeaderAct, Membership, Message
from games.matches.numbered_pages import NumberedPage, numbered_page
from games.ratings.selectors import DisplayedRating, of_many

PAGE_LENGTH = 50
"""How many members, or clubs, a page of a list shows."""

MODERATES = "moderation.use_desk"


def get(pk: int) -> Club:
    """:raises NoSuchClub: it does not exist."""
    club = Club.objects.filter(pk=pk).first()
    if club is None:
        raise NoSuchClub(_("There is no club {number}.").format(number=pk))
    return club


def named(name: str) -> Club | None:
    """Return the open club with a name, or one that looks like it."""
    return Club.objects.filter(skeleton=names.skeleton(name), closed=None).first()


def membership(club: Club, user: Any) -> Membership | None:
    """Return the membership of a user, who may be anonymous."""
    if not user.is_authenticated:
        return None
    own = Membership.objects.filter(club=club, user=user).first()
    if own is not None:
        own.club, own.user = club, user
    return own


def sees_inside(club: Club, user: Any, own: Membership | None) -> bool:
    """Whether a user, who may be anonymous, sees more of a club than its name and size.

    :param own: the user's membership.
    """
    return not club.is_private or own is not None or bool(user.has_perm(MODERATES))


def may_look_inside(club: Club, user: Any) -> bool:
    """Whether a user, who may be anonymous, sees more. Reads the membership if it matters."""
    return not club.is_private or sees_inside(club, user, membership(club, user))


def listed(
    *, name: str = "", country: str = "", language: str = "", page: int = 1
) -> NumberedPage[Club]:
    """Return a page of the open clubs, the largest first.

    Country and language of a private club can't be found, since they aren't shown.
    """
    clubs = Club.objects.filter(closed=None)
    if name:
        clubs = clubs.filter(_named(name))
    if country:
        clubs = clubs.filter(country=country, is_private=False)
    if language:
        clubs = clubs.filter(language=language, is_private=False)
    return numbered_page(clubs.order_by("-size", "pk"), page, PAGE_LENGTH)


def _named(part: str) -> Q:
    """Return the condition that a name contains a part, or something that looks like it."""
    bones = names.skeleton(part)
    return (
        Q(name__icontains=part) | Q(skeleton__contains=bones) if bones else Q(name__icontains=part)
    )


def of_member(user: User) -> QuerySet[Membership]:
    """Return a user's memberships of open clubs, with the clubs, by name."""
    own = Membership.objects.filter(user=user, club__closed=None)
    return own.select_related("club").order_by("club__name", "pk")


def shown_on_profile(person: User, reader: Any) -> QuerySet[Membership]:
    """Return the memberships of a person that a reader may see: not those of private clubs.

    Their members, and the person, see those as well.
    """
    theirs = of_member(person)
    if reader.is_authenticated:
        shared = Membership.objects.filter(user=reader).values("club")
        return theirs.filter(Q(club__is_private=False) | Q(club__in=shared))
    return theirs.filter(club__is_private=False)


def led_by(user: User) -> QuerySet[Club]:
    """Return the open clubs that a user leads or has founded."""
    led = Membership.objects.filter(user=user, led_since__isnull=False).values("club")
    return Club.objects.filter(Q(pk__in=led) | Q(founder=user), closed=None).order_by("pk")


def leaders_of(club: Club) -> QuerySet[Membership]:
    """Return the leaders, who has led longest first."""
    leaders = club.memberships.filter(led_since__isnull=False)
    return leaders.select_related("user").order_by("led_since", "pk")


@dataclass(frozen=True)
class Member:
    """A member with the rating in a game, ``None`` without one."""

    membership: Membership
    rating: DisplayedRating | None

    @property
    def user(self) -> User:
        return self.membership.user


def members(
    club: Club,
    now: datetime,
    *,
    title: str = "",
    name: str = "",
    page: int = 1,
    length: int = PAGE_LENGTH,
) -> NumberedPage[Member]:
    """Return a page of the members, by rating in a game.

    Those without a rating come last, by name. Without a game the leaders come first, and then
    who joined first. ``name`` is a part of the names to list.
    """
    rows = club.memberships.select_related("user")
    if name:
        rows = rows.filter(user__username__icontains=name)
    if title:
        in_game = FilteredRelation("user__ratings", condition=Q(user__ratings__title=title))
        rows = rows.annotate(rating=in_game, rating_mu=F("rating__mu"))
        rows = rows.order_by(F("rating_mu").desc(nulls_last=True), "user__username")
    else:
        rows = rows.order_by(F("led_since").asc(nulls_last=True), "joined", "pk")
    return numbered_page(rows, page, length).shown_as(lambda few: _rated(few, title, now))


def _rated(memberships: Sequence[Membership], title: str, now: datetime) -> list[Member]:
    ratings = _ratings([one.user_id for one in memberships], title, now) if title else {}
    return [Member(one, ratings.get(one.user_id)) for one in memberships]


def _ratings(users: Sequence[int], title: str, now: datetime) -> dict[int, DisplayedRating]:
    wanted = [(user, title) for user in users]
    return {user: rating for (user, _), rating in of_many(wanted, now).items()}


def candidate(club: Club, user: Any, now: datetime) -> Candidate | None:
    """Return the pending request or invitation of a user, who may be anonymous."""
    if not user.is_authenticated:
        return None
    return candidates.pending(now).filter(club=club, user=user).first()


def invitations_of(user: User, now: datetime) -> QuerySet[Candidate]:
    """Return the invitations that wait for a user's answer, the latest first.

    Mostly there are none, so clubs and leaders are read apart: joins take longer than the rest.
    """
    invited = candidates.pending(now).filter(user=user, kind=Candidate.Kind.INVITATION)
    return invited.prefetch_related("club", "by").order_by("-created", "-pk")


def requests_of(user: User, now: datetime) -> QuerySet[Candidate]:
    """Return the user's requests that wait for an answer, the latest first."""
    asked = candidates.pending(now).filter(user=user, kind=Candidate.Kind.REQUEST)
    return asked.prefetch_related("club").order_by("-created", "-pk")


def waiting(club: Club, kind: Candidate.Kind, now: datetime) -> QuerySet[Candidate]:
    """Return the requests or invitations of a club that wait for an answer, the first on top."""
    rows = candidates.pending(now).filter(club=club, kind=kind)
    return rows.select_related("user", "by").order_by("created", "pk")


def excluded(club: Club, now: datetime) -> QuerySet[Exclusion]:
    """Return who can't come back to a club, the latest first."""
    holding = club.exclusions.filter(Q(until=None) | Q(until__gt=now))
    return holding.select_related("user", "by").order_by("-since", "-pk")


def leader_acts() -> QuerySet[LeaderAct]:
    """Return what leaders did in all clubs, the latest first."""
    return LeaderAct.objects.select_related("club", "actor", "about", "other")


def last_message(club: Club) -> Message | None:
    return club.messages.select_related("author").first()
