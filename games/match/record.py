"""The record of a match: any position of it, and all of it to take away."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from games.kernel.dice import RECIPE
from games.kernel.views import Json
from games.match import selectors, viewing
from games.match.models import Match, Move, Player
from games.match.sealing import Sealing, numbered, sealing
from games.match.selectors import Table

FORMAT = "turnstone-match"
FORMAT_VERSION = 1


def position(at: Table, entries: Sequence[Move], number: int) -> Any:
    """Return the state after entry ``number``, 0 for the start; ``entries`` are all of them.

    :raises GameError: the log does not replay by today's rules.
    """
    if number == at.match.version:
        return at.state
    return selectors.replay(at, entries[:number])[-1].state


def export(at: Table, entries: Sequence[Move]) -> dict[str, Json]:
    """Return the whole match as JSON, from which it can be replayed.

    While it runs, it tells no more than a spectator may know: of a game with secrets neither
    chance nor hidden events, and of no match the secret of its dice.
    """
    match = at.match
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "match": match.pk,
        "title": match.title,
        "rules_version": match.rules_version,
        "params": match.params,
        "clock": match.clock,
        "players": [_player(at, player) for player in at.players],
        "status": match.status,
        "ending": match.ending,
        "started": match.created.isoformat(),
        "ended": match.ended.isoformat() if match.ended else None,
        "result": _result(at),
        "dice": _dice(sealing(at)),
        "setup_chance": _open(at, match.setup_chance),
        "setup_sides": _open(at, match.setup_sides),
        "log": list(_log(at, entries)),
    }


def _player(at: Table, player: Player) -> dict[str, Json]:
    return {
        "seat": player.seat,
        "name": player.user.username,
        "colour": at.title.meta.colours[player.seat].name,
        "dropped": player.dropped,
    }


def _result(at: Table) -> list[int] | None:
    if at.match.status != Match.Status.OVER:
        return None
    return [player.rank or 0 for player in at.players]


def _dice(found: Sealing | None) -> dict[str, Json] | None:
    if found is None:
        return None
    return {
        "recipe": RECIPE,
        "kind": found.kind,
        "seal": found.seal,
        "secret": found.secret,
        "nonces": [part.nonce for part in found.parts],
        "nonces_by": ["browser" if part.is_own else "server" for part in found.parts],
        "nonce_commitments": [part.commitment for part in found.parts] if found.is_strict else None,
    }


def _open(at: Table, chance: Json) -> Json:
    """Return what was drawn; nothing while it might tell a secret."""
    open_to_all = not at.match.is_running or not at.title.meta.has_secrets
    return chance if open_to_all else None


def _log(at: Table, entries: Sequence[Move]) -> Iterator[dict[str, Json]]:
    texts = viewing.texts(at, entries, None)
    for (entry, first), text in zip(numbered(at, entries), texts, strict=True):
        yield _entry(at, entry, text, first)


def _entry(at: Table, entry: Move, text: str, first_roll: int) -> dict[str, Json]:
    return {
        "number": entry.number,
        "kind": entry.kind,
        "seat": entry.seat,
        "text": text,
        "chance": _open(at, entry.chance),
        "sides": _open(at, entry.sides),
        "first_roll": _open(at, first_roll),
        "events": [event.dump() for event in viewing.events_of(at, entry, None)],
        "undoes": entry.undoes,
        "at": entry.at.isoformat(),
        "thinking": seconds(entry.thinking),
        "time_left": seconds(entry.time_left),
        "reason": entry.reason,
    }


def seconds(span: timedelta | None) -> float | None:
    """Return a span as JSON."""
    return None if span is None else span.total_seconds()
