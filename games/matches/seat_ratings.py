"""Players' ratings when they take a seat, stored with it and shown beside the name.

Matches are below ``games.ratings``, which registers itself as the source.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import NamedTuple


class SeatRating(NamedTuple):
    """The rating of a player in the game of the match, in whole points."""

    number: int
    is_provisional: bool


Source = Callable[[Collection[int], str, datetime], Mapping[int, SeatRating]]
"""Returns the ratings of players in a game by user id, without unrated ones."""

_sources: list[Source] = []


def register(source: Source) -> None:
    """Set the source of ratings. Called once at startup."""
    _sources[:] = [source]


def of(user_ids: Collection[int], title: str, now: datetime) -> Mapping[int, SeatRating]:
    """Return the ratings of players in a game by user id."""
    return _sources[0](user_ids, title, now) if _sources else {}
