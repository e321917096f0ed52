"""Lists of matches, with the names of their players.

Each takes a fixed number of queries.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Coalesce

from accounts.models import User
from games.matches import store
from games.matches.models import NO_DEADLINE, LogEntry, Match, Player
from games.matches.selectors import MatchSnapshot, snapshot_of
from games.matches.store import read_players


def waiting(user: User) -> QuerySet[Match]:
    """Return the running matches in which a user is to move, most urgent first.

    Each has ``due``, the user's deadline, which is ``NO_DEADLINE`` without a clock.
    """
    mine = Match.objects.filter(
        status=Match.Status.RUNNING, players__user=user, players__to_move=True
    )
    due = Coalesce(F("players__deadline"), Value(NO_DEADLINE), output_field=DateTimeField())
    return mine.annotate(due=due).order_by("due", "pk")


def count_waiting(user: User | int) -> int:
    """Count the matches that wait for a user or a user id."""
    return len(waiting_ids(user if isinstance(user, int) else user.pk))


def waiting_ids(user_id: int) -> list[int]:
    """Return the ids of the matches that wait for a user."""
    return store.run(store.waiting(user_id))


def has_moved(user: User, title: str) -> bool:
    """Whether a user has made a move in any match of a game, including running ones."""
    return Player.objects.filter(user=user, title=title, version__gt=0).exists()


def count_all(user: User) -> int:
    """Count the matches that a user plays or has played."""
    return Player.objects.filter(user=user).count()


def playing(user: User) -> QuerySet[Match]:
    """Return the running matches in which a user waits for others, latest change first.

    Each has ``latest``, when it changed.
    """
    mine = Match.objects.filter(players__user=user, players__ended=None, players__to_move=False)
    return by_latest(mine)


def running(user: User) -> QuerySet[Match]:
    """Return the running matches of a user, latest change first.

    Each has ``latest``, when it changed.
    """
    mine = Match.objects.filter(players__user=user, players__ended=None)
    return by_latest(mine)


def by_latest(few: QuerySet[Match]) -> QuerySet[Match]:
    """Order a player's matches by their last change. Each has its time as ``latest``.

    The expression keeps PostgreSQL from scanning the index on the changes of all matches: a player
    has few.
    """
    latest = Coalesce(F("changed"), Value(NO_DEADLINE), output_field=DateTimeField())
    return few.annotate(latest=latest).order_by("-latest", "-pk")


def ended(user: User, **seat: Any) -> QuerySet[Match]:
    """Return a user's ended matches, the latest first.

    Each has ``seat_ended``, the time of its end. ``seat`` are more conditions on the user's seat.
    """
    wanted = {f"players__{key}": value for key, value in seat.items()}
    mine = Match.objects.filter(players__user=user, players__ended__isnull=False, **wanted)
    return mine.annotate(seat_ended=F("players__ended")).order_by("-seat_ended", "-pk")


def ended_between(user: User, other: User) -> QuerySet[Match]:
    """Return a user's ended matches in which another one played too, the latest first.

    Each has ``seat_ended``, the time of its end.
    """
    met = Player.objects.filter(match=OuterRef("pk"), user=other)
    return ended(user).filter(Exists(met))


def archive() -> QuerySet[Match]:
    """Return all matches, running ones by their last change, ended ones by their end."""
    return Match.objects.order_by("-changed", "-pk")


def snapshots(matches: Sequence[Match]) -> list[MatchSnapshot]:
    """Return the snapshots of matches, whose players are read in one query."""
    read_players(matches)
    return [snapshot_of(match) for match in matches]


def with_last_entries(matches: Sequence[Match]) -> list[tuple[MatchSnapshot, list[LogEntry]]]:
    """Return the snapshots of matches, each with its last entry, if it has any."""
    if not matches:
        return []
    players, last = store.run(store.players_and_last_entries(matches))
    return [
        (MatchSnapshot(match, players[match.pk]), [last[match.pk]] if match.pk in last else [])
        for match in matches
    ]


class Results(NamedTuple):
    """How often somebody won a game alone, shared the first place, or missed it.

    Matches against bots are counted separately, as ``with_bots``.
    """

    title: str
    with_bots: bool
    won: int
    tied: int
    lost: int


def results_by_title(user: User) -> list[Results]:
    """Return a user's results for each title of which they have finished a match."""
    own = Player.objects.filter(user=user, ended__isnull=False).exclude(result="")
    shares = {key: Count("result", filter=Q(result=key)) for key in ("won", "tied", "lost")}
    keys = ("title", "with_bots")
    counted = own.order_by(*keys).values(*keys).annotate(**shares)
    return [Results(*row) for row in counted.values_list(*keys, *shares)]
