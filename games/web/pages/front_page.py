"""The matches on the front page: one that is shown live, other running ones, finished ones.

The choice is the same for all readers, and cached. Finding them reads a few rows by an index, so
the cost doesn't grow with the site.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.core.cache import cache

from games.kernel import registry
from games.matches import listing, store
from games.matches.models import Match, Player
from games.ratings.calculation import START
from games.ratings.selectors import of_many

CACHE_SECONDS = 60
"""Seconds for which the choice is cached."""

KEY = "front-page-3"

CONSIDERED = 40
"""How many of the latest changed, and of the latest ended, matches are compared."""

CHOSEN = 20
"""How many of them are cached, since readers don't see matches in which they play."""

SPARE = 2
"""How many extra matches are read, to replace some that have just ended."""

RECENT = timedelta(days=1)

STATE = ("title", "rules_version", "status", "version", "clock_epoch")
"""The fields read of each match: whether it may be shown, and what its row depends on."""


class FrontPageMatches(NamedTuple):
    """The match that is shown live, if any, other running matches, and finished ones.

    Of each only ``STATE`` is read.
    """

    live: Match | None
    playing: Sequence[Match]
    finished: Sequence[Match]


def of_reader(reader: Any, few: int, now: datetime) -> FrontPageMatches:
    """Return the matches to show to a reader, up to ``few`` in each list."""
    chosen = cache.get(KEY)
    if chosen is None:
        chosen = [running(now), _finished()]
        cache.set(KEY, chosen, CACHE_SECONDS)
    others = {pk: bool(is_live) for pk, is_live, *users in chosen[0] if reader.pk not in users}
    # some may have ended since the choice was cached
    wanted = list(others)[: few + 1 + SPARE]
    ended = chosen[1][:few]
    matches = Match.objects.only(*STATE).in_bulk([*wanted, *ended])
    playing = [matches[pk] for pk in wanted if pk in matches and matches[pk].is_running]
    live = next((match for match in playing if others[match.pk] and _is_known(match)), None)
    rest = [match for match in playing if match != live][:few]
    return FrontPageMatches(live, rest, [matches[pk] for pk in ended if pk in matches])


def _is_known(match: Match) -> bool:
    """Whether this process has the rules. During an update, another one may have chosen."""
    return registry.is_known(match.title, match.rules_version)


def running(now: datetime) -> list[list[int]]:
    """Return running matches, the best first: id, whether to show it live, the ids of the players.

    Those between people come first, then those with a recent move, then high ratings.
    """
    latest = listing.archive().filter(
        status=Match.Status.RUNNING, set_aside=None, title__in=registry.titles()
    )
    matches = list(latest.defer("position")[:CONSIDERED])
    store.read_players(matches)
    pairs = ((one.user_id, match.title) for match in matches for one in match.players.all())
    numbers = {pair: rating.number for pair, rating in of_many(pairs, now).items()}

    def rank(match: Match) -> tuple[bool, bool, bool, float]:
        players = match.players.all()
        mean = sum(numbers.get((one.user_id, match.title), START) for one in players) / len(players)
        return _is_among_people(match), match.version > 0, match.changed > now - RECENT, mean

    matches.sort(key=rank, reverse=True)
    return [
        [match.pk, int(_is_live(match, now)), *(one.user_id for one in match.players.all())]
        for match in matches[:CHOSEN]
    ]


def _is_live(match: Match, now: datetime) -> bool:
    """Whether there was a recent move in a match that isn't a guest's trial against bots."""
    players = match.players.all()
    is_try = any(one.user.is_guest for one in players) and any(map(_is_bot, players))
    return match.version > 0 and match.changed > now - RECENT and not is_try


def _is_among_people(match: Match) -> bool:
    return not any(_is_bot(one) or one.user.is_guest for one in match.players.all())


def _is_bot(player: Player) -> bool:
    return player.is_bot or player.user.is_shown_as_bot


def _finished() -> list[int]:
    """Return finished matches: those between people, then those with bots, then bots alone."""
    ended = Match.objects.filter(status=Match.Status.OVER).order_by("-ended", "-pk")
    latest = list(ended.only("title", "ended")[:CONSIDERED])
    store.read_players(latest)
    latest.sort(key=lambda match: (not _is_among_people(match), _is_among_bots(match)))
    return [match.pk for match in latest[:CHOSEN]]


def _is_among_bots(match: Match) -> bool:
    return all(map(_is_bot, match.players.all()))
