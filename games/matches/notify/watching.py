"""Watching matches: a user's own list, and notifications of their ends."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.matches import listing
from games.matches.errors import NoSuchMatch, Refused
from games.matches.models import Match, Watch

MAX_WATCHED = 200
"""Maximum number of matches that a user may watch."""


def watch(*, user: User, match_id: int, tells_end: bool, now: datetime) -> None:
    """Watch a match. Watching again updates ``tells_end``.

    :raises NoSuchMatch: it does not exist.
    :raises Refused: the user watches too many.
    """
    if not Match.objects.filter(pk=match_id).exists():
        raise NoSuchMatch(_("There is no match {number}.").format(number=match_id))
    others = Watch.objects.filter(user=user).exclude(match=match_id)
    if others.count() >= MAX_WATCHED:
        raise Refused(_("You watch {count} matches already.").format(count=MAX_WATCHED))
    asked = {"tells_end": tells_end}
    new = {"since": now, **asked}
    Watch.objects.update_or_create(
        user=user, match_id=match_id, defaults=asked, create_defaults=new
    )


def unwatch(*, user: User, match_id: int) -> None:
    """Stop watching a match, if watching."""
    Watch.objects.filter(user=user, match=match_id).delete()


def of(user: User, match: Match) -> Watch | None:
    """Return how a user watches a match. ``None`` if they don't."""
    return Watch.objects.filter(user=user, match=match).first()


def running(user: User) -> QuerySet[Match]:
    """Return the running matches that a user watches. Each has ``latest``."""
    return listing.by_latest(_watched(user).filter(status=Match.Status.RUNNING))


def ended(user: User) -> QuerySet[Match]:
    """Return the ended matches that a user keeps. Each has ``latest``."""
    return listing.by_latest(_watched(user).exclude(status=Match.Status.RUNNING))


def _watched(user: User) -> QuerySet[Match]:
    return Match.objects.filter(pk__in=Watch.objects.filter(user=user).values("match"))


def told_of_ends(match_ids: Iterable[int]) -> dict[int, list[int]]:
    """Return the ids of users who want a notification of the end, by match."""
    recipients: dict[int, list[int]] = {match_id: [] for match_id in match_ids}
    watches = Watch.objects.filter(match__in=recipients, tells_end=True, user__is_active=True)
    for match_id, user_id in watches.values_list("match", "user"):
        recipients[match_id].append(user_id)
    return recipients
