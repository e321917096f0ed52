"""Achievements for pages and programs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from games.achievements import site
from games.achievements.models import AchievementCount, Award
from games.achievements.site import SITE
from games.kernel import registry
from games.kernel.contract import Achievement

LATEST = 30
"""Maximum number of recent awards that are listed."""


@dataclass(frozen=True)
class Known:
    """An achievement and the number of players who have it.

    ``game`` is the name of its game, empty for the site. ``match`` is the one in which the player
    in question earned it first, ``None`` without any.
    """

    title: str
    game: str
    key: str
    name: str
    sentence: str
    players: int
    match: int | None = None
    at: datetime | None = None


def of(title: str) -> Sequence[Achievement]:
    """Return the achievements of a game, or of the site. Empty if the game isn't installed."""
    if title == SITE:
        return site.ACHIEVEMENTS
    game = registry.titles().get(title)
    return game.achievements if game else ()


def find(title: str, key: str) -> Achievement | None:
    """Return an achievement. ``None`` if its game has it no more."""
    return next((one for one in of(title) if one.key == key), None)


def all_of(title: str, user: User | None = None) -> list[Known]:
    """Return the achievements of a game or the site, the rarest first.

    They name the matches in which ``user`` earned them.
    """
    awards = Award.objects.filter(user=user, title=title, is_first=True) if user else ()
    proofs = {award.key: award for award in awards}
    return _known(((title, one.key, proofs.get(one.key)) for one in of(title)), [title])


def of_player(user: User) -> list[Known]:
    """Return the achievements of a player, the rarest first."""
    awards = list(Award.objects.filter(user=user, is_first=True))
    titles = {award.title for award in awards}
    return _known(((award.title, award.key, award) for award in awards), titles)


def of_match(match_id: int) -> list[tuple[int, Known]]:
    """Return what the players of a match have earned first in it, with their ids."""
    awards = list(Award.objects.filter(match=match_id, is_first=True).order_by("user"))
    titles = {award.title for award in awards}
    return [
        (award.user_id, known)
        for award in awards
        for known in _known([(award.title, award.key, award)], titles)
    ]


def first_awards() -> QuerySet[Award]:
    """Return the first awards of open accounts, the latest on top."""
    awards = Award.objects.filter(is_first=True, user__is_active=True)
    return awards.select_related("user").order_by("-at", "-pk")


def latest() -> QuerySet[Award]:
    return first_awards()[:LATEST]


def _known(wanted: Iterable[tuple[str, str, Award | None]], titles: Iterable[str]) -> list[Known]:
    wanted_titles = list(titles)
    counts = AchievementCount.objects.filter(title__in=wanted_titles) if wanted_titles else ()
    numbers = {(one.title, one.key): one.players for one in counts}
    games = registry.titles()
    known = [
        Known(
            title,
            games[title].meta.name if title in games else "",
            key,
            one.shown_name,
            one.shown_sentence,
            numbers.get((title, key), 0),
            award.match_id if award else None,
            award.at if award else None,
        )
        for title, key, award in wanted
        if (one := find(title, key)) is not None
    ]
    return sorted(known, key=lambda one: (one.players, one.game, one.name))
