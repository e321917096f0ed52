"""Ladders as pages and programs read them, and why a player can't be challenged."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from accounts import blocks, dates
from accounts.models import User
from games.bots import services as bots
from games.clubs.models import Club
from games.ladders.models import ClubLadder, LadderChallenge, LadderPlace
from games.lobby import preferences, reliability
from games.lobby.models import Challenge
from games.matches.clocks import vacations
from games.matches.errors import Refused
from games.ratings import selectors as ratings
from games.ratings.selectors import DisplayedRating

REACH = 5
"""How many places above one's own a challenge may go."""

ANSWER = timedelta(days=3)
"""How long a challenged player may take to accept."""

REST = timedelta(days=7)
"""How long after the end of a challenge the same player can't be challenged again."""

IDLE = timedelta(days=30)
"""Players leave the ladder after this long without a ladder challenge or match."""

MOST = 2
"""Maximum number of simultaneous challenges made by a player, and of those received.

Bots receive any number.
"""

TOP = 3
"""Places from the top that count as an achievement."""

LISTED = 100
"""How many places from the top are listed."""

NEARBY = 10
"""How many places above and below the reader's are listed if it is further down."""

PENDING = LadderChallenge.Outcome.PENDING


def places(title: str, club_id: int | None = None) -> QuerySet[LadderPlace]:
    """Return the places of a ladder from the top. Without a club, of the whole site's."""
    of_ladder = LadderPlace.objects.filter(title=title, club=club_id)
    return of_ladder.select_related("user").order_by("position")


def place_of(user: User, title: str, club_id: int | None = None) -> LadderPlace | None:
    """``None`` if the user isn't on the ladder."""
    place = LadderPlace.objects.filter(title=title, club=club_id, user=user).first()
    if place is not None:
        place.user = user
    return place


def standing(user: User) -> list[LadderPlace]:
    """Return a user's places among the first ``TOP`` of the site's ladders, the highest first."""
    places = LadderPlace.objects.filter(user=user, club=None, position__lte=TOP)
    return list(places.order_by("position", "title"))


def club_ladder(title: str, club: Club) -> ClubLadder | None:
    """Return the ladder of a game in a club. ``None`` if there isn't one."""
    return ClubLadder.objects.filter(title=title, club=club).first()


@dataclass(frozen=True)
class ClubLadderRow:
    """A ladder of a club: its first places, how many it has, and the reader's own."""

    title: str
    top: Sequence[LadderPlace]
    size: int
    own: LadderPlace | None


def of_club(club: Club, reader: Any) -> list[ClubLadderRow]:
    """Return the ladders of a club for a reader, who may be anonymous, the oldest first."""
    titles = list(club.ladders.values_list("title", flat=True))
    if not titles:
        return []
    rows = LadderPlace.objects.filter(club=club, title__in=titles)
    sizes = dict(rows.order_by().values_list("title").annotate(Count("pk")))
    shown = rows.filter(Q(position__lte=TOP) | Q(user=reader.pk)).select_related("user")
    by_title: dict[str, list[LadderPlace]] = {title: [] for title in titles}
    for place in shown.order_by("position"):
        by_title[place.title].append(place)
    return [
        ClubLadderRow(
            title,
            [place for place in places if place.position <= TOP],
            sizes.get(title, 0),
            next((place for place in places if place.user_id == reader.pk), None),
        )
        for title, places in by_title.items()
    ]


def pending(title: str, club_id: int | None = None) -> QuerySet[LadderChallenge]:
    """Return the challenges of a ladder that wait for an answer or are being played."""
    challenges = LadderChallenge.objects.filter(title=title, club=club_id, outcome=PENDING)
    # Often there are none, and joins would cost most of the query.
    return challenges.prefetch_related("challenge", "challenger", "defender").order_by("pk")


def of_challenge(challenge: Challenge) -> LadderChallenge | None:
    """Return the ladder's row for a challenge. ``None`` if it isn't one for a place."""
    if challenge.audience != Challenge.Audience.NAMED or not challenge.rated:
        return None
    challenges = LadderChallenge.objects.filter(challenge=challenge)
    return challenges.select_related("challenger", "defender", "club").first()


@dataclass(frozen=True)
class Reasons:
    """Reasons why a user with a place can't challenge players above. Built with a few queries.

    ``near`` are the places around the user's, if they were read before.
    """

    user: User
    own: LadderPlace
    now: datetime
    near: Sequence[LadderPlace] | None = None

    @cached_property
    def _reached(self) -> list[LadderPlace]:
        first, last = self.own.position - REACH, self.own.position - 1
        if self.near is not None:
            return [one for one in self.near if first <= one.position <= last]
        above = places(self.own.title, self.own.club_id)
        return list(above.filter(position__gte=first, position__lte=last))

    @cached_property
    def _ids(self) -> list[int]:
        return [place.user_id for place in self._reached]

    @cached_property
    def _pending(self) -> list[tuple[int, int]]:
        people = [self.user.pk, *self._ids]
        either = Q(challenger__in=people) | Q(defender__in=people)
        waiting = pending(self.own.title, self.own.club_id).filter(either)
        return list(waiting.values_list("challenger_id", "defender_id"))

    @cached_property
    def _received(self) -> Counter[int]:
        return Counter(defender for _challenger, defender in self._pending)

    @cached_property
    def _rests(self) -> dict[int, datetime]:
        """When each player may be challenged again, by user id."""
        recent = LadderChallenge.objects.filter(
            challenger=self.user,
            defender__in=self._ids,
            title=self.own.title,
            club=self.own.club_id,
        ).filter(closed__gt=self.now - REST)
        rows = recent.order_by("closed").values_list("defender_id", "closed")
        return {defender: closed + REST for defender, closed in rows if closed}

    @cached_property
    def _away(self) -> Collection[int]:
        return vacations.away(self._ids, self.now)

    @cached_property
    def _apart(self) -> Collection[int]:
        return blocks.apart(self.user, self._ids)

    @cached_property
    def _too_many_bots(self) -> str:
        return bots.too_many(self.user)

    @cached_property
    def _of_user(self) -> str:
        """Why the user can't begin a match with a person."""
        if why := reliability.refusal_to_begin(self.user, self.now):
            return why
        try:
            preferences.check_room(self.user)
        except Refused as refused:
            return str(refused)
        return ""

    def offered(self) -> dict[int, str]:
        """Return why each player within reach can't be challenged, by user id."""
        return {place.user_id: self.refusal(place.user) for place in self._reached}

    def refusal(self, other: User) -> str:
        """Return why a player can't be challenged. Empty if they can."""
        if other.pk not in self._ids:
            # Translators: {count} is always more than 1.
            return _("You can challenge players up to {count} places above yours.").format(
                count=REACH
            )
        return self._of_pair(other) or self._of_other(other)

    def _of_pair(self, other: User) -> str:
        pair = {self.user.pk, other.pk}
        if any({challenger, defender} == pair for challenger, defender in self._pending):
            return _("You two have a ladder challenge or match already.")
        if other.pk in self._rests:
            day = dates.day_of_year(self._rests[other.pk])
            return _("You can challenge {name} again from {day}.").format(name=other, day=day)
        if sum(challenger == self.user.pk for challenger, _defender in self._pending) >= MOST:
            # Translators: {count} is always more than 1.
            return _(
                "You have made {count} ladder challenges already. Wait until one is over."
            ).format(count=MOST)
        return ""

    def _of_other(self, other: User) -> str:
        if other.is_bot:
            return self._too_many_bots
        if self._of_user:
            return self._of_user
        if self._received[other.pk] >= MOST:
            # Translators: {count} is always more than 1.
            return _("{name} has {count} ladder challenges already.").format(name=other, count=MOST)
        if other.pk in self._away:
            return _("{name} is on vacation.").format(name=other)
        if other.pk in self._apart:
            return _("One of you has blocked the other.")
        try:
            preferences.check_invited(self.user, [other], is_rematch=True, now=self.now)
        except Refused as refused:
            return str(refused)
        return ""


@dataclass(frozen=True)
class LadderRow:
    """A line of a ladder.

    ``doing`` are the player's pending challenges. ``refusal`` is ``None`` if the reader is offered
    no challenge, otherwise why it isn't possible now. Empty if it is.
    """

    place: LadderPlace
    rating: DisplayedRating | None
    doing: Sequence[LadderChallenge]
    refusal: str | None = None


@dataclass(frozen=True)
class LadderView:
    """A ladder as one reader sees it; ``own`` is the reader's place."""

    rows: Sequence[LadderRow]
    own: LadderPlace | None
    size: int


def view(title: str, reader: User | None, now: datetime, club_id: int | None = None) -> LadderView:
    """Return the top of a ladder, and the neighbours of a reader who is further down."""
    own = place_of(reader, title, club_id) if reader else None
    listed = Q(position__lte=LISTED)
    if own is not None:
        listed |= Q(position__gte=own.position - NEARBY, position__lte=own.position + NEARBY)
    listed_places = list(places(title, club_id).filter(listed))
    doing = _doing(pending(title, club_id), {place.user_id for place in listed_places})
    shown_ratings = ratings.of_many(((place.user_id, title) for place in listed_places), now)
    offered = Reasons(reader, own, now, listed_places).offered() if reader and own else {}
    rows = [
        LadderRow(
            place,
            shown_ratings.get((place.user_id, title)),
            doing.get(place.user_id, ()),
            offered.get(place.user_id),
        )
        for place in listed_places
    ]
    return LadderView(rows, own, places(title, club_id).count())


def _doing(
    challenges: QuerySet[LadderChallenge], people: Collection[int]
) -> dict[int, list[LadderChallenge]]:
    """Return the pending challenges of people, by user id."""
    either = Q(challenger__in=people) | Q(defender__in=people)
    by_player: dict[int, list[LadderChallenge]] = {}
    for one in challenges.filter(either):
        by_player.setdefault(one.challenger_id, []).append(one)
        by_player.setdefault(one.defender_id, []).append(one)
    return by_player
