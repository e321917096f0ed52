"""Ratings for pages and programs."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from accounts.models import User
from games.matches.models import Match
from games.matches.seat_ratings import SeatRating
from games.ratings.calculation import START, Strength
from games.ratings.models import RatedMatch, Rating, RatingChange, RatingPreferences

LEVELS = (
    (1200, "beginner"),
    (1400, "novice"),
    (1600, "intermediate"),
    (1800, "advanced"),
    (2000, "expert"),
)
"""Levels in words, and the number below which each ends."""

TOP_LEVEL = "master"

LEAST_COMPARED = 5
"""A percentile is shown once so many others are established."""


class Shown(NamedTuple):
    """A rating as it is shown: whole points, and the level in words."""

    number: int
    deviation: int
    is_provisional: bool
    level: str

    def __str__(self) -> str:
        return f"{self.number}{'?' * self.is_provisional}"


def shown(strength: Strength) -> Shown:
    """Return a strength as it is shown."""
    number = round(strength.mu)
    level = next((name for end, name in LEVELS if number < end), TOP_LEVEL)
    return Shown(number, round(strength.sigma), strength.is_provisional, level)


@dataclass(frozen=True)
class Standing:
    """The rating of a player in a game at this moment, after so many matches.

    ``percentile`` is the share of established players with a lower number, in percent. It is
    ``None`` for bots and provisional ratings, where there are too few players, and where nobody
    has asked for it.
    """

    user: User
    title: str
    rating: Shown
    matches: int
    last: datetime
    percentile: int | None = None


def of_player(user: User, now: datetime) -> list[Standing]:
    """Return the ratings of a player, by game, with percentiles."""
    own = Rating.objects.filter(user=user).order_by("title")
    return [
        Standing(user, one.title, shown(one.at(now)), one.matches, one.ended, _percentile(one, now))
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
    """Return the ratings of people whose accounts exist."""
    people = Rating.objects.filter(title=title, is_bot=False)
    return people.filter(user__is_active=True, user__is_program=False)


def _established(ratings: QuerySet[Rating], now: datetime) -> QuerySet[Rating]:
    return ratings.filter(established_until__gt=now)


def of_many(wanted: Iterable[tuple[int, str]], now: datetime) -> dict[tuple[int, str], Shown]:
    """Return the ratings of several players in several games, by user and game, in one query."""
    pairs = set(wanted)
    users = {user for user, _ in pairs}
    titles = {title for _, title in pairs}
    if not pairs:
        return {}
    rows = Rating.objects.filter(user__in=users, title__in=titles)
    return {(one.user_id, one.title): shown(one.at(now)) for one in rows}


def numbers(user_ids: Collection[int], title: str, now: datetime) -> dict[int, int]:
    """Return the numbers of users in a game, by id; those without a rating have the first one."""
    known = of_many(((user, title) for user in user_ids), now)
    first = round(START)
    return {
        user: known[user, title].number if (user, title) in known else first for user in user_ids
    }


def of_seats(user_ids: Collection[int], title: str, now: datetime) -> dict[int, SeatRating]:
    """Return the ratings of those users who have one in a game, by id; none is below 0.

    Ratings themselves can be, but a seat can't hold them, and no match may fail to begin for that.
    """
    known = of_many(((user, title) for user in user_ids), now)
    return {
        user: SeatRating(max(0, one.number), one.is_provisional) for (user, _), one in known.items()
    }


class Place(NamedTuple):
    """A line of a leaderboard; players with the same number share a place."""

    place: int
    standing: Standing


@dataclass(frozen=True)
class Leaderboard:
    """A page of a leaderboard, and whether another one follows."""

    places: Sequence[Place]
    has_more: bool


PAGE_LENGTH = 50


def leaderboard(
    title: str,
    now: datetime,
    *,
    page: int = 1,
    name: str = "",
    with_provisional: bool = False,
    with_bots: bool = False,
) -> Leaderboard:
    """Return a page of the ratings of a game, the highest first.

    Players who don't want to be listed are left out. ``name`` is a part of the names to list. The
    places are those among all who are listed with these filters but the name.
    """
    ranked = Rating.objects.filter(title=title, user__is_active=True)
    ranked = ranked.exclude(user__rating_preferences__is_listed=False)
    if not with_bots:
        ranked = ranked.filter(is_bot=False, user__is_program=False)
    if not with_provisional:
        ranked = _established(ranked, now)
    matching = ranked.filter(user__username__icontains=name) if name else ranked
    first = (page - 1) * PAGE_LENGTH
    rows = list(
        matching.select_related("user").order_by("-mu", "user")[first : first + PAGE_LENGTH + 1]
    )
    shown_rows = rows[:PAGE_LENGTH]
    places = _placed(shown_rows, ranked, now)
    return Leaderboard(places, len(rows) > PAGE_LENGTH)


def _placed(rows: Sequence[Rating], ranked: QuerySet[Rating], now: datetime) -> list[Place]:
    """Return ratings with their places among ``ranked``."""
    if not rows:
        return []
    above = ranked.filter(mu__gt=rows[-1].mu).order_by("-mu").values_list("mu", flat=True)
    falling = [-mu for mu in above]
    return [
        Place(
            1 + bisect_left(falling, -one.mu),
            Standing(one.user, one.title, shown(one.at(now)), one.matches, one.ended),
        )
        for one in rows
    ]


def history(user: User, title: str) -> QuerySet[RatingChange]:
    """Return the changes of a player's rating in a game."""
    return RatingChange.objects.filter(user=user, title=title)


@dataclass(frozen=True)
class Change:
    """What a match did to a player's rating, in points as they are shown."""

    name: str
    before: Shown
    after: Shown

    @property
    def difference(self) -> int:
        """The difference of the numbers that are shown."""
        return self.after.number - self.before.number

    @property
    def signed(self) -> str:
        """The difference with its sign: ``+12``, ``−7``, ``±0``."""
        sign = "+" if self.difference > 0 else "−" if self.difference < 0 else "±"
        return f"{sign}{abs(self.difference)}"


@dataclass(frozen=True)
class Effect:
    """What an ended rated match did: the changes in seat order, or the reason that it has none.

    ``is_known`` is false until the match is worked out.
    """

    is_known: bool
    reason: str = ""
    changes: Sequence[tuple[int, Change]] = ()


def effect_of(match: Match) -> Effect | None:
    """Return what a match did to ratings; ``None`` if it isn't rated or has no result."""
    if not match.rated or match.status != Match.Status.OVER:
        return None
    done = RatedMatch.objects.filter(match=match).first()
    if done is None:
        return Effect(is_known=False)
    if done.reason:
        return Effect(is_known=True, reason=done.get_reason_display())
    changes = done.changes.select_related("user").order_by("seat")
    return Effect(is_known=True, changes=[(one.seat, _change(one)) for one in changes])


def _change(one: RatingChange) -> Change:
    before = shown(Strength(one.mu_before, one.sigma_before))
    return Change(one.user.shown_name, before, shown(one.strength))


def is_listed(user: User) -> bool:
    """Whether a player is listed on leaderboards."""
    return not RatingPreferences.objects.filter(user=user, is_listed=False).exists()


def set_listed(user: User, *, is_listed: bool) -> None:
    """Store whether a player is listed on leaderboards."""
    RatingPreferences.objects.update_or_create(user=user, defaults={"is_listed": is_listed})
