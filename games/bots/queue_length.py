"""The number of matches that keep waiting for a thinker, as last counted. Cached."""

from collections.abc import Collection

from django.core.cache import cache

COUNT = "bots:waiting"
MATCHES = "bots:waiting-matches"

CACHE_SECONDS = 60
"""Seconds for which a count is cached. It is counted every few seconds."""

MIN_REPORTED = 6
"""Mention the queue from this many waiting matches on."""


def keep(waiting: Collection[int]) -> None:
    """Store which matches wait for a thinker.

    Only those that already waited at the count before make the queue long. Many matches that begin
    at once, as when the site starts, are soon served.
    """
    still = {*waiting} & {*cache.get(MATCHES, ())}
    cache.set_many({MATCHES: list(waiting), COUNT: len(still)}, CACHE_SECONDS)


def is_long() -> bool:
    """Whether a bot may need longer than usual, since many matches wait."""
    return int(cache.get(COUNT, 0)) >= MIN_REPORTED
