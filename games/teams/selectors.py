"""Team matches for pages and programs: what each reader may see of them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.sanctions import standing
from games.clubs.models import Club, Membership
from games.events.models import TableSeat, Tournament
from games.events.standings import Result, SeatResult, TeamScore, team_scores
from games.teams.errors import NoSuchTeamMatch
from games.teams.models import TeamMatch, TeamPlayer

Status = TeamMatch.Status
TEAMS = (1, 2)


def listed() -> QuerySet[TeamMatch]:
    """Return all team matches with their clubs, the latest first."""
    return TeamMatch.objects.select_related("first", "second", "tournament")


def get(pk: int) -> TeamMatch:
    """:raises NoSuchTeamMatch: it does not exist."""
    found = listed().filter(pk=pk).first()
    if found is None:
        raise NoSuchTeamMatch(_("There is no team match {number}.").format(number=pk))
    return found


def of(club: Club) -> Q:
    """Return the condition for the team matches of a club."""
    return Q(first=club) | Q(second=club)


def of_club(club: Club) -> QuerySet[TeamMatch]:
    """Return the team matches of a club, the latest first."""
    return listed().filter(of(club))


def waiting() -> Q:
    return Q(status__in=TeamMatch.WAITING)


def running() -> Q:
    return Q(tournament__status=Tournament.Status.RUNNING)


def ended() -> Q:
    return Q(tournament__status=Tournament.Status.FINISHED)


def begun() -> QuerySet[TeamMatch]:
    """Return the team matches that have begun, the latest first."""
    return listed().filter(status=Status.BEGUN).order_by("-created", "-pk")


@dataclass(frozen=True)
class Reader:
    """The teams of a reader: of which club they are a member, and which they lead."""

    member_of: Collection[int] = ()
    leads: Collection[int] = ()


def reader(team_match: TeamMatch, user: Any) -> Reader:
    """Return the teams of a user, who may be anonymous."""
    if not user.is_authenticated:
        return Reader()
    own = Membership.objects.filter(user=user, club__in=team_match.clubs)
    rows = {row.club_id: row for row in own}
    clubs = dict(zip(TEAMS, team_match.clubs, strict=True))
    member_of = [team for team, club in clubs.items() if club.pk in rows and club.is_open]
    return Reader(member_of, [team for team in member_of if rows[clubs[team].pk].leads])


def players_of(team_match: TeamMatch, team: int) -> list[TeamPlayer]:
    """Return everybody who will play for a team, in the order of the line-up."""
    rows = team_match.players.filter(team=team).select_related("user")
    return sorted(rows, key=lambda one: (one.board is None, one.board or 0, one.pk))


def shown_players(team_match: TeamMatch, team: int, who: Reader) -> list[TeamPlayer] | None:
    """Return the players whom a reader may see before the beginning. None if it is a secret.

    Members see who of their club will play, in the order in which they signed up. Leaders see
    their line-up, too. Others see nothing: both line-ups are shown together, when it begins.
    """
    if team not in who.member_of:
        return None
    players = players_of(team_match, team)
    if team not in who.leads:
        for one in players:
            one.board = None
        players.sort(key=lambda one: (one.joined, one.pk))
    return players


def signed_up(team_match: TeamMatch) -> tuple[int, int]:
    """Return how many players each club has, which everybody may know."""
    rows = team_match.players.order_by().values_list("team").annotate(Count("pk"))
    numbers = dict(rows)
    return numbers.get(1, 0), numbers.get(2, 0)


def cannot_play(club: Club) -> Q:
    """Return the condition for users who can't play for a club, or not any more."""
    members = club.memberships.values("user") if club.is_open else Membership.objects.none()
    shut_out = Q(user__in=standing.shutting_out().values("user"))
    return Q(user__is_active=False) | shut_out | ~Q(user__in=members)


def led_by(user: User) -> QuerySet[Club]:
    """Return the open clubs that a user leads, by name."""
    led = Club.objects.filter(
        closed=None, memberships__user=user, memberships__led_since__isnull=False
    )
    return led.order_by("name", "pk")


def leaders(club: Club) -> list[int]:
    """Return the ids of the leaders of an open club."""
    rows = Membership.objects.filter(club=club, led_since__isnull=False, club__closed=None)
    return list(rows.values_list("user", flat=True))


Scores = tuple[TeamScore, TeamScore]
NO_SCORE = TeamScore(), TeamScore()


def scores(team_matches: Sequence[TeamMatch]) -> Mapping[int, Scores]:
    """Return the current scores of team matches that have begun, by their ids."""
    by_tournament = {one.tournament_id: one.pk for one in team_matches if one.tournament_id}
    rows = TableSeat.objects.filter(
        table__round__tournament__in=by_tournament, table__ended__isnull=False
    ).values_list("table__round__tournament", "table", "entry", "entry__team", "seat", "rank")
    seats: defaultdict[int, defaultdict[int, list[SeatResult]]] = defaultdict(
        lambda: defaultdict(list)
    )
    team: dict[int, int] = {}
    for tournament, table, entry, of_team, seat, rank in rows.order_by("table", "seat"):
        seats[tournament][table].append(SeatResult(entry, seat, rank))
        team[entry] = of_team
    found = dict.fromkeys(by_tournament.values(), NO_SCORE)
    for tournament, tables in seats.items():
        results = [Result(1, at_table) for at_table in tables.values()]
        found[by_tournament[tournament]] = team_scores(results, team)
    return found


def winner(score: Scores) -> int:
    """Return the team that is ahead: by points, then by wins with the second seat. 0 for a draw."""
    first, second = (one.order for one in score)
    return 0 if first == second else 1 + (second > first)
