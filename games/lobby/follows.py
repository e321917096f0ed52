"""Following players: notifications of their open challenges, and lists of their matches."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts import blocks, presence
from accounts.models import Block, User
from games.lobby import notifications
from games.lobby.models import Challenge, Follow
from games.matches import listing
from games.matches.errors import Refused
from games.matches.models import Match, Player

MAX_FOLLOWED = 200
"""Maximum number of players that a user may follow."""


def follow(*, user: User, other: User, now: datetime) -> None:
    """Follow a user. Following twice has no effect.

    :raises Refused: one has blocked the other, the other is a guest, or the user follows too many.
    """
    if other.is_guest or user.is_guest or other == user or blocks.apart(user, [other.pk]):
        raise Refused(_("You cannot follow this player."))
    if followed(user).count() >= MAX_FOLLOWED:
        raise Refused(_("You follow {count} players already.").format(count=MAX_FOLLOWED))
    Follow.objects.get_or_create(follower=user, followed=other, defaults={"created": now})


def unfollow(*, user: User, other: User) -> None:
    Follow.objects.filter(follower=user, followed=other).delete()


def is_following(user: User, other: User) -> bool:
    return user != other and Follow.objects.filter(follower=user, followed=other).exists()


def followed(user: User) -> QuerySet[User]:
    """Return the users that a user follows, without deleted and blocked ones."""
    people = User.objects.filter(followers__follower=user, is_active=True)
    return people.exclude(pk__in=_apart(user)).order_by("username")


def here_now(people: Sequence[User]) -> list[User]:
    """Return those of some followed users who have the site open, and show it."""
    here = presence.among([one.pk for one in people if one.shows_presence], presence.SITE)
    return [one for one in people if one.pk in here]


def _apart(user: User) -> QuerySet[User]:
    own = Block.objects.filter(blocker=user).values("blocked")
    others = Block.objects.filter(blocked=user).values("blocker")
    return User.objects.filter(Q(pk__in=own) | Q(pk__in=others))


def matches(user: User) -> QuerySet[Match]:
    """Return the running matches of followed users, annotated with ``latest``."""
    seats = Player.objects.filter(user__in=followed(user).values("pk"), ended=None)
    return listing.by_latest(Match.objects.filter(pk__in=seats.values("match")))


def notify_followers(challenge: Challenge, now: datetime) -> None:
    """Notify the creator's followers of an open challenge, in its transaction."""
    creator = challenge.creator
    followers = User.objects.filter(follows__followed=creator, is_active=True)
    for user in followers.exclude(pk__in=_apart(creator)):
        notifications.notify(notifications.CHALLENGE_POSTED, challenge, user, creator, now)
