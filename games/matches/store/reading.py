"""What every move and every list reads of matches.

Django builds the same SQL again each time, which takes longer than PostgreSQL takes to answer. The
figures below are processor time of the process that asks. Tables, columns and types are those of
the models.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from django.db import connection, models
from django.db.models import Prefetch, prefetch_related_objects

from accounts.models import User
from games.matches.fields import Hidden
from games.matches.models import LogEntry, Match, Outage, Player, Sweep
from games.matches.store.driver import Statement

Row = TypeVar("Row", bound=models.Model)

DEFERRED = {Match: {"secret"}, LogEntry: {"trace"}}
"""Fields that are read when they are accessed, as in the models' managers."""

_MATCH: Any = Player._meta.get_field("match")
_USER: Any = Player._meta.get_field("user")

MatchWithPlayers: TypeAlias = tuple[Match, list[Player]] | None
MatchWithLog: TypeAlias = tuple[MatchWithPlayers, list[LogEntry]]
PlayersAndEntries: TypeAlias = tuple[dict[int, list[Player]], dict[int, LogEntry]]
Period: TypeAlias = tuple[datetime, datetime]
OutagesAndBeats: TypeAlias = tuple[list[Period], dict[str, datetime]]


def match_with_players(match_id: int) -> Statement[MatchWithPlayers]:
    """Read a match and its players, each with its user. ``None`` without one.

    0.16 ms, by the ORM 1.9 ms.
    """
    return Statement(_match_sql(), [match_id], _match)


def match_with_log(match_id: int, after: int, most: int) -> Statement[MatchWithLog]:
    """Read a match and its players, and the entries of its log after a number, in order.

    Of more than ``most`` entries the earliest are left out.
    """
    width = len(_fields(LogEntry))

    def decode(rows: list[tuple[Any, ...]]) -> MatchWithLog:
        logged = (row[-width:] for row in rows if row[-width] is not None)
        return _match([row[:-width] for row in rows]), [_row(LogEntry, one) for one in logged]

    return Statement(_match_sql(with_log=True), [after, most, match_id], decode)


def _match(rows: list[tuple[Any, ...]]) -> MatchWithPlayers:
    """Return a match and its players; the rows of a player follow each other."""
    if not rows:
        return None
    first = len(_fields(Match))
    match = _row(Match, rows[0][:first])
    seats = {row[first]: row[first:] for row in rows if row[first] is not None}
    return match, [_player(match, values, {}) for values in seats.values()]


def players_and_last_entries(matches: Sequence[Match]) -> Statement[PlayersAndEntries]:
    """Read the players of matches, with their users, and the last entries, by ids of matches.

    A match without an entry has none. Of 20 matches 1.5 ms, by the ORM 5.8 ms. There must be a
    match.
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

    asked = [value for match in by_id.values() for value in (match.pk, match.version)]
    return Statement(_players_sql(len(by_id)), asked, decode)


def read_players(matches: Sequence[Match]) -> None:
    """Read the players of matches and their names by the ORM, in one query for all."""
    players = Player.objects.select_related("user").order_by("seat")
    prefetch_related_objects(matches, Prefetch("players", players))


def _player(match: Match, values: Sequence[Any], users: dict[int, User]) -> Player:
    """Return a player of a match, by its own values and those of its user.

    :param users: those read before; this one is added.
    """
    width = len(_fields(Player))
    player = _row(Player, values[:width])
    if player.user_id not in users:
        users[player.user_id] = _row(User, values[width:])
    _MATCH.set_cached_value(player, match)
    _USER.set_cached_value(player, users[player.user_id])
    return player


def secret(match_id: int) -> Statement[Hidden]:
    """Read the secret of a match, which isn't read with its rows.

    0.06 ms, by the ORM 0.3 ms.
    """
    return Statement(_secret_sql(), [match_id], lambda found: Hidden(found[0][0]))


def was_sent(match_id: int, seat: int, submission: UUID) -> Statement[bool]:
    """Read whether a seat has sent a submission before.

    0.07 ms, by the ORM 0.49 ms.
    """
    field = LogEntry._meta.get_field("submission")
    asked = [match_id, seat, field.get_db_prep_value(submission, connection)]
    return Statement(_sent_sql(), asked, lambda found: bool(found[0][0]))


def waiting(user_id: int) -> Statement[list[int]]:
    """Read the ids of the matches that wait for a user.

    0.03 ms, by the ORM 0.33 ms.
    """
    return Statement(_waiting_sql(), [user_id], lambda found: [pk for (pk,) in found])


def outages(names: Sequence[str]) -> Statement[OutagesAndBeats]:
    """Read when past outages began and ended, and the last time of heartbeats, by their names.

    0.06 ms, by the ORM 0.58 ms.
    """

    def decode(rows: list[tuple[Any, ...]]) -> OutagesAndBeats:
        moments = [(name, _moment(began), _moment(ended)) for name, began, ended in rows]
        beats = {name: ran for name, ran, _ in moments if name}
        return [(began, ended) for name, began, ended in moments if not name], beats

    return Statement(_outages_sql(len(names)), [*names], decode)


def _moment(value: Any) -> Any:
    """Return a time as Django reads it."""
    for convert in _converters(Outage._meta.get_field("began")):
        value = convert(value)
    return value


@cache
def _match_sql(*, with_log: bool = False) -> str:
    """Return what asks for a match; the entries of its log stand beside its first seat."""
    selected = _selected(Match, "m") + _selected(Player, "p") + _selected(User, "u")
    match, player, user = map(_table, (Match, Player, User))
    log, order = "", "p.seat"
    if with_log:
        selected += _selected(LogEntry, "e")
        log = (
            f" LEFT JOIN {_table(LogEntry)} AS e ON e.match_id = m.id AND p.seat = 0"
            " AND e.number > %s AND e.number > m.version - %s"
        )
        order = "p.seat, e.number"
    return (
        f"SELECT {', '.join(selected)} FROM {match} AS m"  # noqa: S608 - names of the models
        f" LEFT JOIN {player} AS p ON p.match_id = m.id LEFT JOIN {user} AS u ON u.id = p.user_id"
        f"{log} WHERE m.id = %s ORDER BY {order}"
    )


@cache
def _players_sql(count: int) -> str:
    """Return the SQL for players. The last entry of a match is in the row of its first seat."""
    selected = ", ".join(_selected(Player, "p") + _selected(User, "u") + _selected(LogEntry, "e"))
    player, user, log = map(_table, (Player, User, LogEntry))
    asked = ", ".join(["(CAST(%s AS bigint), CAST(%s AS integer))"] * count)
    return (
        f"WITH last (match_id, number) AS (VALUES {asked})"  # noqa: S608
        f" SELECT {selected}, last.match_id FROM last"
        f" JOIN {player} AS p ON p.match_id = last.match_id JOIN {user} AS u ON u.id = p.user_id"
        f" LEFT JOIN {log} AS e"
        " ON e.match_id = last.match_id AND e.number = last.number AND p.seat = 0"
        " ORDER BY p.seat"
    )


@cache
def _secret_sql() -> str:
    return f"SELECT secret FROM {_table(Match)} WHERE id = %s"  # noqa: S608


@cache
def _sent_sql() -> str:
    return (
        f"SELECT EXISTS (SELECT 1 FROM {_table(LogEntry)}"  # noqa: S608
        " WHERE match_id = %s AND seat = %s AND submission = %s)"
    )


@cache
def _waiting_sql() -> str:
    return f"SELECT match_id FROM {_table(Player)} WHERE user_id = %s AND to_move"  # noqa: S608


@cache
def _outages_sql(count: int) -> str:
    names = ", ".join(["%s"] * count)
    return (
        f"SELECT '', began, ended FROM {_table(Outage)}"  # noqa: S608
        f" UNION ALL SELECT name, ran, NULL FROM {_table(Sweep)} WHERE name IN ({names})"
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
    """Return the indices of values that need conversion to those of the fields, with converters."""
    fields = enumerate(_fields(model))
    return tuple((at, convert) for at, field in fields for convert in _converters(field))


@cache
def _converters(field: Any) -> tuple[Callable[[Any], Any], ...]:
    """Return what Django applies to a value of a field that was read, one after the other."""
    column = field.cached_col
    found = connection.ops.get_db_converters(column) + field.get_db_converters(connection)
    return tuple(lambda value, call=call: call(value, column, connection) for call in found)


def _selected(model: type[models.Model], alias: str) -> list[str]:
    return [f"{alias}.{connection.ops.quote_name(field.column)}" for field in _fields(model)]


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _row(model: type[Row], values: Sequence[Any]) -> Row:
    converted = list(values)
    for at, convert in _converted(model):
        converted[at] = convert(converted[at])
    row: Row = model.from_db(connection.alias, _names(model), converted)
    return row
