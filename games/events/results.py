"""The results of a tournament's tables, from their matches."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from games.events.models import Entry, Table, TableSeat, Tournament
from games.events.pairing import knock_out
from games.events.pairing.groups import ADVANCING, groups
from games.events.standings import Result, SeatResult, Standing, standings
from games.events.tie_breaks import chosen
from games.kernel import registry
from games.kernel.two_players import PAIR
from games.matches.log import log_entries
from games.matches.models import Match

GRACE = timedelta(days=1)
"""How long after the deadline a match that can't be ended counts as a draw."""


def collect(tournament: Tournament, tables: Sequence[Table], now: datetime) -> bool:
    """Copy the results of matches that have ended, and return whether all tables have one."""
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
    if is_knock_out(tournament, table.round.number):
        ranks = _without_ties(ranks)
    _rank(table, ranks)
    table.ended = match.ended or now
    table.save(update_fields=["ended"])
    return True


def is_knock_out(tournament: Tournament, round_number: int) -> bool:
    """Whether losers of a round are out, so that there can't be ties."""
    return bool(tournament.lives) or (tournament.has_groups and round_number > 1)


def _rank(table: Table, ranks: Sequence[int | None]) -> None:
    seats = list(table.table_seats.all())
    for seat in seats:
        seat.rank = ranks[seat.seat]
    TableSeat.objects.bulk_update(seats, ["rank"])


def settle(table: Table, ranks: Sequence[int | None], reason: str, now: datetime) -> None:
    """Give a table the result that an organiser has decided, whatever its match says."""
    if is_knock_out(table.round.tournament, table.round.number):
        ranks = _without_ties(ranks)
    _rank(table, ranks)
    table.ended = table.ended or now
    table.settled = now
    table.reason = reason
    table.save(update_fields=["ended", "settled", "reason"])


def unsettle(table: Table, ranks: Sequence[int | None], now: datetime) -> None:
    """Give a table its earlier result back. If its match hasn't ended, it plays on."""
    is_running = table.match is not None and table.match.is_running
    _rank(table, ranks)
    table.ended = None if is_running else table.ended or now
    table.settled = None
    table.reason = ""
    table.save(update_fields=["ended", "settled", "reason"])


def _ranks(match: Match, seats: int) -> list[int | None]:
    """Return the ranks of an ended match. Players who dropped out rank below the rest.

    A match that one player cancelled alone is lost by that player. Otherwise nobody has a rank in a
    match without a result.
    """
    if match.status == Match.Status.OVER:
        keys = {
            player.seat: (bool(player.dropped), player.rank or 0) for player in match.players.all()
        }
        return [1 + sum(other < keys[seat] for other in keys.values()) for seat in range(seats)]
    own = log_entries.cancelled_alone(match)
    if match.status == Match.Status.CANCELLED and own is not None and seats == PAIR:
        return [2 if seat == own else 1 for seat in range(seats)]
    return [None] * seats


def _without_ties(ranks: Sequence[int | None]) -> list[int | None]:
    """Break ties in favour of the later seat."""
    order = [(rank, -seat) for seat, rank in enumerate(ranks) if rank is not None]
    return [
        None if rank is None else 1 + sum(other < (rank, -seat) for other in order)
        for seat, rank in enumerate(ranks)
    ]


def going_on(tournament: Tournament, tables: Sequence[Table]) -> dict[int, int]:
    """Return how many advance to the next round, by the number of the round.

    In knock-outs for two, and elsewhere, only the winner does.
    """
    rounds = {number: list(group) for number, group in groupby(tables, attrgetter("round.number"))}
    if not tournament.lives or tournament.seats == PAIR:
        return dict.fromkeys(rounds, 1)
    least, _ = registry.get(tournament.title).meta.seats
    counts = {}
    for number, of_round in rounds.items():
        sizes = [len(table.table_seats.all()) for table in of_round if table.match_id]
        byes = len(of_round) - len(sizes)
        counts[number] = knock_out.going_on(sizes, byes, (least, tournament.seats))
    return counts


def results_of(tables: Sequence[Table], going_on: Mapping[int, int] | None = None) -> list[Result]:
    """Return the tables that have a result. Entrants are entries by their id."""
    return [
        Result(
            table.round.number,
            [SeatResult(seat.entry_id, seat.seat, seat.rank) for seat in table.table_seats.all()],
            (going_on or {}).get(table.round.number, 1),
            is_half=table.asked_for,
        )
        for table in tables
        if table.ended is not None
    ]


def lines_of(
    tournament: Tournament, entries: Sequence[Entry], tables: Sequence[Table]
) -> list[Standing]:
    """Return the current standings of a tournament."""
    if tournament.has_groups and tournament.began is not None:
        return _lines_of_groups(tournament, entries, results_of(tables))
    return standings(
        [entry.pk for entry in entries],
        results_of(tables, going_on(tournament, tables)),
        lives=tournament.lives,
        left=[entry.pk for entry in entries if entry.left is not None],
        order=chosen(tournament.tie_breaks),
    )


def _lines_of_groups(
    tournament: Tournament, entries: Sequence[Entry], results: Sequence[Result]
) -> list[Standing]:
    """Return the groups one after the other. Once the finals run, finalists come first."""
    left = [entry.pk for entry in entries if entry.left is not None]
    stage = [result for result in results if result.round == 1]
    lines = []
    for number, group in enumerate(_groups(entries)):
        own = [result for result in stage if result.seats[0].entrant in group]
        for line in standings(group, own, left=left, order=chosen(tournament.tie_breaks)):
            # What was lost in a group doesn't count in the finals.
            line.group = number
            line.losses = 0
            lines.append(line)
    finals = [result for result in results if result.round > 1]
    reached = {seat.entrant for result in finals for seat in result.seats}
    if not reached:
        return lines
    by_entrant = {line.entrant: line for line in lines}
    ordered = []
    for final in standings(sorted(reached), finals, lives=1, left=left):
        line = by_entrant[final.entrant]
        line.place = final.place
        line.losses = final.losses
        line.is_out = final.is_out
        line.byes = final.byes
        line.met = line.met + final.met
        line.seats = line.seats + final.seats
        ordered.append(line)
    # Those with the same place in their groups share one; those who left come after all who stayed.
    rest = [one for one in lines if one.entrant not in reached]
    keys = {line.entrant: (line.entrant in left, line.place) for line in rest}
    rest.sort(key=lambda one: keys[one.entrant])
    for line in rest:
        line.place = 1 + len(reached) + sum(key < keys[line.entrant] for key in keys.values())
        line.is_out = True
    return [*ordered, *rest]


def _groups(entries: Sequence[Entry]) -> list[list[int]]:
    ordered = sorted(entries, key=lambda entry: entry.number or 0)
    by_number = {entry.number or 0: entry.pk for entry in ordered}
    return [[by_number[number] for number in group] for group in groups(list(by_number))]


def advancing(
    tournament: Tournament, entries: Sequence[Entry], tables: Sequence[Table]
) -> set[int]:
    """Return the entries that advance from groups to finals: the first two who stayed."""
    stage = [one for one in results_of(tables) if one.round == 1]
    lines = _lines_of_groups(tournament, entries, stage)
    return {
        line.entrant
        for number in range(len(_groups(entries)))
        for line in [one for one in lines if one.group == number and not one.is_out][:ADVANCING]
    }
