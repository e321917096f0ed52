"""A player's achievements, computed from results and ladders rather than stored."""

from collections.abc import Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.kernel import registry
from games.ladders.models import LadderPlace
from games.matches.listing import Results

PLACES = {
    1: gettext_lazy("First on the ladder of {game}"),
    2: gettext_lazy("Second on the ladder of {game}"),
    3: gettext_lazy("Third on the ladder of {game}"),
}


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
            PLACES[place.position].format(game=titles[place.title].meta.name),
            reverse("game-ladder", args=[place.title]),
        )
        for place in places
        if place.title in titles
    ]
    if len(titles) > 1 and len(won) == len(titles):
        return [*earned, Badge(_("Has won every game"))]
    has_won = _("Has won {game}")
    return [*earned, *(Badge(has_won.format(game=titles[slug].meta.name)) for slug in won)]
