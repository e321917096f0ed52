"""The record of a match: any position of it, and all of it to take away."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from games.kernel.dice import RECIPE
from games.kernel.views import Json
from games.matches import presentation, selectors
from games.matches.commitment import Commitment, commitment_of, numbered
from games.matches.models import LogEntry, Match, Player
from games.matches.selectors import MatchSnapshot

FORMAT = "turnstone-match"
FORMAT_VERSION = 1


def position(snapshot: MatchSnapshot, entries: Sequence[LogEntry], number: int) -> Any:
    """Return the state after entry ``number``, 0 for the start; ``entries`` are all of them.

    :raises Unreadable: the log does not replay by the rules of the match.
    """
    if number == snapshot.match.version:
        return snapshot.state
    return selectors.state_after(snapshot, entries, number)


def export(snapshot: MatchSnapshot, entries: Sequence[LogEntry]) -> dict[str, Json]:
    """Return the whole match as JSON, from which it can be replayed.

    While it runs, it tells no more than a spectator may know: of a game with secrets neither
    chance nor hidden events, and of no match the secret of its dice.
    """
    match = snapshot.match
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "match": match.pk,
        "title": match.title,
        "rules_version": match.rules_version,
        "params": match.params,
        "clock": match.clock,
        "players": [_player(snapshot, player) for player in snapshot.players],
        "status": match.status,
        "ending": match.ending,
        "started": match.created.isoformat(),
        "ended": match.ended.isoformat() if match.ended else None,
        "result": _result(snapshot),
        "dice": _dice(commitment_of(snapshot)),
        "setup_chance": _open(snapshot, match.setup_chance),
        "setup_sides": _open(snapshot, match.setup_sides),
        "log": list(_log(snapshot, entries)),
    }


def _player(snapshot: MatchSnapshot, player: Player) -> dict[str, Json]:
    return {
        "seat": player.seat,
        "name": player.user.username,
        "colour": snapshot.title.meta.colours[player.seat].name,
        "dropped": player.dropped,
    }


def _result(snapshot: MatchSnapshot) -> list[int] | None:
    if snapshot.match.status != Match.Status.OVER:
        return None
    return [player.rank or 0 for player in snapshot.players]


def _dice(found: Commitment | None) -> dict[str, Json] | None:
    if found is None:
        return None
    return {
        "recipe": RECIPE,
        "kind": found.kind,
        "seal": found.commitment,
        "secret": found.secret,
        "nonces": [part.nonce for part in found.parts],
        "nonces_by": ["browser" if part.is_own else "server" for part in found.parts],
        "nonce_commitments": [part.commitment for part in found.parts] if found.is_strict else None,
    }


def _open(snapshot: MatchSnapshot, chance: Json) -> Json:
    """Return what was drawn; nothing while it might tell a secret."""
    open_to_all = not snapshot.match.is_running or not snapshot.title.meta.has_secrets
    return chance if open_to_all else None


def _log(snapshot: MatchSnapshot, entries: Sequence[LogEntry]) -> Iterator[dict[str, Json]]:
    texts = presentation.texts(snapshot, entries, None)
    for (entry, first), text in zip(numbered(snapshot, entries), texts, strict=True):
        yield _entry(snapshot, entry, text, first)


def _entry(snapshot: MatchSnapshot, entry: LogEntry, text: str, first_roll: int) -> dict[str, Json]:
    return {
        "number": entry.number,
        "kind": entry.kind,
        "seat": entry.seat,
        "text": text,
        "chance": _open(snapshot, entry.chance),
        "sides": _open(snapshot, entry.sides),
        "first_roll": _open(snapshot, first_roll),
        "events": [event.dump() for event in presentation.events_of(snapshot, entry, None)],
        "undoes": entry.undoes,
        "at": entry.at.isoformat(),
        "thinking": seconds(entry.thinking),
        "time_left": seconds(entry.time_left),
        "reason": entry.reason,
    }


def seconds(span: timedelta | None) -> float | None:
    """Return a span as JSON."""
    return None if span is None else span.total_seconds()
