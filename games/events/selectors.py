"""Tournaments for pages and programs."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.events.errors import NoSuchTournament
from games.events.models import (
    CoOrganiser,
    Entry,
    OrganiserAct,
    Round,
    Table,
    TableSeat,
    Tournament,
    Waiting,
)

Status = Tournament.Status


def listed() -> QuerySet[Tournament]:
    """Return all tournaments with organisers, and numbers of active players and of entrants."""
    playing = Count("entries", filter=Q(entries__left=None))
    counted = Tournament.objects.annotate(players=playing, entrants=Count("entries"))
    return counted.select_related("organiser")


def among_players() -> QuerySet[Tournament]:
    """Return all tournaments in the same way, without team matches."""
    return listed().exclude(format=Tournament.Format.TEAMS)


def get(pk: int) -> Tournament:
    """:raises NoSuchTournament: it does not exist."""
    tournament = listed().filter(pk=pk).first()
    if tournament is None:
        raise NoSuchTournament(_("There is no tournament {number}.").format(number=pk))
    return tournament


def open_for_entry() -> QuerySet[Tournament]:
    """Return tournaments that take players, the next to begin first."""
    return listed().filter(status=Status.OPEN).order_by("starts", "pk")


def running() -> QuerySet[Tournament]:
    """Return tournaments that have begun, the latest first."""
    return among_players().filter(status=Status.RUNNING).order_by("-began", "-pk")


def finished() -> QuerySet[Tournament]:
    """Return finished tournaments, the latest first, with the entries of their ``winners``."""
    return _with_winners(among_players())


def finished_with_winners() -> QuerySet[Any]:
    """Return the same without organisers and numbers, which take longer to read."""
    return _with_winners(Tournament.objects.exclude(format=Tournament.Format.TEAMS))


def _with_winners(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    first = Entry.objects.filter(place=1).select_related("user")
    over = tournaments.filter(status=Status.FINISHED).order_by("-ended", "-pk")
    return over.prefetch_related(Prefetch("entries", first, to_attr="winners"))


def is_league() -> Q:
    """Return the condition for seasons of the bots' leagues."""
    return Q(series__startswith="league-")


def of_player(user: User) -> QuerySet[Tournament]:
    """Return the open and running tournaments that a user is in, waits for or organises."""
    mine = Exists(Entry.objects.filter(tournament=OuterRef("pk"), user=user, left=None))
    waits = Exists(Waiting.objects.filter(tournament=OuterRef("pk"), user=user))
    job = CoOrganiser.objects.filter(tournament=OuterRef("pk"), user=user, accepted__isnull=False)
    current = listed().filter(status__in=Tournament.CURRENT)
    own = Q(mine) | Q(waits) | Q(organiser=user) | Q(Exists(job))
    return current.filter(own).order_by("starts", "pk")


class OwnTournament(NamedTuple):
    """A tournament of a player: the round in play, if any, and the player's matches in it.

    ``waiting`` of these ``running`` matches wait for the player.
    """

    tournament: Tournament
    round: Round | None
    running: int
    waiting: int


def played_by(user: User, few: int) -> list[OwnTournament]:
    """Return up to ``few`` open and running tournaments that a user is in, the oldest first."""
    entries = Entry.objects.filter(user=user, left=None, tournament__status__in=Tournament.CURRENT)
    rows = entries.select_related("tournament").order_by("tournament__starts", "tournament")[:few]
    tournaments = {entry.pk: entry.tournament for entry in rows}
    begun = {pk: one for pk, one in tournaments.items() if one.is_running}
    if not begun:
        return [OwnTournament(one, None, 0, 0) for one in tournaments.values()]
    rounds = {
        one.tournament_id: one
        for one in Round.objects.filter(tournament__in=begun.values(), ended=None)
    }
    seats = TableSeat.objects.filter(
        entry__in=begun, table__match__ended=None, table__match__players__user=user
    )
    own = seats.order_by().values_list("entry", "table__match__players__to_move")
    running, waiting = Counter[int](), Counter[int]()
    for pk, is_to_move in own:
        running[pk] += 1
        waiting[pk] += is_to_move
    return [
        OwnTournament(one, rounds.get(one.pk), running[pk], waiting[pk])
        for pk, one in tournaments.items()
    ]


def entries_of(tournament: Tournament) -> list[Entry]:
    """Return the entries with their users, in the order of the draw."""
    # Few replace somebody.
    return list(tournament.entries.select_related("user").prefetch_related("replaces__user"))


def matches_in_play() -> QuerySet[Table, int]:
    """Return the ids of matches whose results running tournaments wait for."""
    tables = Table.objects.filter(ended=None, round__tournament__status=Status.RUNNING)
    return tables.filter(match__isnull=False).values_list("match_id", flat=True)


def waiting_of(tournament: Tournament) -> list[Waiting]:
    """Return the waiting list with its users, the next to enter first."""
    return list(tournament.waiting.prefetch_related("user"))


def tables_of(tournament: Tournament, entries: Iterable[Entry] | None = None) -> list[Table]:
    """Return all tables with rounds, matches and seats, in order.

    :param entries: all entries with their users, if they were read before.
    """
    by_pk = {one.pk: one for one in entries or entries_of(tournament)}
    tables = Table.objects.filter(round__tournament=tournament).select_related("round", "match")
    tables = tables.defer("match__position", "match__secret").prefetch_related("table_seats")
    rows = list(tables.order_by("round__number", "number"))
    for table in rows:
        for seat in table.table_seats.all():
            seat.entry = by_pk[seat.entry_id]
    return rows


def titles_of(user: User) -> QuerySet[Entry]:
    """Return a user's first three places in finished tournaments, the latest first.

    The last place is no title.
    """
    below = Entry.objects.filter(tournament=OuterRef("tournament"), place__gt=OuterRef("place"))
    top = Entry.objects.filter(user=user, place__lte=3, tournament__status=Status.FINISHED)
    placed = top.filter(Q(place=1) | Exists(below)).select_related("tournament")
    return placed.order_by("-tournament__ended", "-pk")


def of_match(match_id: int) -> Table | None:
    """Return the table of a match. ``None`` if it belongs to no tournament."""
    return Table.objects.filter(match=match_id).select_related("round__tournament").first()


def organises(tournament: Tournament, user: User | AnonymousUser) -> bool:
    """Whether a user organises a tournament, alone or with others."""
    if not isinstance(user, User):
        return False
    if tournament.organiser_id == user.pk:
        return True
    return CoOrganiser.objects.filter(
        tournament=tournament, user=user, accepted__isnull=False
    ).exists()


def is_removed(tournament: Tournament, user: User) -> bool:
    """Whether an organiser has removed a user, and no moderator has undone it."""
    removed = OrganiserAct.objects.filter(tournament=tournament, about=user, undone_by=None)
    return removed.filter(kind=OrganiserAct.Kind.REMOVE).exists()


def acts() -> QuerySet[OrganiserAct]:
    """Return what organisers did in all tournaments, the latest first."""
    rows = OrganiserAct.objects.filter(by_moderator=False).order_by("-pk")
    related = ("tournament", "actor", "about", "undone_by__actor", "undoes__about")
    return rows.select_related(*related)


def acts_of(tournament: Tournament) -> list[OrganiserAct]:
    """Return the log of a tournament, the latest act first."""
    # Most logs are empty: then joins cost more than they save.
    related = ("actor", "about", "undone_by__actor", "undoes__about")
    return list(tournament.acts.prefetch_related(*related))
