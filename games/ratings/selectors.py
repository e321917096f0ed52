"""Ratings for pages and programs."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from accounts.sanctions import standing
from games.matches.models import Match
from games.matches.numbered_pages import NumberedPage, numbered_page
from games.matches.seat_ratings import SeatRating
from games.ratings.calculation import START, Strength
from games.ratings.models import RatedMatch, Rating, RatingChange, RatingPreferences

LEVELS = (
    (1200, gettext_noop("beginner")),
    (1400, gettext_noop("novice")),
    (1600, gettext_noop("intermediate")),
    (1800, gettext_noop("advanced")),
    (2000, gettext_noop("expert")),
)
"""Levels in words, and the rating below which each ends. Programs read the English word."""

TOP_LEVEL = gettext_noop("master")

LEAST_COMPARED = 5
"""A percentile is shown only if this many other ratings are established."""


class DisplayedRating(NamedTuple):
    """A rating as displayed: whole points, and the level in words."""

    number: int
    deviation: int
    is_provisional: bool
    level: str

    @property
    def shown_level(self) -> str:
        return gettext(self.level)

    def __str__(self) -> str:
        return f"{self.number}{'?' * self.is_provisional}"


def shown(strength: Strength) -> DisplayedRating:
    number = round(strength.mu)
    level = next((name for end, name in LEVELS if number < end), TOP_LEVEL)
    return DisplayedRating(number, round(strength.sigma), strength.is_provisional, level)


@dataclass(frozen=True)
class PlayerRating:
    """The rating of a player in a game now, and the number of matches.

    ``percentile`` is the share of established players with a lower rating, in percent. It is
    ``None`` for bots and provisional ratings, if there are too few players, and if the caller
    didn't ask for it.
    """

    user: User
    title: str
    rating: DisplayedRating
    matches: int
    last: datetime
    percentile: int | None = None


def of_player(user: User, now: datetime) -> list[PlayerRating]:
    """Return the ratings of a player, by game, with percentiles."""
    own = Rating.objects.filter(user=user).order_by("title")
    return [
        PlayerRating(
            user, one.title, shown(one.at(now)), one.matches, one.ended, _percentile(one, now)
        )
        for one in own
    ]


def _percentile(rating: Rating, now: datetime) -> int | None:
    if rating.is_bot or rating.established_until <= now:
        return None
    others = _established(_people(rating.title), now).exclude(pk=rating.pk)
    compared = others.count()
    if compared < LEAST_COMPARED:
        return None
    return 100 * others.filter(mu__lt=rating.mu).count() // compared


def _people(title: str) -> QuerySet[Rating]:
    """Return the ratings of people whose accounts are open."""
    return _open(title).filter(is_bot=False, user__is_program=False)


def _open(title: str) -> QuerySet[Rating]:
    """Return the ratings of accounts that are neither closed nor banned."""
    ratings = Rating.objects.filter(title=title, user__is_active=True)
    return ratings.exclude(user__in=standing.banned())


def _established(ratings: QuerySet[Rating], now: datetime) -> QuerySet[Rating]:
    return ratings.filter(established_until__gt=now)


def of_many(
    wanted: Iterable[tuple[int, str]], now: datetime
) -> dict[tuple[int, str], DisplayedRating]:
    """Return the ratings of several players in several games, by user and game, in one query."""
    pairs = set(wanted)
    users = {user for user, _ in pairs}
    titles = {title for _, title in pairs}
    if not pairs:
        return {}
    rows = Rating.objects.filter(user__in=users, title__in=titles)
    return {(one.user_id, one.title): shown(one.at(now)) for one in rows}


def numbers(user_ids: Collection[int], title: str, now: datetime) -> dict[int, int]:
    """Return the ratings of users in a game, rounded, by id, with the initial one for others."""
    known = of_many(((user, title) for user in user_ids), now)
    first = round(START)
    return {
        user: known[user, title].number if (user, title) in known else first for user in user_ids
    }


def of_seats(user_ids: Collection[int], title: str, now: datetime) -> dict[int, SeatRating]:
    """Return the ratings of users who have one in a game, by id, with 0 for negative ones.

    A seat can't hold negative ratings, and no match may fail to begin for that.
    """
    known = of_many(((user, title) for user in user_ids), now)
    return {
        user: SeatRating(max(0, one.number), one.is_provisional) for (user, _), one in known.items()
    }


class LeaderboardRow(NamedTuple):
    """A line of a leaderboard. Players with the same rating share a place."""

    place: int
    standing: PlayerRating


PAGE_LENGTH = 50


def leaderboard(
    title: str,
    now: datetime,
    *,
    page: int = 1,
    name: str = "",
    with_provisional: bool = False,
    with_bots: bool = False,
) -> NumberedPage[LeaderboardRow]:
    """Return a page of the ratings of a game, the highest first.

    It leaves out banned players and those who don't want to be listed. ``name`` is a part of the
    names to list. Places are those among all players listed with these filters except the name.
    """
    ranked = _open(title).exclude(user__rating_preferences__is_listed=False)
    if not with_bots:
        ranked = ranked.filter(is_bot=False, user__is_program=False)
    if not with_provisional:
        ranked = _established(ranked, now)
    matching = ranked.filter(user__username__icontains=name) if name else ranked
    rows = numbered_page(matching.select_related("user").order_by("-mu", "user"), page, PAGE_LENGTH)
    return rows.shown_as(lambda few: _placed(few, ranked, now))


def _placed(
    rows: Sequence[Rating], ranked: QuerySet[Rating], now: datetime
) -> list[LeaderboardRow]:
    """Return ratings with their places among ``ranked``."""
    if not rows:
        return []
    above = ranked.filter(mu__gt=rows[-1].mu).order_by("-mu").values_list("mu", flat=True)
    falling = [-mu for mu in above]
    return [
        LeaderboardRow(
            1 + bisect_left(falling, -one.mu),
            PlayerRating(one.user, one.title, shown(one.at(now)), one.matches, one.ended),
        )
        for one in rows
    ]


def history(user: User, title: str) -> QuerySet[RatingChange]:
    """Return the changes of a player's rating in a game."""
    return RatingChange.objects.filter(user=user, title=title)


@dataclass(frozen=True)
class RatingDifference:
    """The effect of a match on a player's rating, in displayed points."""

    name: str
    before: DisplayedRating
    after: DisplayedRating

    @property
    def difference(self) -> int:
        return self.after.number - self.before.number

    @property
    def signed(self) -> str:
        """The difference with its sign: ``+12``, ``−7``, ``±0``."""
        sign = "+" if self.difference > 0 else "−" if self.difference < 0 else "±"
        return f"{sign}{abs(self.difference)}"


@dataclass(frozen=True)
class Effect:
    """The effect of an ended rated match: the changes in seat order, or why it had no effect.

    ``is_known`` is false until the match is processed.
    """

    is_known: bool
    reason: str = ""
    changes: Sequence[tuple[int, RatingDifference]] = ()


def effect_of(match: Match) -> Effect | None:
    """Return the effect of a match on ratings. ``None`` if it isn't rated or has no result."""
    if not match.rated or match.status != Match.Status.OVER:
        return None
    done = RatedMatch.objects.filter(match=match).first()
    if done is None:
        return Effect(is_known=False)
    if done.reason:
        return Effect(is_known=True, reason=done.get_reason_display())
    changes = done.changes.select_related("user").order_by("seat")
    return Effect(is_known=True, changes=[(one.seat, _change(one)) for one in changes])


def _change(one: RatingChange) -> RatingDifference:
    before = shown(Strength(one.mu_before, one.sigma_before))
    return RatingDifference(one.user.shown_name, before, shown(one.strength))


def is_listed(user: User) -> bool:
    return not RatingPreferences.objects.filter(user=user, is_listed=False).exists()


def set_listed(user: User, *, is_listed: bool) -> None:
    RatingPreferences.objects.update_or_create(user=user, defaults={"is_listed": is_listed})
