"""A player's achievements, computed from results and ladders rather than stored."""

from collections.abc import Sequence
from typing import NamedTuple

from django.urls import reverse

from games.kernel import registry
from games.ladders.models import LadderPlace
from games.matches.listing import Results

PLACES = {1: "First", 2: "Second", 3: "Third"}


class Badge(NamedTuple):
    """An achievement in words, and the address of its subject. Empty without one."""

    text: str
    url: str = ""


def badges(results: Sequence[Results], places: Sequence[LadderPlace]) -> list[Badge]:
    """Return the badges of a player, from results against people and top places on ladders."""
    titles = registry.titles()
    won = [row.title for row in results if row.won and row.title in titles]
    earned = [
        Badge(
            f"{PLACES[place.position]} on the ladder of {titles[place.title].meta.name}",
            reverse("game-ladder", args=[place.title]),
        )
        for place in places
        if place.title in titles
    ]
    if len(titles) > 1 and len(won) == len(titles):
        return [*earned, Badge("Has won every game")]
    return [*earned, *(Badge(f"Has won {titles[slug].meta.name}") for slug in won)]
