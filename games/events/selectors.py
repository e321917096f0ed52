"""Tournaments for pages and programs."""

from collections.abc import Sequence

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.models import User
from games.events.errors import NoSuchTournament
from games.events.models import Entry, Table, TableSeat, Tournament, Waiting

Status = Tournament.Status


def listed() -> QuerySet[Tournament]:
    """Return all tournaments with their organisers and the number of players in."""
    playing = Count("entries", filter=Q(entries__left=None))
    return Tournament.objects.select_related("organiser").annotate(players=playing)


def get(pk: int) -> Tournament:
    """Return a tournament.

    :raises NoSuchTournament: there is none.
    """
    tournament = listed().filter(pk=pk).first()
    if tournament is None:
        raise NoSuchTournament(f"There is no tournament {pk}.")
    return tournament


def open_for_entry() -> QuerySet[Tournament]:
    """Return tournaments that take players, the next to begin first."""
    return listed().filter(status=Status.OPEN).order_by("starts", "pk")


def running() -> QuerySet[Tournament]:
    """Return tournaments that have begun, the latest first."""
    return listed().filter(status=Status.RUNNING).order_by("-began", "-pk")


def finished() -> QuerySet[Tournament]:
    """Return finished tournaments, the latest first."""
    return listed().filter(status=Status.FINISHED).order_by("-ended", "-pk")


def of_player(user: User) -> QuerySet[Tournament]:
    """Return the open and running tournaments that a user is in, waits for or organises."""
    mine = Exists(Entry.objects.filter(tournament=OuterRef("pk"), user=user, left=None))
    waits = Exists(Waiting.objects.filter(tournament=OuterRef("pk"), user=user))
    current = listed().filter(status__in=Tournament.CURRENT)
    return current.filter(Q(mine) | Q(waits) | Q(organiser=user)).order_by("starts", "pk")


def entries_of(tournament: Tournament) -> list[Entry]:
    """Return the entries with their users, in the order of the draw."""
    return list(tournament.entries.select_related("user", "replaces__user"))


def matches_in_play() -> QuerySet[Table, int]:
    """Return the ids of matches whose results running tournaments wait for."""
    tables = Table.objects.filter(ended=None, round__tournament__status=Status.RUNNING)
    return tables.filter(match__isnull=False).values_list("match_id", flat=True)


def waiting_of(tournament: Tournament) -> list[Waiting]:
    """Return the waiting list with its users, the first to enter on top."""
    return list(tournament.waiting.select_related("user"))


def tables_of(tournament: Tournament) -> list[Table]:
    """Return all tables with rounds, matches and seats, in order."""
    seats = TableSeat.objects.select_related("entry__user")
    tables = Table.objects.filter(round__tournament=tournament).select_related("round", "match")
    tables = tables.defer("match__position", "match__secret")
    rows = tables.prefetch_related(Prefetch("table_seats", seats), "match__players")
    return list(rows.order_by("round__number", "number"))


def titles_of(user: User) -> Sequence[Tournament]:
    """Return the finished tournaments that a user has won, the latest first."""
    won = Entry.objects.filter(user=user, place=1).values("tournament")
    return list(Tournament.objects.filter(pk__in=won, status=Status.FINISHED).order_by("-ended"))


def of_match(match_id: int) -> Table | None:
    """Return the table of a match; ``None`` if it belongs to no tournament."""
    return Table.objects.filter(match=match_id).select_related("round__tournament").first()
