"""Blocks: players who keep each other away. No moderator is involved, and nobody is notified."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Block, User
from accounts.signals import player_blocked


@transaction.atomic
def block(*, user: User, other: User, now: datetime) -> None:
    """Block a player, which ends what is pending between the two. Blocking twice is harmless.

    :raises ValueError: both are the same user, or the other is a bot.
    """
    if user.pk == other.pk or other.is_bot:
        raise ValueError(_("Nobody blocks a bot, or oneself."))
    Block.objects.get_or_create(blocker=user, blocked=other, defaults={"created": now})
    player_blocked.send(Block, user=user, other=other, now=now)


def unblock(*, user: User, other: User) -> None:
    Block.objects.filter(blocker=user, blocked=other).delete()


def has_blocked(user: User, other: User) -> bool:
    return Block.objects.filter(blocker=user, blocked=other).exists()


def blockers(user: User, other: User) -> set[int]:
    """Return the ids of those of two users who have blocked the other."""
    either = Q(blocker=user, blocked=other) | Q(blocker=other, blocked=user)
    return set(Block.objects.filter(either).values_list("blocker_id", flat=True))


def apart(user: User, others: Collection[int]) -> set[int]:
    """Return the ids of those ``others`` who have blocked the user or are blocked by them."""
    either = Q(blocker=user, blocked__in=others) | Q(blocked=user, blocker__in=others)
    pairs = Block.objects.filter(either).values_list("blocker_id", "blocked_id")
    return {pk for pair in pairs for pk in pair} - {user.pk}


def all_apart(user: User) -> set[int]:
    """Return the ids of all who have blocked a user or are blocked by them."""
    blocked, blockers = sides(user)
    return {pk for (pk,) in blocked.union(blockers)}


def sides(user: User) -> tuple[QuerySet[Block, Any], QuerySet[Block, Any]]:
    """Return rows of ids: of those whom a user has blocked, and of those who blocked the user."""
    blocked = Block.objects.filter(blocker=user).order_by().values_list("blocked")
    return blocked, Block.objects.filter(blocked=user).order_by().values_list("blocker")


def between(user: User, field: str) -> Q:
    """Return the condition that a block separates a user from the one in ``field``."""
    blocked, blockers = sides(user)
    return Q(**{f"{field}__in": blocked}) | Q(**{f"{field}__in": blockers})
