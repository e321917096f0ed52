"""Titles of the tournaments that the site names itself, in the reader's language."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from games.kernel import registry

LEAGUE, OPEN = "league", "open"

NUMBERED: Mapping[str, StrOrPromise] = {
    LEAGUE: gettext_lazy("Bot league of {game}, season {number}"),
    OPEN: gettext_lazy("{game} Open {number}"),
}
"""The titles of the site's own tournaments, by the kind with which their series begins."""


def title(game: str, series: str, number: int) -> str:
    """Return the title of a tournament without a name of its own."""
    name = registry.name_of(game)
    kind = series.partition("-")[0]
    if kind in NUMBERED:
        return NUMBERED[kind].format(game=name, number=number)
    return _("Tournament of {game}").format(game=name)
