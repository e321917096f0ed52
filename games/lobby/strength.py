"""The ratings of players, as far as challenges depend on them.

The lobby is below ``games.ratings``, which registers itself as the source.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from games.lobby.models import Challenge
from games.matches.errors import Refused

Source = Callable[[Collection[int], str, datetime], Mapping[int, int]]
"""Returns the ratings of players in a game, by user id. Unrated ones have the starting rating."""

WITHIN_CHOICES = (100, 200, 400)
"""Choices for the maximum difference between an opponent's rating and the creator's, in points."""

MAX_WITHIN = 1000
"""The largest such difference that programs may ask for."""

_sources: list[Source] = []


def register(source: Source) -> None:
    """Set the source of ratings. Called once at startup."""
    _sources[:] = [source]


def numbers(user_ids: Collection[int], title: str, now: datetime) -> Mapping[int, int]:
    """Return the ratings of players in a game as whole numbers, by user id."""
    return _sources[0](user_ids, title, now)


def bounds(user: User, title: str, within: int | None, now: datetime) -> tuple[int, int] | None:
    """Return the bounds for ratings within a number of points of a user's.

    ``None`` for any rating.
    """
    if within is None:
        return None
    own = numbers([user.pk], title, now)[user.pk]
    return max(own - within, 0), own + within


def refusal(challenge: Challenge, number: int) -> str:
    """Return why a rating doesn't fit a challenge. Empty if it does."""
    low, high = challenge.lowest_rating, challenge.highest_rating
    if low is None or high is None or low <= number <= high:
        return ""
    return _("This challenge asks for a rating from {low} to {high}; yours is {own}.").format(
        low=low, high=high, own=number
    )


def check_range(challenge: Challenge, user: User, now: datetime) -> None:
    """Check that a user's rating fits a challenge. A bot's always does.

    :raises Refused: it doesn't.
    """
    if challenge.lowest_rating is None or user.is_bot:
        return
    if why := refusal(challenge, numbers([user.pk], challenge.title, now)[user.pk]):
        raise Refused(why)
