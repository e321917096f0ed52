"""The ratings that players have when they take a seat, kept with it to be shown beside the name.

Matches lie below ``games.ratings``, which registers itself as the source.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import NamedTuple


class SeatRating(NamedTuple):
    """The rating of a player in the game of the match, in whole points."""

    number: int
    is_provisional: bool


Source = Callable[[Collection[int], str, datetime], Mapping[int, SeatRating]]
"""Returns the ratings of users in a game, by id; users without a rating are left out."""

_sources: list[Source] = []


def register(source: Source) -> None:
    """Set where ratings come from; called once at startup."""
    _sources[:] = [source]


def of(user_ids: Collection[int], title: str, now: datetime) -> Mapping[int, SeatRating]:
    """Return the ratings of users in a game, by id."""
    return _sources[0](user_ids, title, now) if _sources else {}
