"""The last snapshots of matches, as a process has read or written them.

A change begun from one is refused by the swap if the match has changed since: version and clock
epoch say so. It is then decided anew on what is there. What changes without either, whether
players have plans, is read again with every change.
"""

from collections import OrderedDict
from copy import copy
from threading import Lock

from django.db import connection

from games.matches.models import Match, Player
from games.matches.selectors import MatchSnapshot

MATCHES = 200
"""Snapshots that are kept, the last ones that were used."""

_lock = Lock()
_kept: OrderedDict[int, MatchSnapshot] = OrderedDict()


def latest(match_id: int, version: int = 0) -> MatchSnapshot | None:
    """Return a snapshot that was kept, and may be changed; ``None`` without one as late."""
    if connection.in_atomic_block:
        return None
    with _lock:
        found = _kept.get(match_id)
        if found is None or found.match.version < version:
            return None
        _kept.move_to_end(match_id)
    return _copied(found)


def title_of(match_id: int) -> str | None:
    """Return the slug of a match's title, which never changes; ``None`` if it is not kept."""
    found = _kept.get(match_id)
    return found.match.title if found else None


def keep(snapshot: MatchSnapshot) -> None:
    """Keep a copy of a snapshot; not of what may still be undone."""
    if connection.in_atomic_block:
        return
    copied, pk = _copied(snapshot), snapshot.match.pk
    with _lock:
        known = _kept.get(pk)
        if known is None or _age(known.match) <= _age(copied.match):
            _kept[pk] = copied
            _kept.move_to_end(pk)
        if len(_kept) > MATCHES:
            _kept.popitem(last=False)


def _age(match: Match) -> tuple[int, int]:
    return match.version, match.clock_epoch


def _copied(snapshot: MatchSnapshot) -> MatchSnapshot:
    """Return a snapshot whose rows may be changed; what was worked out of it is never changed."""
    match: Match = copy(snapshot.match)
    match.__dict__.pop("_prefetched_objects_cache", None)
    players: list[Player] = [copy(player) for player in snapshot.players]
    for player in players:
        player._state.fields_cache["match"] = match
    found = MatchSnapshot(match, players)
    worked_out = {"title", "state"} & snapshot.__dict__.keys()
    found.__dict__.update((name, snapshot.__dict__[name]) for name in worked_out)
    return found


def clear() -> None:
    """Forget all."""
    with _lock:
        _kept.clear()
