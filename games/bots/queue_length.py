"""How many matches keep waiting for a thinker, as counted last; kept in the cache."""

from collections.abc import Collection

from django.core.cache import cache

COUNT = "bots:waiting"
MATCHES = "bots:waiting-matches"

CACHE_SECONDS = 60
"""Seconds for which a count holds: it is made every few seconds."""

MIN_REPORTED = 6
"""So many matches before one's own are a queue that is worth a word."""


def keep(waiting: Collection[int]) -> None:
    """Keep which matches wait for a thinker and have none.

    Only those that waited at the count before too make the queue long. Many that begin at once,
    as when the site starts, are soon served.
    """
    still = {*waiting} & {*cache.get(MATCHES, ())}
    cache.set_many({MATCHES: list(waiting), COUNT: len(still)}, CACHE_SECONDS)


def is_long() -> bool:
    """Whether a bot may need longer than usual, as many matches wait."""
    return int(cache.get(COUNT, 0)) >= MIN_REPORTED
