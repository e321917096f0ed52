"""Recent activity on the site: results, achievements, challenges, ladders, news, and visitors.

It is the same for all readers and cached. Each part reads a few rows by an index, so the cost
doesn't grow with the site.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import QuerySet
from django.urls import reverse

from accounts import blocks
from accounts.models import User
from games.achievements import selectors as achievements
from games.kernel import registry
from games.ladders.models import LadderChallenge, LadderPlace
from games.lobby import selectors as lobby
from games.matches import formatting, store
from games.matches.models import Match, Player
from games.news.models import current

CACHE_SECONDS = 60
"""Seconds for which the activity is cached."""

KEY = "activity-3"

MOST = 15
"""Maximum number of items of each kind."""

MOST_NEWS = 5
"""Maximum number of news items."""

SCANNED = 60
"""How many of the latest finished matches are read to find some between people."""

RESULT, CHALLENGE, LADDER, ACHIEVEMENT = "result", "challenge", "ladder", "achievement"


class Item(NamedTuple):
    """Something that happened, in a sentence, with the address of more details."""

    at: datetime
    kind: str
    text: str
    url: str


class News(NamedTuple):
    """A piece of news by the operators."""

    at: datetime
    title: str
    text: str


class Activity(NamedTuple):
    """Recent events and news, the latest first, and the number of people here today, by UTC."""

    items: list[Item]
    here_today: int
    news: list[News]


def latest(now: datetime) -> Activity:
    """Return the activity, at most a minute old."""
    cached = cache.get(KEY)
    if cached is not None:
        rows, here, news = cached
        return Activity(
            [Item(datetime.fromisoformat(at), *rest) for at, *rest in rows],
            here,
            [News(datetime.fromisoformat(at), *rest) for at, *rest in news],
        )
    activity = read(now)
    items, news = (
        [[row[0].isoformat(), *row[1:]] for row in rows] for rows in (activity.items, activity.news)
    )
    cache.set(KEY, [items, activity.here_today, news], CACHE_SECONDS)
    return activity


def read(now: datetime) -> Activity:
    """Read the activity from the database."""
    items = [*_results(), *_challenges(now), *_joined(), *_places_taken(), *_achievements()]
    items.sort(key=lambda item: item.at, reverse=True)
    news = [News(one.published, one.title, one.text) for one in current(now)[:MOST_NEWS]]
    return Activity(items, _here(now).count(), news)


def _here(now: datetime) -> QuerySet[User]:
    today = now.astimezone(UTC).date()
    return User.objects.filter(last_here=today, is_bot=False, is_guest=False)


def _known(title: str) -> bool:
    return title in registry.titles()


def _game(title: str) -> str:
    return registry.get(title).meta.name


def _results() -> Iterator[Item]:
    """Yield ended matches, those between people before those with bots."""
    ended = Match.objects.filter(status=Match.Status.OVER).order_by("-ended")
    recent = list(ended.only("title", "ended")[:SCANNED])
    store.read_players(recent)
    recent.sort(key=_has_bot_or_guest)
    for match in recent[:MOST]:
        if _known(match.title) and match.ended is not None:
            text = _result(list(match.players.all()), _game(match.title))
            yield Item(match.ended, RESULT, text, match.get_absolute_url())


def _has_bot_or_guest(match: Match) -> bool:
    users = (player.user for player in match.players.all())
    return any(user.is_bot or user.is_guest for user in users)


def _result(players: list[Player], game: str) -> str:
    """Return a result in a sentence."""
    first = [player.user.shown_name for player in players if player.rank == 1]
    others = [player.user.shown_name for player in players if player.rank != 1]
    if not first or not others:
        return f"{formatting.names(first or others)} drew a match of {game}"
    verb = "won against" if len(first) == 1 else "shared the first place before"
    return f"{formatting.names(first)} {verb} {formatting.names(others)} at {game}"


def _challenges(now: datetime) -> Iterator[Item]:
    """Yield challenges of people that anybody can accept."""
    challenges = lobby.by_people(lobby.open_to_all()).filter(expires__gt=now)
    for one in challenges.prefetch_related(None).order_by("-created")[:MOST]:
        if _known(one.title):
            text = f"{one.creator.shown_name} is looking for a match of {_game(one.title)}"
            yield Item(one.created, CHALLENGE, text, one.get_absolute_url())


def of_ladder(title: str) -> list[Item]:
    """Return recent events on the ladder of a game, the latest first."""
    items = [*_joined(title=title), *_places_taken(title=title)]
    return sorted(items, key=lambda item: item.at, reverse=True)


def _joined(**which: str) -> Iterator[Item]:
    places = LadderPlace.objects.filter(user__is_bot=False, **which).select_related("user")
    for place in places.order_by("-joined")[:MOST]:
        if _known(place.title):
            text = f"{place.user.shown_name} joined the ladder of {_game(place.title)}"
            yield Item(place.joined, LADDER, text, _ladder(place.title))


def _places_taken(**which: str) -> Iterator[Item]:
    taken = (LadderChallenge.Outcome.WON, LadderChallenge.Outcome.FORFEITED)
    challenges = LadderChallenge.objects.filter(outcome__in=taken, closed__isnull=False, **which)
    people = challenges.select_related("challenger", "defender")
    for one in people.order_by("-closed")[:MOST]:
        if _known(one.title) and one.closed is not None:
            names = (one.challenger.shown_name, one.defender.shown_name)
            text = "{} took the place of {} on the ladder of {}".format(*names, _game(one.title))
            yield Item(one.closed, LADDER, text, _ladder(one.title))


def _achievements() -> Iterator[Item]:
    """Yield the latest achievements, all that a player has earned in a match in one item."""
    earned: defaultdict[tuple[datetime, int, str], list[str]] = defaultdict(list)
    for award in achievements.latest():
        one = achievements.find(award.title, award.key)
        if one is not None:
            earned[award.at, award.match_id, award.user.shown_name].append(one.name)
    for (at, match, who), names in list(earned.items())[:MOST]:
        text = f"{who} earned {formatting.names(names)}"
        yield Item(at, ACHIEVEMENT, text, reverse("match", args=[match]))


def _ladder(title: str) -> str:
    return reverse("game-ladder", args=[title])


def names_here(reader: User, now: datetime, few: int) -> list[User]:
    """Return up to ``few`` people who have been here today and show their presence."""
    users = _here(now).filter(shows_presence=True, is_active=True).exclude(pk=reader.pk)
    return list(users.exclude(blocks.between(reader, "pk")).order_by("username")[:few])
