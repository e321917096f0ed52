"""The page of a team match that has begun: its boards and the points at each."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.clubs.models import Club
from games.events.models import Table
from games.events.results import results_of
from games.events.standings import in_words, points_for_team, team_scores
from games.matches import formatting
from games.matches.models import Match
from games.teams import selectors
from games.teams.models import TeamMatch


@dataclass(frozen=True)
class BoardSeat:
    """A player at a board, with the points, empty while the match runs."""

    user: User
    team: int
    points: str


@dataclass(frozen=True)
class Board:
    """A match of a team match."""

    table: Table
    seats: Sequence[BoardSeat]
    is_own: bool

    @property
    def players(self) -> str:
        """The names of the players, in a list."""
        return formatting.names([one.user.shown_name for one in self.seats])

    @property
    def is_annulled(self) -> bool:
        return self.table.match is not None and self.table.match.status == Match.Status.ANNULLED


def boards_of(tables: Sequence[Table], reader: User | AnonymousUser | None = None) -> list[Board]:
    """Return the boards, those of the reader first, and then from the first board on."""
    boards = [_board(table, reader) for table in tables]
    order = {table.pk: min(_numbers(table)) for table in tables}
    return sorted(boards, key=lambda one: (not one.is_own, order[one.table.pk], one.table.number))


def _numbers(table: Table) -> list[int]:
    return [seat.entry.number or 0 for seat in table.table_seats.all()]


def _board(table: Table, reader: User | AnonymousUser | None) -> Board:
    seats = table.table_seats.all()
    points = _points(table)
    shown = [BoardSeat(one.entry.user, one.entry.team, points.get(one.seat, "")) for one in seats]
    return Board(table, shown, any(one.user == reader for one in shown))


def _points(table: Table) -> dict[int, str]:
    """Return the points that each seat wins for its club. Empty while the match runs."""
    team = teams_at([table])
    return {
        seat.seat: in_words(points_for_team(seat, result, team))
        for result in results_of([table])
        for seat in result.seats
    }


def teams_at(tables: Sequence[Table]) -> dict[int, int]:
    """Return the team of each entry."""
    return {seat.entry_id: seat.entry.team for one in tables for seat in one.table_seats.all()}


@dataclass(frozen=True)
class Score:
    """The score of a team match in words. ``winner`` is the club that is ahead, or has won."""

    points: tuple[str, str]
    winner: Club | None
    by_second_seat: bool
    second_seat: tuple[int, int]


def score_of(team_match: TeamMatch, tables: Sequence[Table]) -> Score:
    """Return the score of a team match that has begun."""
    return _score(team_match, team_scores(results_of(tables), teams_at(tables)))


def scores_of(team_matches: Sequence[TeamMatch]) -> dict[int, Score]:
    """Return the scores of team matches that have begun, by their ids."""
    found = selectors.scores(team_matches)
    return {
        one.pk: _score(one, found[one.pk]) for one in team_matches if one.tournament_id is not None
    }


def _score(team_match: TeamMatch, score: selectors.Scores) -> Score:
    first, second = score
    ahead = selectors.winner(score)
    return Score(
        (in_words(first.points), in_words(second.points)),
        team_match.clubs[ahead - 1] if ahead else None,
        bool(ahead) and first.points == second.points,
        (first.second_seat, second.second_seat),
    )
