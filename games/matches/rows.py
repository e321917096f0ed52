"""What every move and every list reads of matches, by SQL that is put together once.

Django would build the same queries anew each time, which takes longer than PostgreSQL takes to
answer them. Tables, columns and types are those of the models; other databases are asked by them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection, models

from accounts.models import User
from config.postgresql import prepared
from games.matches.fields import Hidden
from games.matches.models import LogEntry, Match, Outage, Player, Sweep

Row = TypeVar("Row", bound=models.Model)

DEFERRED = {Match: {"secret"}, LogEntry: {"trace"}}
"""Fields that are read when they are accessed, as of the models' managers."""


def is_spoken() -> bool:
    """Whether the database takes these queries."""
    return bool(connection.vendor == "postgresql")


def match_with_players(match_id: int) -> tuple[Match, list[Player]] | None:
    """Read a match and its players, each with its user; ``None`` if there is none."""
    found = _asked(_match_sql(), [match_id])
    if not found:
        return None
    first = len(_fields(Match))
    match = _row(Match, found[0][:first])
    return match, [_player(match, row[first:], {}) for row in found]


def players_and_last_entries(
    matches: Sequence[Match],
) -> tuple[dict[int, list[Player]], dict[int, LogEntry]]:
    """Read the players of matches, with their users, and the last entries, by ids of matches.

    A match without an entry has none.
    """
    by_id = {match.pk: match for match in matches}
    players: dict[int, list[Player]] = {match_id: [] for match_id in by_id}
    entries = {}
    users: dict[int, User] = {}
    first = len(_fields(Player)) + len(_fields(User))
    versions = [match.version for match in by_id.values()]
    for row in _asked(_players_sql(), [list(by_id), versions]):
        match = by_id[row[-1]]
        players[match.pk].append(_player(match, row[:first], users))
        if row[first] is not None:
            entries[match.pk] = _row(LogEntry, row[first:-1])
    return players, entries


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


def log(match: Match, after: int, upto: int) -> list[LogEntry]:
    """Read the entries of a log after a number and up to another, in order."""
    return [_row(LogEntry, values) for values in _asked(_log_sql(), [match.pk, after, upto])]


def secret(match_id: int) -> Hidden:
    """Read the secret of a match, which its rows are read without."""
    return Hidden(_asked(_secret_sql(), [match_id])[0][0])


def was_sent(match_id: int, seat: int, submission: UUID) -> bool:
    """Return whether a seat has sent a submission before."""
    return bool(_asked(_sent_sql(), [match_id, seat, submission])[0][0])


def has_waiting(user_id: int, but: int) -> bool:
    """Return whether another match than the one of an id waits for a user."""
    return bool(_asked(_waiting_sql(), [user_id, but])[0][0])


def outages(now: datetime, due: Mapping[str, datetime]) -> list[tuple[datetime, datetime]]:
    """Read when outages began and ended; one that is going on lasts until now.

    It is, while a heartbeat was last noted before it was ``due``, by the names of heartbeats.
    """
    names = [value for item in due.items() for value in item]
    return _asked(_outage_sql(len(due)), [now, *names])


def _asked(sql: str, params: list[Any]) -> list[tuple[Any, ...]]:
    with prepared.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


@cache
def _match_sql() -> str:
    selected = ", ".join(_selected(Match, "m") + _selected(Player, "p") + _selected(User, "u"))
    match, player, user = map(_table, (Match, Player, User))
    return (
        f"SELECT {selected} FROM {match} AS m"  # noqa: S608 - names of the models
        f" JOIN {player} AS p ON p.match_id = m.id JOIN {user} AS u ON u.id = p.user_id"
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
    return (
        f"SELECT {', '.join(_selected(LogEntry, 'e'))} FROM {_table(LogEntry)} AS e"  # noqa: S608
        " WHERE e.match_id = %s AND e.number > %s AND e.number <= %s ORDER BY e.number"
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
    return (
        f"SELECT EXISTS (SELECT FROM {_table(Player)}"  # noqa: S608
        " WHERE user_id = %s AND to_move AND match_id <> %s)"
    )


@cache
def _outage_sql(heartbeats: int) -> str:
    missed = " OR ".join(["(name = %s AND ran < %s)"] * heartbeats)
    return (
        f"SELECT began, ended FROM {_table(Outage)}"  # noqa: S608
        f" UNION ALL SELECT ran, %s::timestamptz FROM {_table(Sweep)} WHERE {missed}"
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
    found = list(values)
    for at, field in _converted(model):
        found[at] = field.from_db_value(found[at], None, connection)
    row: Row = model.from_db(connection.alias, _names(model), found)
    return row
