"""Who has which page open right now, as pages that are open and seen keep saying.

Kept in the cache alone: forgetting it costs a mail that was not needed, no more.
"""

from datetime import UTC, datetime, timedelta

from django.core.cache import cache

MEMORY = timedelta(seconds=60)
"""How long a page that has said nothing more counts as open."""


def touch(user_id: int, page_key: str, *, now: datetime) -> None:
    """Note that a user looks at a page now; to be repeated well within ``MEMORY``."""
    cache.set(_key(user_id, page_key), now.timestamp(), MEMORY.total_seconds())


def last(user_id: int, page_key: str) -> datetime | None:
    """Return when a user last looked at a page, if that is within ``MEMORY``."""
    moment = cache.get(_key(user_id, page_key))
    return None if moment is None else datetime.fromtimestamp(moment, UTC)


def _key(user_id: int, page_key: str) -> str:
    return f"presence:{user_id}:{page_key}"
