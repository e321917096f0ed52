"""Recent activity: results, tournaments, achievements, challenges, ladders, collections, news.

That of the site is the same for all readers and cached. Each part reads a few rows by an index, so
the cost doesn't grow with the site. That of some people, on their profiles and for those who follow
them, has no results of single matches and no challenges, which are listed elsewhere.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from accounts import blocks
from accounts.models import User
from games.achievements import selectors as achievements
from games.achievements.models import Award
from games.events import selectors as events
from games.events.models import Entry
from games.kernel import registry
from games.ladders.models import LadderChallenge, LadderPlace
from games.lobby import selectors as lobby
from games.matches import formatting, store
from games.matches.models import Match, Player
from games.news.models import current
from games.records.collections import published
from games.records.models import Bookmark, Collection

CACHE_SECONDS = 60
"""Seconds for which the activity is cached."""

KEY = "activity-5"

MOST = 15
"""Maximum number of items of each kind."""

MOST_NEWS = 5
"""Maximum number of news items."""

SCANNED = 60
"""How many of the latest finished matches are read to find some between people."""

KINDS = ("result", "challenge", "ladder", "achievement", "tournament", "collection")
RESULT, CHALLENGE, LADDER, ACHIEVEMENT, TOURNAMENT, COLLECTION = KINDS

MAX_SEASONS = 12
"""How many of the latest seasons of the bots' leagues are read, to name a winner in each game."""

PLACES = {
    1: gettext_lazy("{name} won {tournament}, a tournament of {game}"),
    2: gettext_lazy("{name} came second in {tournament}, a tournament of {game}"),
    3: gettext_lazy("{name} came third in {tournament}, a tournament of {game}"),
}


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
    key = f"{KEY}:{get_language()}"
    cached = cache.get(key)
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
    cache.set(key, [items, activity.here_today, news], CACHE_SECONDS)
    return activity


def read(now: datetime) -> Activity:
    """Read the activity from the database."""
    items = [
        *_results(),
        *_tournaments(),
        *_leagues(),
        *_challenges(now),
        *_joined(),
        *_places_taken(),
        *_achievements(achievements.latest()),
        *_collections(published()),
    ]
    items.sort(key=lambda item: item.at, reverse=True)
    news = [News(one.published, one.title, one.text) for one in current(now)[:MOST_NEWS]]
    return Activity(items, _here(now).count(), news)


def of_people(
    people: Sequence[int], *, since: datetime | None = None, until: datetime | None = None
) -> list[Item]:
    """Return what the users with these ids did in some time, the latest first: ``MOST`` at most."""
    if not people:
        return []
    in_time = Between(since, until)
    done = _done_by(people)
    items: list[Item] = []
    if done.places:
        places = Entry.objects.filter(user__in=people, place__lte=3, **in_time("tournament__ended"))
        items += _places(places.order_by("-tournament__ended", "-pk"))
    if done.joined:
        items += _joined(user__in=people, **in_time("joined"))
    if done.places_taken:
        items += _places_taken(challenger__in=people, **in_time("closed"))
    if done.achievements:
        awards = achievements.first_awards().filter(user__in=people, **in_time("at"))
        items += _achievements(awards[: achievements.LATEST])
    if done.collections:
        items += _collections(published().filter(owner__in=people, **in_time("published")))
    return sorted(items, key=lambda item: item.at, reverse=True)[:MOST]


class Done(NamedTuple):
    """Of which kinds of activity some people have any, at any time."""

    places: bool
    joined: bool
    places_taken: bool
    achievements: bool
    collections: bool


DONE_SQL = """
    SELECT
        EXISTS (SELECT 1 FROM events_entry WHERE place <= 3 AND user_id {among}),
        EXISTS (SELECT 1 FROM ladders_ladderplace WHERE club_id IS NULL AND user_id {among}),
        EXISTS (
            SELECT 1 FROM ladders_ladderchallenge
            WHERE closed IS NOT NULL AND challenger_id {among}
        ),
        EXISTS (SELECT 1 FROM achievements_award WHERE is_first AND user_id {among}),
        EXISTS (SELECT 1 FROM records_collection WHERE is_public AND owner_id {among})
"""
"""Reads the fields of :class:`Done` in their order."""


def _done_by(people: Sequence[int]) -> Done:
    """Read which queries are worth their time: 0.15 ms of processor time, while each takes 1 ms."""
    sql = DONE_SQL.format(among=f"IN ({', '.join(['%s'] * len(people))})")
    asked = [*people] * len(Done._fields)
    return store.run(store.Statement(sql, asked, lambda rows: Done(*map(bool, rows[0]))))


class Between(NamedTuple):
    """A span of time, open where it is ``None``. Called with a column, it makes a filter."""

    since: datetime | None
    until: datetime | None

    def __call__(self, column: str) -> dict[str, datetime]:
        ends = {f"{column}__gte": self.since, f"{column}__lt": self.until}
        return {name: end for name, end in ends.items() if end is not None}


def _here(now: datetime) -> QuerySet[User]:
    today = now.astimezone(UTC).date()
    return User.objects.filter(last_here=today, is_bot=False, is_guest=False)


def _known(title: str) -> bool:
    return title in registry.titles()


def _game(title: str) -> str:
    return registry.get(title).meta.name


def _results() -> Iterator[Item]:
    """Yield ended matches, those between people before those with bots. Bots alone are left out."""
    ended = Match.objects.filter(status=Match.Status.OVER).order_by("-ended")
    recent = list(ended.only("title", "ended")[:SCANNED])
    store.read_players(recent)
    recent = [match for match in recent if not all(one.user.is_bot for one in match.players.all())]
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
        drew = _("{names} drew a match of {game}")
        return drew.format(names=formatting.names(first or others), game=game)
    if len(first) == 1:
        text = _("{names} won against {others} at {game}")
    else:
        text = _("{names} shared the first place before {others} at {game}")
    return text.format(names=formatting.names(first), others=formatting.names(others), game=game)


def _tournaments() -> Iterator[Item]:
    """Yield the latest finished tournaments with their winners."""
    over = events.finished_with_winners().exclude(events.is_league())
    for one in over[:MOST]:
        winners = [entry.user.shown_name for entry in one.winners]
        if _known(one.title) and winners:
            if len(winners) == 1:
                text = _("{names} won {tournament}, a tournament of {game}")
            else:
                text = _("{names} shared the first place in {tournament}, a tournament of {game}")
            names = formatting.names(winners)
            text = text.format(names=names, tournament=one.name, game=_game(one.title))
            yield Item(one.ended, TOURNAMENT, text, one.get_absolute_url())


def _leagues() -> Iterator[Item]:
    """Yield all seasons of the bots' leagues in one item, with the latest winner in each game."""
    seasons = list(events.finished_with_winners().filter(events.is_league())[:MAX_SEASONS])
    latest: dict[str, str] = {}
    for one in seasons:
        if _known(one.title) and one.winners:
            names = formatting.names([entry.user.shown_name for entry in one.winners])
            # Translators: a part of a list of winners, each with the game.
            winner = _("{names} at {game}").format(names=names, game=_game(one.title))
            latest.setdefault(one.title, winner)
    if latest:
        winners = formatting.names(list(latest.values()))
        text = _("Latest winners of the bots’ leagues: {winners}").format(winners=winners)
        url = f"{reverse('events')}?leagues=1#finished"
        yield Item(max(one.ended for one in seasons if one.ended), TOURNAMENT, text, url)


def _places(entries: QuerySet[Entry]) -> Iterator[Item]:
    """Yield the first three places in finished tournaments."""
    for entry in entries.select_related("user", "tournament")[:MOST]:
        event = entry.tournament
        if event.ended is not None and entry.place is not None and _known(event.title):
            text = PLACES[entry.place].format(
                name=entry.user.shown_name, tournament=event.name, game=_game(event.title)
            )
            yield Item(event.ended, TOURNAMENT, text, event.get_absolute_url())


def _collections(rows: QuerySet[Collection]) -> Iterator[Item]:
    """Yield collections that are public, with at least one position."""
    filled = rows.filter(Exists(Bookmark.objects.filter(collection=OuterRef("pk"))))
    for one in filled.select_related("owner").order_by("-published", "-pk")[:MOST]:
        if one.published is not None:
            text = _("{name} published the collection “{collection}”")
            text = text.format(name=one.owner.shown_name, collection=one.name)
            yield Item(one.published, COLLECTION, text, one.get_absolute_url())


def _challenges(now: datetime) -> Iterator[Item]:
    """Yield challenges of people that anybody can accept."""
    challenges = lobby.by_people(lobby.open_to_all()).filter(expires__gt=now)
    for one in challenges.prefetch_related(None).order_by("-created")[:MOST]:
        if _known(one.title):
            text = _("{name} is looking for a match of {game}")
            text = text.format(name=one.creator.shown_name, game=_game(one.title))
            yield Item(one.created, CHALLENGE, text, one.get_absolute_url())


def of_ladder(title: str) -> list[Item]:
    """Return recent events on the ladder of a game, the latest first."""
    items = [*_joined(title=title), *_places_taken(title=title)]
    return sorted(items, key=lambda item: item.at, reverse=True)


def _joined(**which: Any) -> Iterator[Item]:
    places = LadderPlace.objects.filter(user__is_bot=False, club=None, **which).select_related(
        "user"
    )
    for place in places.order_by("-joined")[:MOST]:
        if _known(place.title):
            text = _("{name} joined the ladder of {game}")
            text = text.format(name=place.user.shown_name, game=_game(place.title))
            yield Item(place.joined, LADDER, text, _ladder(place.title))


def _places_taken(**which: Any) -> Iterator[Item]:
    taken = (LadderChallenge.Outcome.WON, LadderChallenge.Outcome.FORFEITED)
    # The ladders of clubs are shown on their pages alone.
    which |= {"club": None, "closed__isnull": False}
    challenges = LadderChallenge.objects.filter(outcome__in=taken, **which)
    people = challenges.select_related("challenger", "defender")
    for one in people.order_by("-closed")[:MOST]:
        if _known(one.title) and one.closed is not None:
            text = _("{name} took the place of {other} on the ladder of {game}").format(
                name=one.challenger.shown_name,
                other=one.defender.shown_name,
                game=_game(one.title),
            )
            yield Item(one.closed, LADDER, text, _ladder(one.title))


def _achievements(awards: Iterable[Award]) -> Iterator[Item]:
    """Yield the latest achievements, all that a player has earned in a match in one item."""
    earned: defaultdict[tuple[datetime, int, str], list[str]] = defaultdict(list)
    for award in awards:
        one = achievements.find(award.title, award.key)
        if one is not None:
            earned[award.at, award.match_id, award.user.shown_name].append(one.shown_name)
    for (at, match, who), names in list(earned.items())[:MOST]:
        # Translators: {achievements} are names of achievements.
        text = _("{name} earned {achievements}")
        text = text.format(name=who, achievements=formatting.names(names))
        yield Item(at, ACHIEVEMENT, text, reverse("match", args=[match]))


def _ladder(title: str) -> str:
    return reverse("game-ladder", args=[title])


def names_here(reader: User, now: datetime, few: int) -> list[User]:
    """Return up to ``few`` people who have been here today and show their presence."""
    users = _here(now).filter(shows_presence=True, is_active=True).exclude(pk=reader.pk)
    return list(users.exclude(blocks.between(reader, "pk")).order_by("username")[:few])
