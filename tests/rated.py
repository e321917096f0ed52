"""Ended matches for tests of ratings, written as rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.matches.models import LogEntry, Match, Player
from games.ratings.calculation import Strength, known_for
from games.ratings.models import Rating, RatingChange
from tests.fixtures import NOW

HOUR = timedelta(hours=1)
TITLE = "heap"


def ended_match(
    users: Sequence[User],
    ranks: Sequence[int],
    at: datetime = NOW,
    *,
    dropped: Mapping[int, str] | None = None,
    moved: Mapping[int, datetime | None] | None = None,
    title: str = TITLE,
    ending: str = "last",
    rated: bool = True,
    **fields: Any,
) -> Match:
    """Write a match that ended at a moment; every seat moved an hour before unless ``moved`` says.

    ``dropped`` says why a seat left, ``moved`` when it moved last, ``None`` for never.
    """
    left = dropped or {}
    match = Match.objects.create(
        title=title,
        params={},
        rules_version=1,
        commitment="0" * 64,
        secret=b"s" * 32,
        position={},
        status=fields.pop("status", Match.Status.OVER),
        ending=ending,
        created=at - 48 * HOUR,
        changed=fields.pop("changed", at),
        ended=at,
        rated=rated,
        **fields,
    )
    for seat, (user, rank) in enumerate(zip(users, ranks, strict=True)):
        Player.objects.create(
            match=match,
            seat=seat,
            user=user,
            nonce=b"n" * 32,
            rank=rank,
            dropped=left.get(seat, ""),
            title=title,
            ended=at,
            result=Player.Result.of(rank, ranks),
            is_bot=user.is_bot,
            with_bots=any(other.is_shown_as_bot for other in users if other != user),
        )
        when = (moved or {}).get(seat, at - HOUR)
        if when is not None:
            kind = LogEntry.Kind.PLAY
            LogEntry.objects.create(match=match, number=seat + 1, kind=kind, seat=seat, at=when)
    return match


def numbers(title: str = TITLE) -> dict[str, tuple[float, float, int]]:
    """Return number, uncertainty and matches of everybody, exactly."""
    found = Rating.objects.filter(title=title).select_related("user")
    return {one.user.username: (one.mu, one.sigma, one.matches) for one in found}


def changes(title: str = TITLE) -> list[tuple[Any, ...]]:
    """Return all changes, exactly."""
    fields = ("match", "seat", "user", "mu_before", "sigma_before", "mu", "sigma", "matches")
    found = RatingChange.objects.filter(title=title).order_by("ended", "match", "seat")
    return list(found.values_list(*fields, "timed_out"))


def establish(
    user: User, mu: float, sigma: float = 90.0, *, title: str = TITLE, now: datetime | None = None
) -> Rating:
    """Write a rating that a user has at a moment; without one, at the present."""
    ended = now or timezone.now()
    return Rating.objects.create(
        user=user,
        title=title,
        mu=mu,
        sigma=sigma,
        ended=ended,
        matches=12,
        is_bot=user.is_bot,
        established_until=ended + known_for(Strength(mu, sigma)),
    )
