"""The page of a tournament: standings, crosstable and rounds, ready for the template."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.contrib.humanize.templatetags.humanize import apnumber
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from accounts.models import User
from games.events.models import Entry, Round, Table, TableSeat, Tournament
from games.events.pairing import knock_out
from games.events.results import lines_of, results_of
from games.events.rounds import planned, planned_for
from games.events.standings import harder_seat, in_words
from games.events.tie_breaks import TIE_BREAKS, TieBreak, chosen
from games.kernel.two_players import PAIR
from games.matches import formatting
from games.matches.models import Match

MAX_CROSSTABLE = 24
"""Maximum number of players in a crosstable."""

HARDEST = (
    gettext_lazy("So far it is the first one."),
    gettext_lazy("So far it is the second one."),
    gettext_lazy("So far it is the third one."),
    gettext_lazy("So far it is the fourth one."),
    gettext_lazy("So far it is the fifth one."),
    gettext_lazy("So far it is the sixth one."),
)
"""Which seat has scored least, by its number."""


@dataclass(frozen=True)
class Cell:
    """The result of a player against another, ``–`` while the match runs, and the match."""

    text: str
    match_id: int | None = None


@dataclass(frozen=True)
class RoundCell:
    """A player's round: the points, the opponents' numbers in the standings, and the match.

    ``words`` says it for a screen reader.
    """

    text: str
    against: str
    words: str
    match_id: int | None = None


@dataclass
class StandingsRow:
    """A line of the standings, with the cells of the crosstable."""

    place: int
    entry: Entry
    points: str
    tie_breaks: Sequence[str]
    losses: int
    is_out: bool
    group: str
    rounds: Sequence["RoundCell"] = ()
    cells: list[Cell | None] = field(default_factory=list)


@dataclass(frozen=True)
class SeatedTable:
    """A table of a round: the match, or a bye."""

    table: Table
    seats: Sequence[tuple[User, str]]
    is_own: bool = False

    @property
    def players(self) -> str:
        """The names of the players, in a list."""
        return formatting.names([player.shown_name for player, _points in self.seats])

    @property
    def is_bye(self) -> bool:
        return self.table.match_id is None

    @property
    def is_annulled(self) -> bool:
        return self.table.match is not None and self.table.match.status == Match.Status.ANNULLED


@dataclass(frozen=True)
class RoundSection:
    """A round with its boards."""

    round: Round
    boards: Sequence[SeatedTable]


class TournamentPage:
    """Everything a tournament's page shows of its players and matches."""

    def __init__(
        self,
        tournament: Tournament,
        entries: Sequence[Entry],
        tables: Sequence[Table],
        reader: User | AnonymousUser | None = None,
    ) -> None:
        self.reader = reader
        self.tournament = tournament
        self.entries = entries
        self.tables = tables
        self._results = results_of(tables)
        self.order = chosen(tournament.tie_breaks)
        by_pk = {entry.pk: entry for entry in entries}
        lines = lines_of(tournament, entries, tables) if tournament.began else []
        self.rows = [
            StandingsRow(
                line.place,
                by_pk[line.entrant],
                in_words(line.points),
                [in_words(line.tie_breaks[key]) for key in self.order],
                line.losses,
                line.is_out,
                "" if line.group is None else chr(ord("A") + line.group),
            )
            for line in lines
        ]
        if self.has_picture:
            self._fill()
        if self.has_round_columns:
            self._fill_rounds()

    @property
    def has_crosstable(self) -> bool:
        """Whether the page shows a crosstable: where everybody meets everybody."""
        return self.has_picture and not self.has_round_columns

    @property
    def has_picture(self) -> bool:
        """Whether the results fit into a crosstable, at least as a picture."""
        few = PAIR <= len(self.rows) <= MAX_CROSSTABLE
        is_knock_out = self.tournament.lives or self.tournament.has_groups
        return few and self.tournament.seats == PAIR and not is_knock_out

    @property
    def has_round_columns(self) -> bool:
        """Whether the standings have a column for each round, as in Swiss tournaments."""
        return self.tournament.format == Tournament.Format.SWISS

    @property
    def round_numbers(self) -> list[int]:
        """The numbers of the rounds so far."""
        return sorted({table.round.number for table in self.tables})

    @property
    def tie_breaks(self) -> list[TieBreak]:
        """The tie-breaks in their order."""
        return [TIE_BREAKS[key] for key in self.order]

    @property
    def winners(self) -> list[User]:
        """The players in first place of a finished tournament."""
        is_over = self.tournament.is_finished
        return [row.entry.user for row in self.rows if is_over and row.entry.place == 1]

    @property
    def stages(self) -> list[RoundSection]:
        """The rounds, the latest first, and in each the reader's matches first."""
        stages = []
        for _round, of_round in groupby(self.tables, key=attrgetter("round_id")):
            tables = list(of_round)
            boards = sorted(map(self._board, tables), key=lambda board: not board.is_own)
            stages.append(RoundSection(tables[0].round, boards))
        return stages[::-1]

    @property
    def next_round(self) -> datetime | None:
        """When the next round begins. ``None`` if a round runs or the last one is over."""
        last = self.tables[-1].round if self.tables and self.tournament.is_running else None
        if last is None or last.ended is None or last.number == self.rounds_planned:
            return None
        return self.tournament.pause_ends(last)

    @property
    def is_being_drawn(self) -> bool:
        """Whether the tournament has begun and the worker is drawing its first round."""
        return self.tournament.is_running and not self.tables

    @property
    def rounds_planned(self) -> int:
        """The number of rounds. 0 if it isn't known."""
        if self.tournament.is_simultaneous or not self.tournament.began:
            return 0
        return planned(self.tournament, self.entries)

    @property
    def rounds_at_most(self) -> int:
        """The number of rounds of an open tournament if it fills up. 0 if it isn't known."""
        if self.tournament.is_simultaneous or not self.tournament.is_open:
            return 0
        return planned_for(self.tournament, self.tournament.most)

    @property
    def hard_seat(self) -> str:
        """The seat that scored least so far, in a sentence. Empty without one."""
        seat = harder_seat(self._results)
        return str(HARDEST[seat]) if seat is not None and seat < len(HARDEST) else ""

    @property
    def going_on(self) -> str:
        """How many of a board advance in a knock-out of several seats. Empty for its winner."""
        best = knock_out.best_of(self.tournament.seats)
        return "" if best == 1 else str(apnumber(best))

    @property
    def deadline(self) -> datetime | None:
        """The deadline of the current round. ``None`` if no round runs."""
        current = [table.round for table in self.tables if table.round.ended is None]
        return current[-1].deadline if current and self.tournament.is_running else None

    def _board(self, table: Table) -> SeatedTable:
        seats = table.table_seats.all()
        words = result_words(self.tournament)
        is_own = any(seat.entry.user == self.reader for seat in seats)
        return SeatedTable(table, [(one.entry.user, words(table, one)) for one in seats], is_own)

    def running_matches(self, entry: Entry) -> list[tuple[int, str]]:
        """Return a player's running matches as their ids and opponents' names."""
        found = []
        for table in self._running_tables(entry):
            still_in = {
                one.seat: one.user_id for one in table.match.players.all() if not one.dropped
            }
            seats = list(table.table_seats.all())
            own = [seat for seat in seats if seat.entry_id == entry.pk]
            if any(still_in.get(seat.seat) == entry.user_id for seat in own):
                others = [seat.entry.user.shown_name for seat in seats if seat not in own]
                found.append((table.match.pk, formatting.names(others)))
        return found

    def _running_tables(self, entry: Entry) -> list[Any]:
        """Return the tables of a player whose matches run, with the players of these."""
        running = [one for one in self.tables if one.match is not None and one.match.is_running]
        own = [one for one in running if entry in (seat.entry for seat in one.table_seats.all())]
        prefetch_related_objects(own, "match__players")
        return own

    def _fill_rounds(self) -> None:
        number = {row.entry.pk: at for at, row in enumerate(self.rows, start=1)}
        played: dict[tuple[int, int], RoundCell] = {}
        for table in self.tables:
            seats = list(table.table_seats.all())
            for own in seats:
                others = [one for one in seats if one is not own]
                played[own.entry_id, table.round.number] = self._round_cell(
                    table, own, others, sorted(number[one.entry_id] for one in others)
                )
        not_paired = RoundCell("", "", _("not paired"))
        for row in self.rows:
            row.rounds = [
                played.get((row.entry.pk, round_number), not_paired)
                for round_number in self.round_numbers
            ]

    def _round_cell(
        self, table: Table, own: TableSeat, others: Sequence[TableSeat], numbers: Sequence[int]
    ) -> RoundCell:
        points = points_of(table, own)
        if table.match_id is None:
            words = _("{points} for a bye").format(points=_counted(points))
            return RoundCell(points, pgettext("instead of an opponent", "bye"), words)
        names = formatting.names([one.entry.user.shown_name for one in others])
        if points:
            words = _("{points} against {names}").format(points=_counted(points), names=names)
        else:
            words = _("running against {names}").format(names=names)
        return RoundCell(points or "–", ", ".join(map(str, numbers)), words, table.match_id)

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


def _counted(points: str) -> str:
    """Return points in words, as ``2½ points``."""
    number = 1 if points in ("1", "½") else 2
    return ngettext("{points} point", "{points} points", number).format(points=points)


def points_of(table: Table, seat: TableSeat) -> str:
    """Return the points of a player at a table. Empty while the match runs."""
    if table.ended is None:
        return ""
    [result] = results_of([table])
    played = next(one for one in result.seats if one.seat == seat.seat)
    return in_words(result.points(played))


def rank_of(table: Table, seat: TableSeat) -> str:
    """Return the rank of a player at a table, as ``1st``. Empty while the match runs."""
    if table.ended is None:
        return ""
    return formatting.nth(seat.rank) if seat.rank else "–"


def result_words(tournament: Tournament) -> Callable[[Table, TableSeat], str]:
    """Return a function that words results: ranks in knock-outs of several seats, or points."""
    return rank_of if tournament.lives and tournament.seats > PAIR else points_of
