"""How many matches wait for a thinker, as it was counted last; kept in the cache."""

from django.core.cache import cache

KEY = "bots:waiting"

KEPT = 60
"""Seconds for which a count holds: it is made every few seconds."""

LONG = 6
"""So many matches before one's own are a queue that is worth a word."""


def keep(count: int) -> None:
    """Keep how many matches wait for a thinker and have none."""
    cache.set(KEY, count, KEPT)


def is_long() -> bool:
    """Whether a bot may need longer than usual, as many matches wait."""
    return int(cache.get(KEY, 0)) >= LONG
