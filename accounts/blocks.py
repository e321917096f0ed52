"""Blocks: who wants nothing more to do with whom. No moderator is needed, and nobody is told."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q

from accounts.models import Block, User


def block(*, user: User, other: User, now: datetime) -> None:
    """Let a user block another one; blocking twice is harmless.

    :raises ValueError: both are the same, or the other is a bot.
    """
    if user.pk == other.pk or other.is_bot:
        raise ValueError("Nobody blocks a bot, or oneself.")
    Block.objects.get_or_create(blocker=user, blocked=other, defaults={"created": now})


def unblock(*, user: User, other: User) -> None:
    """Take a block away; harmless where there is none."""
    Block.objects.filter(blocker=user, blocked=other).delete()


def has_blocked(user: User, other: User) -> bool:
    """Whether a user has blocked another one."""
    return Block.objects.filter(blocker=user, blocked=other).exists()


def blockers(user: User, other: User) -> set[int]:
    """Return those of two users, by id, who have blocked the other one."""
    either = Q(blocker=user, blocked=other) | Q(blocker=other, blocked=user)
    return set(Block.objects.filter(either).values_list("blocker_id", flat=True))


def apart(user: User, others: Collection[int]) -> set[int]:
    """Return those of others, by id, who have blocked a user or were blocked by that user."""
    either = Q(blocker=user, blocked__in=others) | Q(blocked=user, blocker__in=others)
    found = Block.objects.filter(either).values_list("blocker_id", "blocked_id")
    return {pk for pair in found for pk in pair} - {user.pk}


def between(user: User, field: str) -> Q:
    """Return the condition that a user and the one in ``field`` are kept apart by a block."""
    blocked = Block.objects.filter(blocker=user).values("blocked")
    blockers = Block.objects.filter(blocked=user).values("blocker")
    return Q(**{f"{field}__in": blocked}) | Q(**{f"{field}__in": blockers})
