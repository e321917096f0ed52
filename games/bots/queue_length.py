"""How many matches wait for a thinker, as it was counted last; kept in the cache."""

from django.core.cache import cache

KEY = "bots:waiting"

CACHE_SECONDS = 60
"""Seconds for which a count holds: it is made every few seconds."""

MIN_REPORTED = 6
"""So many matches before one's own are a queue that is worth a word."""


def keep(count: int) -> None:
    """Keep how many matches wait for a thinker and have none."""
    cache.set(KEY, count, CACHE_SECONDS)


def is_long() -> bool:
    """Whether a bot may need longer than usual, as many matches wait."""
    return int(cache.get(KEY, 0)) >= MIN_REPORTED
