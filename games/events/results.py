"""What the matches of a tournament say about its tables."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from games.events.models import Entry, Table, TableSeat, Tournament
from games.events.standings import Line, Played, Result, standings
from games.matches.models import LogEntry, Match, Player

GRACE = timedelta(days=1)
"""So long after the deadline a match that can't be ended counts as a draw."""

PAIR = 2


def collect(tournament: Tournament, tables: Sequence[Table], now: datetime) -> bool:
    """Take over the results of matches that have ended; return whether all tables have one."""
    known = [_collected(tournament, table, now) for table in tables]
    return all(known)


def _collected(tournament: Tournament, table: Table, now: datetime) -> bool:
    if table.ended is not None or table.match is None:
        return True
    match = table.match
    seats = list(table.table_seats.all())
    if not match.is_running:
        ranks = _ranks(match, len(seats))
    elif now >= table.round.deadline + GRACE:
        ranks = [1] * len(seats)
    else:
        return False
    if tournament.lives and ranks == [1, 1]:
        # Somebody has to go on: the one who moved second.
        ranks = [2, 1]
    for seat in seats:
        seat.rank = ranks[seat.seat]
    TableSeat.objects.bulk_update(seats, ["rank"])
    table.ended = match.ended or now
    table.save(update_fields=["ended"])
    return True


def _ranks(match: Match, seats: int) -> list[int | None]:
    """Return the ranks of an ended match. Whoever dropped out comes after all who stayed.

    A match that one player cancelled alone is lost by that player. Otherwise nobody has a rank in
    a match without a result.
    """
    if match.status == Match.Status.OVER:
        keys = {player.seat: _key(player) for player in match.players.all()}
        return [1 + sum(other < keys[seat] for other in keys.values()) for seat in range(seats)]
    own = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.CANCEL, text="").first()
    if match.status == Match.Status.CANCELLED and own is not None and seats == PAIR:
        return [2 if seat == own.seat else 1 for seat in range(seats)]
    return [None] * seats


def _key(player: Player) -> tuple[bool, int]:
    return bool(player.dropped), player.rank or 0


def results_of(tables: Sequence[Table]) -> list[Result]:
    """Return the tables that have a result; entrants are entries by their id."""
    return [
        Result(
            table.round.number,
            [Played(seat.entry_id, seat.seat, seat.rank) for seat in table.table_seats.all()],
        )
        for table in tables
        if table.ended is not None
    ]


def lines_of(
    tournament: Tournament, entries: Sequence[Entry], tables: Sequence[Table]
) -> list[Line]:
    """Return the standings of a tournament so far."""
    return standings(
        [entry.pk for entry in entries],
        results_of(tables),
        lives=tournament.lives,
        left=[entry.pk for entry in entries if entry.left is not None],
    )
