"""What every move and every list reads of matches.

Django takes longer to build such a query than PostgreSQL to answer it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache, reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import DateTimeField, Prefetch, Q, Value, prefetch_related_objects

from accounts.models import User
from games.matches.fields import Hidden
from games.matches.models import LogEntry, Match, Outage, Player, Sweep
from games.matches.store.statement import Row, Statement
from games.matches.store.tables import columns, fields, instance, table

# --- One match ----------------------------------------------------------------------------------


@cache
def _match_sql() -> str:
    selected = ", ".join(columns(Match, "m") + columns(Player, "p") + columns(User, "u"))
    return (
        f"SELECT {selected} FROM {table(Match)} AS m"  # noqa: S608 - names of the models
        f" LEFT JOIN {table(Player)} AS p ON p.match_id = m.id"
        f" LEFT JOIN {table(User)} AS u ON u.id = p.user_id"
        " WHERE m.id = %s ORDER BY p.seat"
    )


def _match_of(rows: Sequence[Row], match_id: int) -> tuple[Match, list[Player]] | None:
    if not rows:
        return None
    first = len(fields(Match))
    match = instance(Match, rows[0][:first])
    return match, [_player(match, row[first:], {}) for row in rows if row[first] is not None]


def _player(match: Match, values: Sequence[object], users: dict[int, User]) -> Player:
    """Return a player of a match, by its own values and those of its user.

    :param users: those that were read before; this one is added.
    """
    width = len(fields(Player))
    player = instance(Player, values[:width])
    if player.user_id not in users:
        users[player.user_id] = instance(User, values[width:])
    player._state.fields_cache |= {"match": match, "user": users[player.user_id]}
    return player


def _match_by_orm(match_id: int) -> tuple[Match, list[Player]] | None:
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        return None
    _prefetch_players([match])
    return match, list(match.players.all())


def _prefetch_players(matches: Sequence[Match]) -> None:
    players = Player.objects.select_related("user").order_by("seat")
    prefetch_related_objects(matches, Prefetch("players", players))


match_with_players = Statement(
    sql=_match_sql,
    values=lambda match_id: [match_id],
    decode=_match_of,
    orm=_match_by_orm,
)
"""A match by its id and its players by seat, each with its user; ``None`` without a match."""


@cache
def _log_sql() -> str:
    return (
        f"SELECT {', '.join(columns(LogEntry, 'e'))} FROM {table(LogEntry)} AS e"  # noqa: S608
        " WHERE e.match_id = %s AND e.number > %s AND e.number <= %s ORDER BY e.number"
    )


def _log_by_orm(match_id: int, after: int, upto: int) -> list[LogEntry]:
    found = LogEntry.objects.filter(match=match_id, number__gt=after, number__lte=upto)
    return list(found.order_by("number"))


log = Statement(
    sql=_log_sql,
    values=lambda match_id, after, upto: [match_id, after, upto],
    decode=lambda rows, *_: [instance(LogEntry, row) for row in rows],
    orm=_log_by_orm,
)
"""The entries of a match's log after a number and up to another, in order."""


@cache
def _secret_sql() -> str:
    return f"SELECT secret FROM {table(Match)} WHERE id = %s"  # noqa: S608


def _secret_by_orm(match_id: int) -> Hidden:
    found: Any = Match.objects.values_list("secret", flat=True).get(pk=match_id)
    return Hidden(found)


secret = Statement(
    sql=_secret_sql,
    values=lambda match_id: [match_id],
    decode=lambda rows, *_: Hidden(rows[0][0]),
    orm=_secret_by_orm,
)
"""The secret of a match, which :data:`match_with_players` leaves out."""


@cache
def _sent_sql() -> str:
    return (
        f"SELECT EXISTS (SELECT FROM {table(LogEntry)}"  # noqa: S608
        " WHERE match_id = %s AND seat = %s AND submission = %s)"
    )


def _sent_by_orm(match_id: int, seat: int, submission: UUID) -> bool:
    sent = LogEntry.objects.filter(match=match_id, seat=seat, submission=submission)
    return bool(sent.exists())


was_sent = Statement(
    sql=_sent_sql,
    values=lambda match_id, seat, submission: [match_id, seat, submission],
    decode=lambda rows, *_: bool(rows[0][0]),
    orm=_sent_by_orm,
)
"""Whether a seat of a match has sent a submission before."""

# --- Several matches ----------------------------------------------------------------------------


@cache
def _players_sql() -> str:
    """Return the query for players; the last entry of a match stands beside its first seat."""
    selected = ", ".join(columns(Player, "p") + columns(User, "u") + columns(LogEntry, "e"))
    return (
        f"SELECT {selected}, last.match_id"  # noqa: S608
        " FROM unnest(%s::bigint[], %s::int[]) AS last (match_id, number)"
        f" JOIN {table(Player)} AS p ON p.match_id = last.match_id"
        f" JOIN {table(User)} AS u ON u.id = p.user_id"
        f" LEFT JOIN {table(LogEntry)} AS e"
        " ON e.match_id = last.match_id AND e.number = last.number AND p.seat = 0"
        " ORDER BY p.seat"
    )


def _keys(matches: Sequence[Match]) -> list[list[int]]:
    by_id = {match.pk: match.version for match in matches}
    return [list(by_id), list(by_id.values())]


Seats = dict[int, list[Player]]
Entries = dict[int, LogEntry]


def _players_of(rows: Sequence[Row], matches: Sequence[Match]) -> tuple[Seats, Entries]:
    by_id = {match.pk: match for match in matches}
    players: Seats = {match_id: [] for match_id in by_id}
    entries: Entries = {}
    users: dict[int, User] = {}
    first = len(fields(Player)) + len(fields(User))
    for row in rows:
        match = by_id[row[-1]]
        players[match.pk].append(_player(match, row[:first], users))
        if row[first] is not None:
            entries[match.pk] = instance(LogEntry, row[first:-1])
    return players, entries


def _players_by_orm(matches: Sequence[Match]) -> tuple[Seats, Entries]:
    _prefetch_players(matches)
    players = {match.pk: list(match.players.all()) for match in matches}
    return players, {entry.match_id: entry for entry in _last_entries(matches)}


def _last_entries(matches: Sequence[Match]) -> Iterable[LogEntry]:
    # Each by the index on match and number; of a match joined, the whole log would be read.
    wanted = [Q(match=match.pk, number=match.version) for match in matches if match.version]
    return LogEntry.objects.filter(reduce(or_, wanted)) if wanted else ()


players_and_last_entries = Statement(
    sql=_players_sql,
    values=_keys,
    decode=_players_of,
    orm=_players_by_orm,
)
"""The players of matches, with their users, and the last entries, both by ids of matches.

A match without an entry has none.
"""


@cache
def _waiting_sql() -> str:
    return (
        f"SELECT EXISTS (SELECT FROM {table(Player)}"  # noqa: S608
        " WHERE user_id = %s AND to_move AND match_id <> %s)"
    )


def _waiting_by_orm(user_id: int, but: int) -> bool:
    mine = Player.objects.filter(user=user_id, to_move=True)
    return bool(mine.exclude(match=but).exists())


has_waiting = Statement(
    sql=_waiting_sql,
    values=lambda user_id, but: [user_id, but],
    decode=lambda rows, *_: bool(rows[0][0]),
    orm=_waiting_by_orm,
)
"""Whether another match than the one with the id ``but`` waits for a user."""

# --- The site -----------------------------------------------------------------------------------

Times = list[tuple[datetime, datetime]]


@cache
def _outages_sql() -> str:
    return (
        f"SELECT began, ended FROM {table(Outage)} UNION ALL"  # noqa: S608
        f" SELECT ran, %s::timestamptz FROM {table(Sweep)} AS s"
        " JOIN unnest(%s::text[], %s::timestamptz[]) AS due (name, at)"
        " ON s.name = due.name AND s.ran < due.at"
    )


def _outages_by_orm(now: datetime, due: dict[str, datetime]) -> Times:
    overdue = (Q(name=name, ran__lt=at) for name, at in due.items())
    missed = Sweep.objects.filter(reduce(or_, overdue))
    over = Outage.objects.order_by().values_list("began", "ended")
    return list(over.union(missed.values_list("ran", Value(now, DateTimeField())), all=True))


outages = Statement(
    sql=_outages_sql,
    values=lambda now, due: [now, list(due), list(due.values())],
    decode=lambda rows, *_: list(rows),
    orm=_outages_by_orm,
)
"""When outages began and ended; one that is going on lasts until ``now``.

An outage is going on while a heartbeat was last noted before the moment at which it was ``due``,
which is given by its name.
"""
