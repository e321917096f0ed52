"""The page of a tournament: standings, crosstable and rounds, ready for the template."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from django.contrib.humanize.templatetags.humanize import apnumber, ordinal

from accounts.models import User
from games.events.models import Entry, Round, Table, TableSeat, Tournament
from games.events.pairing import knock_out
from games.events.results import lines_of, results_of
from games.events.rounds import planned
from games.events.standings import harder_seat, in_words
from games.kernel.two_players import PAIR
from games.matches import formatting
from games.matches.models import Match

MAX_CROSSTABLE = 24
"""The most players whose results are shown against each other."""

SEATS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class Cell:
    """The result of a player against another, ``–`` while the match runs, and the match."""

    text: str
    match_id: int | None = None


@dataclass
class Row:
    """A line of the standings, with the cells of the crosstable."""

    place: int
    entry: Entry
    points: str
    duel: str
    berger: str
    hard_wins: int
    losses: int
    is_out: bool
    group: str
    cells: list[Cell | None] = field(default_factory=list)


@dataclass(frozen=True)
class Board:
    """A table of a round: the match, or a bye."""

    table: Table
    seats: Sequence[tuple[User, str]]

    @property
    def is_bye(self) -> bool:
        """Whether one player sits there alone."""
        return self.table.match_id is None

    @property
    def is_annulled(self) -> bool:
        """Whether a moderator annulled the match."""
        return self.table.match is not None and self.table.match.status == Match.Status.ANNULLED


@dataclass(frozen=True)
class Stage:
    """A round with its boards."""

    round: Round
    boards: Sequence[Board]


class Page:
    """Everything a tournament's page shows of its players and matches."""

    def __init__(
        self, tournament: Tournament, entries: Sequence[Entry], tables: Sequence[Table]
    ) -> None:
        self.tournament = tournament
        self.entries = entries
        self.tables = tables
        self._results = results_of(tables)
        by_pk = {entry.pk: entry for entry in entries}
        lines = lines_of(tournament, entries, tables) if tournament.began else []
        self.rows = [
            Row(
                line.place,
                by_pk[line.entrant],
                in_words(line.points),
                in_words(line.duel),
                in_words(line.berger),
                line.hard_wins,
                line.losses,
                line.is_out,
                "" if line.group is None else chr(ord("A") + line.group),
            )
            for line in lines
        ]
        if self.has_crosstable:
            self._fill()

    @property
    def has_crosstable(self) -> bool:
        """Whether the results of each two players fit into a table."""
        few = PAIR <= len(self.rows) <= MAX_CROSSTABLE
        is_knock_out = self.tournament.lives or self.tournament.has_groups
        return few and self.tournament.seats == PAIR and not is_knock_out

    @property
    def stages(self) -> list[Stage]:
        """The rounds, the latest first."""
        stages = []
        for _, of_round in groupby(self.tables, key=attrgetter("round_id")):
            tables = list(of_round)
            stages.append(Stage(tables[0].round, [self._board(table) for table in tables]))
        return stages[::-1]

    @property
    def next_round(self) -> datetime | None:
        """When the next round begins; ``None`` if a round runs or none is left."""
        last = self.tables[-1].round if self.tables and self.tournament.is_running else None
        if last is None or last.ended is None or last.number == self.rounds_planned:
            return None
        return self.tournament.pause_ends(last)

    @property
    def is_being_drawn(self) -> bool:
        """Whether the tournament has begun and the worker draws its first round."""
        return self.tournament.is_running and not self.tables

    @property
    def rounds_planned(self) -> int:
        """How many rounds there will be; 0 if that isn't known."""
        if self.tournament.is_simultaneous or not self.tournament.began:
            return 0
        return planned(self.tournament, self.entries)

    @property
    def rounds_at_most(self) -> int:
        """How many rounds an open tournament will have if it fills up; 0 if that isn't known."""
        if self.tournament.is_simultaneous or not self.tournament.is_open:
            return 0
        return planned(self.tournament, [Entry()] * self.tournament.most)

    @property
    def hard_seat(self) -> str:
        """The seat that scored least so far, in words; empty without such a seat."""
        seat = harder_seat(self._results)
        return SEATS[seat] if seat is not None and seat < len(SEATS) else ""

    @property
    def going_on(self) -> str:
        """Who goes on in a knock-out of several seats, in words."""
        best = knock_out.best_of(self.tournament.seats)
        return "winner" if best == 1 else f"first {apnumber(best)}"

    @property
    def deadline(self) -> datetime | None:
        """The time by which the current round ends; ``None`` if no round runs."""
        current = [table.round for table in self.tables if table.round.ended is None]
        return current[-1].deadline if current and self.tournament.is_running else None

    def _board(self, table: Table) -> Board:
        seats = table.table_seats.all()
        words = result_words(self.tournament)
        return Board(table, [(seat.entry.user, words(table, seat)) for seat in seats])

    def running_matches(self, entry: Entry) -> list[tuple[int, str]]:
        """Return the ids of the matches that a player still plays, with the opponents' names."""
        found = []
        for table in self.tables:
            if table.match is None or not table.match.is_running:
                continue
            still_in = {
                one.seat: one.user_id for one in table.match.players.all() if not one.dropped
            }
            seats = list(table.table_seats.all())
            own = [seat for seat in seats if seat.entry_id == entry.pk]
            if any(still_in.get(seat.seat) == entry.user_id for seat in own):
                others = [seat.entry.user.shown_name for seat in seats if seat not in own]
                found.append((table.match.pk, formatting.names(others)))
        return found

    def _fill(self) -> None:
        column = {row.entry.pk: at for at, row in enumerate(self.rows)}
        for row in self.rows:
            row.cells = [None] * len(self.rows)
        for table in self.tables:
            seats = list(table.table_seats.all())
            if len(seats) == PAIR:
                for own, other in (seats, seats[::-1]):
                    cell = Cell(points_of(table, own) or "–", table.match_id)
                    self.rows[column[own.entry_id]].cells[column[other.entry_id]] = cell


def points_of(table: Table, seat: TableSeat) -> str:
    """Return the points of a player at a table; empty while the match runs."""
    if table.ended is None:
        return ""
    [result] = results_of([table])
    played = next(one for one in result.seats if one.seat == seat.seat)
    return in_words(result.points(played))


def rank_of(table: Table, seat: TableSeat) -> str:
    """Return the rank of a player at a table, as ``1st``; empty while the match runs."""
    if table.ended is None:
        return ""
    return str(ordinal(seat.rank)) if seat.rank else "–"


def result_words(tournament: Tournament) -> Callable[[Table, TableSeat], str]:
    """Return how results at tables are shown: ranks in knock-outs of several seats, or points."""
    return rank_of if tournament.lives and tournament.seats > PAIR else points_of
