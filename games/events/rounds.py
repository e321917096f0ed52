"""The rounds of a tournament: pairings, and the matches that start.

The caller holds the lock of the tournament.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from random import Random

from games.events.models import Entry, Round, Table, TableSeat, Tournament
from games.events.pairing import Round as Pairings
from games.events.pairing.groups import group_stage
from games.events.pairing.knock_out import knock_out_round, knock_out_tables
from games.events.pairing.round_robin import balanced_tables, round_robin
from games.events.pairing.swiss import SwissEntrant, rounds_for, swiss_round, swiss_tables
from games.events.pairing.teams import team_tables
from games.events.results import advancing, lines_of
from games.kernel import registry
from games.kernel.dice import SIZE
from games.kernel.two_players import PAIR
from games.matches import services as matches
from games.matches.models import Match
from games.matches.services import Participant
from games.talk import services as talk


def planned(tournament: Tournament, entries: Sequence[Entry]) -> int:
    """Return how many rounds there will be. 0 if that depends on the results."""
    return planned_for(tournament, sum(_counts(tournament, entry) for entry in entries))


def planned_for(tournament: Tournament, players: int) -> int:
    """Return how many rounds so many players would have. 0 if that depends on the results."""
    if tournament.lives or tournament.has_groups:
        return 0
    if tournament.format == Tournament.Format.ROUND_ROBIN and tournament.seats == PAIR:
        return players - 1 + players % 2
    return rounds_for(players, tournament.seats, tournament.rounds)


def _counts(tournament: Tournament, entry: Entry) -> bool:
    """Whether an entry decides how many rounds there are.

    A substitute has the place of another player, and late players find the number fixed.
    """
    began = tournament.began if tournament.format == Tournament.Format.SWISS else None
    is_late = began is not None and entry.joined is not None and entry.joined > began
    return entry.replaces_id is None and not is_late


def sizes(tournament: Tournament) -> tuple[int, int]:
    """Return the minimum size of a table, the game's so that byes are rare, and the maximum."""
    low, _ = registry.get(tournament.title).meta.seats
    return low, tournament.seats


def next_round(
    tournament: Tournament, entries: Sequence[Entry], tables: Sequence[Table]
) -> list[Pairings]:
    """Return the pairings of the next round. Empty if the tournament is over.

    If all rounds begin together, these are all rounds.
    """
    number = 1 + max((table.round.number for table in tables), default=0)
    still_in = [entry for entry in entries if entry.left is None]
    if tournament.is_for_teams:
        return _of_teams(tournament, entries) if number == 1 else []
    if tournament.has_groups and number == 1:
        stage = group_stage(sorted(entry.number or 0 for entry in entries), tournament.seed)
        return _without_absent(stage, still_in)
    if tournament.has_groups:
        finals = [table for table in tables if table.round.number > 1]
        seated = {seat.entry_id for table in finals for seat in table.table_seats.all()}
        reached = seated or advancing(tournament, entries, tables)
        still_in = [entry for entry in still_in if entry.pk in reached]
    if tournament.format == Tournament.Format.ROUND_ROBIN:
        return _of_schedule(tournament, entries, still_in, number)
    lines = {line.entrant: line for line in lines_of(tournament, entries, tables)}
    numbers = {entry.pk: entry.number or 0 for entry in entries}
    field = [
        SwissEntrant(
            number=numbers[entry.pk],
            score=lines[entry.pk].points,
            met=[numbers[other] for other in lines[entry.pk].met],
            seats=lines[entry.pk].seats,
            byes=lines[entry.pk].byes,
            losses=lines[entry.pk].losses,
        )
        for entry in still_in
    ]
    if tournament.lives and tournament.seats > PAIR:
        pairings = knock_out_tables(field, sizes(tournament))
    elif tournament.lives or tournament.has_groups:
        pairings = knock_out_round(field, tournament.lives or 1)
    elif len(field) < PAIR or number > planned(tournament, entries):
        pairings = None
    else:
        pairings = _of_swiss(tournament, field, _resting(tournament, number))
    return [pairings] if pairings and pairings.tables else []


def _of_teams(tournament: Tournament, entries: Sequence[Entry]) -> list[Pairings]:
    """Return both rounds, in which players who have left already lose their matches."""
    numbers = [[one.number or 0 for one in entries if one.team == team] for team in (1, 2)]
    return list(team_tables((numbers[0], numbers[1]), sizes(tournament)))


def _resting(tournament: Tournament, number: int) -> set[int]:
    """Return the numbers of players who asked for a bye in a round, and were granted it."""
    granted = Entry.objects.filter(
        tournament=tournament,
        left=None,
        bye_requests__round=number,
        bye_requests__granted__isnull=False,
    )
    return {entry.number or 0 for entry in granted}


def _of_swiss(
    tournament: Tournament, field: Sequence[SwissEntrant], resting: set[int]
) -> Pairings | None:
    """Pair a Swiss round without those who rest, or with all if that is impossible."""
    playing = [one for one in field if one.number not in resting]
    asked = [one.number for one in field if one.number in resting]
    if tournament.seats > PAIR:
        enough = len(playing) >= sizes(tournament)[0]
        made = swiss_tables(playing if enough else field, sizes(tournament))
        return made._replace(asked_for=asked if enough else [])
    if asked and len(playing) >= PAIR:
        made_without = swiss_round(playing)
        if made_without is not None:
            return made_without._replace(asked_for=asked)
    return swiss_round(field)


def _of_schedule(
    tournament: Tournament, entries: Sequence[Entry], still_in: Sequence[Entry], number: int
) -> list[Pairings]:
    """Return the next rounds of a round robin, without players who have left."""
    together = tournament.is_simultaneous
    field = [entry.number or 0 for entry in (still_in if together else entries)]
    if len(still_in) < PAIR or (together and number > 1):
        return []
    if tournament.seats == PAIR:
        schedule = round_robin(field, tournament.seed)
    else:
        rounds = planned(tournament, entries)
        schedule = balanced_tables(field, sizes(tournament), rounds, tournament.seed)
    if together:
        return _without_absent(schedule, still_in)
    return _without_absent(schedule[number - 1 :], still_in)[:1]


def _without_absent(schedule: Sequence[Pairings], still_in: Sequence[Entry]) -> list[Pairings]:
    """Return the rounds that have tables, without the tables of players who have left."""
    present = {entry.number for entry in still_in}
    rounds = (
        Pairings([table for table in made.tables if present.issuperset(table)], [])
        for made in schedule
    )
    return [made for made in rounds if made.tables]


def begin(
    tournament: Tournament, pairings: Sequence[Pairings], entries: Sequence[Entry], now: datetime
) -> Round:
    """Write a round and start its matches."""
    last = tournament.played_rounds.order_by("-number").first()
    made = Round.objects.create(
        tournament=tournament,
        number=last.number + 1 if last else 1,
        began=now,
        deadline=tournament.ends or now + timedelta(days=tournament.round_days),
    )
    by_number = {entry.number: entry for entry in entries}
    tables = [table for one in pairings for table in one.tables]
    # Round robins give no points for a bye: everybody has as many matches as another.
    scheduled = tournament.format == Tournament.Format.ROUND_ROBIN or len(pairings) > 1
    byes = [] if scheduled else [(entrant,) for one in pairings for entrant in one.byes]
    asked_for = {entrant for one in pairings for entrant in one.asked_for}
    resting = [(entrant,) for entrant in sorted(asked_for)]
    for number, table in enumerate([*tables, *byes, *resting], start=1):
        seated = [by_number[one] for one in table]
        _seat(made, number, seated, now, asked_for=table in resting)
    return made


def _seat(
    made: Round, number: int, seated: Sequence[Entry], now: datetime, *, asked_for: bool
) -> None:
    is_bye = len(seated) == 1
    table = Table.objects.create(
        round=made,
        number=number,
        match=None if is_bye else _match(made.tournament, seated, now),
        ended=now if is_bye else None,
        asked_for=asked_for,
    )
    TableSeat.objects.bulk_create(
        TableSeat(table=table, seat=seat, entry=entry, rank=1 if is_bye else None)
        for seat, entry in enumerate(seated)
    )


def _match(tournament: Tournament, seated: Sequence[Entry], now: datetime) -> Match:
    match = matches.start(
        title=tournament.title,
        params=tournament.params,
        clock=tournament.time_control,
        secret=secrets.token_bytes(SIZE),
        participants=[Participant(entry.user, secrets.token_bytes(SIZE)) for entry in seated],
        last_joiner=None,
        rated=tournament.rated,
        now=now,
    )
    talk.greet(match, now=now)
    return match


def draw(entries: Sequence[Entry], strengths: Mapping[int, float], seed: str) -> None:
    """Number the entries from the strongest to the weakest. Newcomers are drawn by lot."""
    mixed = sorted(entries, key=lambda entry: entry.user_id)
    Random(seed).shuffle(mixed)  # noqa: S311 - reproducible on purpose
    mixed.sort(key=lambda entry: -strengths.get(entry.user_id, 0))
    for number, entry in enumerate(mixed, start=1):
        entry.number = number
