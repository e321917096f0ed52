"""Matches read with the names of their players: one, or a list of them.

Each takes a fixed number of queries.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Value,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce

from accounts.models import User
from games.matches.errors import NoSuchMatch
from games.matches.models import Match, Player
from games.matches.selectors import MatchSnapshot, snapshot_of

NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""When a player without a clock is due."""


def read_players(matches: Sequence[Match]) -> None:
    """Read the players of matches and their names, in one query for all."""
    players = Player.objects.select_related("user").order_by("seat")
    prefetch_related_objects(matches, Prefetch("players", players))


def read_snapshot(match_id: int) -> MatchSnapshot:
    """Read a match with its players and their names, in two queries.

    :raises NoSuchMatch: there is none with this id.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise NoSuchMatch(f"There is no match {match_id}.")
    read_players([match])
    return snapshot_of(match)


def waiting(user: User) -> QuerySet[Match]:
    """Return the running matches in which a user is to move, most urgent first.

    Each has ``due``, the user's deadline; ``NEVER`` without a clock.
    """
    mine = Match.objects.filter(
        status=Match.Status.RUNNING, players__user=user, players__to_move=True
    )
    due = Coalesce(F("players__deadline"), Value(NEVER), output_field=DateTimeField())
    return mine.annotate(due=due).order_by("due", "pk")


def count_waiting(user: User | int) -> int:
    """Return how many matches wait for a user, or for whoever has an id."""
    mine = Player.objects.filter(user=user, to_move=True, match__status=Match.Status.RUNNING)
    return mine.count()


def playing(user: User) -> QuerySet[Match]:
    """Return the running matches in which a user waits for others, latest change first."""
    mine = Match.objects.filter(
        status=Match.Status.RUNNING, players__user=user, players__to_move=False
    )
    return mine.order_by("-changed", "-pk")


def running(user: User) -> QuerySet[Match]:
    """Return the running matches of a user, latest change first."""
    mine = Match.objects.filter(status=Match.Status.RUNNING, players__user=user)
    return mine.order_by("-changed", "-pk")


def ended(user: User) -> QuerySet[Match]:
    """Return the matches of a user that have ended, the latest first."""
    mine = Match.objects.filter(players__user=user).exclude(status=Match.Status.RUNNING)
    return mine.order_by("-ended", "-pk")


def archive() -> QuerySet[Match]:
    """Return all matches, running ones by their last change, ended ones by their end."""
    return Match.objects.order_by("-changed", "-pk")


def snapshots(matches: Sequence[Match]) -> list[MatchSnapshot]:
    """Return the snapshots of matches, whose players are read in one query."""
    read_players(matches)
    return [snapshot_of(match) for match in matches]


class Results(NamedTuple):
    """How often somebody won a game alone, shared the first place, and did not have it."""

    title: str
    won: int
    tied: int
    lost: int


def results_by_title(user: User) -> list[Results]:
    """Return a user's results for each title of which they have finished a match."""
    first = Player.objects.filter(match=OuterRef("match"), rank=1)
    own = Player.objects.filter(user=user, match__status=Match.Status.OVER)
    counted = (
        own.annotate(shared=Exists(first.exclude(pk=OuterRef("pk"))))
        .values("match__title")
        .annotate(
            won=Count("pk", filter=Q(rank=1, shared=False)),
            tied=Count("pk", filter=Q(rank=1, shared=True)),
            lost=Count("pk", filter=Q(rank__gt=1)),
        )
    )
    rows = counted.order_by("match__title").values_list("match__title", "won", "tied", "lost")
    return [Results(*row) for row in rows]
