"""What every move and every list reads of matches.

Django builds the same SQL again each time, which takes longer than PostgreSQL takes to answer. The
figures below are processor time of the process that asks (``python -m bench
statements``). Tables, columns and types are those of the models.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, reduce
from operator import or_
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from django.db import connection, models
from django.db.models import Prefetch, Q, Value, prefetch_related_objects

from accounts.models import User
from games.matches.fields import Hidden
from games.matches.models import LogEntry, Match, Outage, Player, Sweep
from games.matches.store.driver import Statement

Row = TypeVar("Row", bound=models.Model)

DEFERRED = {Match: {"secret"}, LogEntry: {"trace"}}
"""Fields that are read when they are accessed, as of the models' managers."""

MatchWithPlayers: TypeAlias = tuple[Match, list[Player]] | None
MatchWithLog: TypeAlias = tuple[MatchWithPlayers, list[LogEntry]]
PlayersAndEntries: TypeAlias = tuple[dict[int, list[Player]], dict[int, LogEntry]]
Period: TypeAlias = tuple[datetime, datetime]
OutagesAndBeats: TypeAlias = tuple[list[Period], dict[str, datetime]]


def match_with_players(match_id: int) -> Statement[MatchWithPlayers]:
    """Read a match and its players, each with its user; ``None`` if there is none.

    0.16 ms, by the ORM 1.9 ms.
    """

    def decode(rows: list[tuple[Any, ...]]) -> MatchWithPlayers:
        if not rows:
            return None
        first = len(_fields(Match))
        match = _row(Match, rows[0][:first])
        seats = (row[first:] for row in rows if row[first] is not None)
        return match, [_player(match, values, {}) for values in seats]

    def plain() -> MatchWithPlayers:
        match = Match.objects.filter(pk=match_id).first()
        if match is None:
            return None
        read_players([match])
        return match, sorted(match.players.all(), key=_seat)

    return Statement(_match_sql(), [match_id], decode, plain)


def players_and_last_entries(matches: Sequence[Match]) -> Statement[PlayersAndEntries]:
    """Read the players of matches, with their users, and the last entries, by ids of matches.

    A match without an entry has none. Of 20 matches 1.5 ms, by the ORM 5.8 ms.
    """
    by_id = {match.pk: match for match in matches}

    def decode(rows: list[tuple[Any, ...]]) -> PlayersAndEntries:
        players: dict[int, list[Player]] = {match_id: [] for match_id in by_id}
        entries = {}
        users: dict[int, User] = {}
        first = len(_fields(Player)) + len(_fields(User))
        for row in rows:
            match = by_id[row[-1]]
            players[match.pk].append(_player(match, row[:first], users))
            if row[first] is not None:
                entries[match.pk] = _row(LogEntry, row[first:-1])
        return players, entries

    def plain() -> PlayersAndEntries:
        read_players(matches)
        seated = {match.pk: sorted(match.players.all(), key=_seat) for match in matches}
        # Each by the index on match and number; of a match joined, the whole log would be read.
        last = [Q(match=match.pk, number=match.version) for match in matches if match.version]
        entries = LogEntry.objects.filter(reduce(or_, last)) if last else ()
        return seated, {entry.match_id: entry for entry in entries}

    versions = [match.version for match in by_id.values()]
    return Statement(_players_sql(), [list(by_id), versions], decode, plain)


def read_players(matches: Sequence[Match]) -> None:
    """Read the players of matches and their names by the ORM, in one query for all."""
    players = Player.objects.select_related("user").order_by("seat")
    prefetch_related_objects(matches, Prefetch("players", players))


def _seat(player: Player) -> int:
    return player.seat


def _player(match: Match, values: Sequence[Any], users: dict[int, User]) -> Player:
    """Return a player of a match, by its own values and those of its user.

    :param users: those that were read before; this one is added.
    """
    width = len(_fields(Player))
    player = _row(Player, values[:width])
    if player.user_id not in users:
        users[player.user_id] = _row(User, values[width:])
    player._state.fields_cache |= {"match": match, "user": users[player.user_id]}
    return player


def match_with_log(match_id: int, after: int, most: int) -> Statement[MatchWithLog]:
    """Read a match and its players, and the entries of its log after a number, in order.

    Of more than ``most`` entries the earliest are left out. 0.65 ms with ten entries, by the ORM
    2.5 ms.
    """
    match = match_with_players(match_id)

    def decode(rows: list[tuple[Any, ...]]) -> MatchWithLog:
        logged = rows[0][-1] if rows else None
        return match.decode(rows), [_entry(values) for values in logged or ()]

    def plain() -> MatchWithLog:
        players = match.plain()
        version = players[0].version if players else 0
        after_all = max(after, version - most)
        entries = LogEntry.objects.filter(number__gt=after_all, number__lte=version)
        return players, list(entries.filter(match=match_id).order_by("number"))

    return Statement(_match_sql(with_log=True), [after, most, match_id], decode, plain)


def _entry(values: Mapping[str, Any]) -> LogEntry:
    """Return an entry by its columns, as JSON has them."""
    fields = [field.to_python(values[field.column]) for field in _fields(LogEntry)]
    return LogEntry.from_db(connection.alias, _names(LogEntry), fields)


def secret(match_id: int) -> Statement[Hidden]:
    """Read the secret of a match, which its rows are read without.

    0.06 ms, by the ORM 0.3 ms.
    """

    def plain() -> Hidden:
        return Hidden(Match.objects.values_list("secret", flat=True).get(pk=match_id))

    return Statement(_secret_sql(), [match_id], lambda found: Hidden(found[0][0]), plain)


def was_sent(match_id: int, seat: int, submission: UUID) -> Statement[bool]:
    """Read whether a seat has sent a submission before.

    0.07 ms, by the ORM 0.49 ms.
    """

    def plain() -> bool:
        entries = LogEntry.objects.filter(match=match_id, seat=seat, submission=submission)
        return bool(entries.exists())

    return Statement(_sent_sql(), [match_id, seat, submission], _is_so, plain)


def count_waiting(user_id: int) -> Statement[int]:
    """Count the matches that wait for a user.

    0.03 ms, by the ORM 0.33 ms.
    """

    def plain() -> int:
        return Player.objects.filter(user=user_id, to_move=True).count()

    return Statement(_waiting_sql(), [user_id], lambda found: int(found[0][0]), plain)


def outages(names: Sequence[str]) -> Statement[OutagesAndBeats]:
    """Read when past outages began and ended, and the last time of heartbeats, by their names.

    0.06 ms, by the ORM 0.58 ms.
    """

    def decode(columns: Iterable[tuple[Any, ...]]) -> OutagesAndBeats:
        rows = list(columns)
        beats = {name: ran for name, ran, _ in rows if name}
        return [(began, ended) for name, began, ended in rows if not name], beats

    def plain() -> OutagesAndBeats:
        over = Outage.objects.order_by().values_list(Value(""), "began", "ended")
        beats = Sweep.objects.filter(name__in=names)
        no_end = Value(None, models.DateTimeField())
        return decode(over.union(beats.values_list("name", "ran", no_end), all=True))

    return Statement(_outages_sql(), [list(names)], decode, plain)


def _is_so(rows: list[tuple[Any, ...]]) -> bool:
    return bool(rows[0][0])


@cache
def _match_sql(*, with_log: bool = False) -> str:
    """Return what asks for a match; its log stands beside its first seat."""
    selected = ", ".join(_selected(Match, "m") + _selected(Player, "p") + _selected(User, "u"))
    if with_log:
        selected += f", CASE WHEN p.seat = 0 THEN ({_log_sql()}) END"
    match, player, user = map(_table, (Match, Player, User))
    return (
        f"SELECT {selected} FROM {match} AS m"  # noqa: S608 - names of the models
        f" LEFT JOIN {player} AS p ON p.match_id = m.id LEFT JOIN {user} AS u ON u.id = p.user_id"
        " WHERE m.id = %s ORDER BY p.seat"
    )


@cache
def _players_sql() -> str:
    """Return what asks for players; the last entry of a match stands beside its first seat."""
    selected = ", ".join(_selected(Player, "p") + _selected(User, "u") + _selected(LogEntry, "e"))
    player, user, log = map(_table, (Player, User, LogEntry))
    return (
        f"SELECT {selected}, last.match_id"  # noqa: S608
        " FROM unnest(%s::bigint[], %s::int[]) AS last (match_id, number)"
        f" JOIN {player} AS p ON p.match_id = last.match_id JOIN {user} AS u ON u.id = p.user_id"
        f" LEFT JOIN {log} AS e"
        " ON e.match_id = last.match_id AND e.number = last.number AND p.seat = 0"
        " ORDER BY p.seat"
    )


@cache
def _log_sql() -> str:
    columns = ", ".join(_selected(LogEntry, "e"))
    return (
        f"SELECT json_agg(found ORDER BY found.number) FROM (SELECT {columns}"  # noqa: S608
        f" FROM {_table(LogEntry)} AS e WHERE e.match_id = m.id"
        " AND e.number > greatest(%s, m.version - %s)) AS found"
    )


@cache
def _secret_sql() -> str:
    return f"SELECT secret FROM {_table(Match)} WHERE id = %s"  # noqa: S608


@cache
def _sent_sql() -> str:
    return (
        f"SELECT EXISTS (SELECT FROM {_table(LogEntry)}"  # noqa: S608
        " WHERE match_id = %s AND seat = %s AND submission = %s)"
    )


@cache
def _waiting_sql() -> str:
    return f"SELECT count(*) FROM {_table(Player)} WHERE user_id = %s AND to_move"  # noqa: S608


@cache
def _outages_sql() -> str:
    return (
        f"SELECT '', began, ended FROM {_table(Outage)}"  # noqa: S608
        f" UNION ALL SELECT name, ran, NULL FROM {_table(Sweep)} WHERE name = ANY(%s::text[])"
    )


@cache
def _fields(model: type[models.Model]) -> tuple[Any, ...]:
    left_out = DEFERRED.get(model, set())
    return tuple(field for field in model._meta.concrete_fields if field.name not in left_out)


@cache
def _names(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in _fields(model))


@cache
def _converted(model: type[models.Model]) -> tuple[tuple[int, Any], ...]:
    """Return the places of the values that are not yet those of the fields, and what makes them."""
    fields = enumerate(_fields(model))
    return tuple((at, field) for at, field in fields if hasattr(field, "from_db_value"))


def _selected(model: type[models.Model], alias: str) -> list[str]:
    return [f"{alias}.{connection.ops.quote_name(field.column)}" for field in _fields(model)]


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _row(model: type[Row], values: Sequence[Any]) -> Row:
    converted = list(values)
    for at, field in _converted(model):
        converted[at] = field.from_db_value(converted[at], None, connection)
    row: Row = model.from_db(connection.alias, _names(model), converted)
    return row
