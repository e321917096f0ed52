"""Who is on the site now, and has which page open, as reported by the pages themselves.

This is kept in the cache only: losing it costs an unneeded mail at most. The user's row keeps the
day of their last visit, which others see unless the user hides it (``User.shows_presence``).
"""

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta

from django.core.cache import cache

from accounts import blocks
from accounts.models import User

PAGE_TIMEOUT = timedelta(seconds=60)
"""How long after its last report a page counts as open."""


SITE = "site"
"""The key that stands for any page of the site."""


def touch(user_id: int, page_key: str, *, now: datetime) -> None:
    """Note that a user has a page open; repeat it well within ``PAGE_TIMEOUT``."""
    cache.set(_key(user_id, page_key), now.timestamp(), PAGE_TIMEOUT.total_seconds())


def last(user_id: int, page_key: str) -> datetime | None:
    """Return when a user last had a page open. ``None`` if that is longer ago than the timeout."""
    moment = cache.get(_key(user_id, page_key))
    return None if moment is None else datetime.fromtimestamp(moment, UTC)


def among(user_ids: Collection[int], page_key: str) -> set[int]:
    """Return the ids of those users who have a page open now."""
    keys = {_key(user_id, page_key): user_id for user_id in user_ids}
    return {keys[key] for key in cache.get_many(keys)} if keys else set()


def note_day(user: User, *, now: datetime) -> None:
    """Note that a user was here, once a day by UTC."""
    today = now.astimezone(UTC).date()
    if user.last_here is None or user.last_here < today:
        User.objects.filter(pk=user.pk).update(last_here=today)


def day_shown(person: User, reader: User) -> date | None:
    """Return the day of a person's last visit, or ``None`` if the reader may not know it."""
    if not person.shows_presence or person == reader or blocks.apart(reader, [person.pk]):
        return None
    return person.last_here


def _key(user_id: int, page_key: str) -> str:
    return f"presence:{user_id}:{page_key}"
