"""The record of a match as JSON, complete and replayable."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from games.kernel.dice import RECIPE
from games.kernel.views import Json
from games.matches.log.commitment import Commitment, commitment_of, numbered
from games.matches.log.lines import events_of
from games.matches.models import LogEntry, Match
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import MatchView

FORMAT = "turnstone-match"
FORMAT_VERSION = 1

SCHEMA = Path(__file__).with_name("record.schema.json")
"""The JSON Schema of this version of the format."""


def export(snapshot: MatchSnapshot, log: Sequence[LogEntry]) -> dict[str, Json]:
    """Return the whole match as JSON, from which it can be replayed.

    While it runs, it holds only what a spectator may know: of a game with secrets neither chance
    nor hidden events, and never the secret of the dice.
    """
    view = MatchView(snapshot.table, None, log)
    match = snapshot.match
    texts = view.texts_of(view.log)
    rows = zip(numbered(view.table, view.log), texts, strict=True)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "match": match.pk,
        "title": match.title,
        "rules_version": match.rules_version,
        "params": match.params,
        "clock": match.clock,
        "players": [
            {
                "seat": player.seat,
                "name": player.user.username,
                "colour": view.colour_of(player).name,
                "dropped": player.dropped,
            }
            for player in view.players
        ],
        "former_players": [
            {"seat": one.seat, "name": one.user.username, "until": one.until}
            for one in view.table.former_players
        ],
        "status": match.status,
        "ending": match.ending,
        "started": match.created.isoformat(),
        "ended": match.ended.isoformat() if match.ended else None,
        "result": _result(view),
        "dice": _dice(commitment_of(snapshot)),
        "setup_chance": _open(view, match.setup_chance),
        "setup_sides": _open(view, match.setup_sides),
        "log": [_entry(view, entry, text, first) for (entry, first), text in rows],
    }


def _result(shown: MatchView) -> list[int] | None:
    if shown.match.status != Match.Status.OVER:
        return None
    return [player.rank or 0 for player in shown.players]


def _dice(commitment: Commitment | None) -> dict[str, Json] | None:
    if commitment is None:
        return None
    return {
        "recipe": RECIPE,
        "kind": commitment.kind,
        "seal": commitment.commitment,
        "secret": commitment.secret,
        "nonces": [part.nonce for part in commitment.parts],
        "nonces_by": ["browser" if part.is_own else "server" for part in commitment.parts],
        "nonce_commitments": [part.commitment for part in commitment.parts]
        if commitment.is_strict
        else None,
    }


def _open(shown: MatchView, chance: Json) -> Json:
    """Return the outcomes of chance. ``None`` while they might reveal a secret."""
    return None if shown.match.is_running and shown.meta.has_secrets else chance


def _entry(shown: MatchView, entry: LogEntry, text: str, first_roll: int) -> Json:
    return {
        "number": entry.number,
        "kind": entry.kind,
        "seat": entry.seat,
        "text": text,
        "chance": _open(shown, entry.chance),
        "sides": _open(shown, entry.sides),
        "first_roll": _open(shown, first_roll),
        "events": [event.dump() for event in events_of(shown.table, entry, shown.viewer)],
        "undoes": entry.undoes,
        "at": entry.at.isoformat(),
        "thinking": seconds(entry.thinking),
        "time_left": seconds(entry.time_left),
        "reason": entry.reason,
    }


def seconds(span: timedelta | None) -> float | None:
    """Return a time span as JSON, in seconds."""
    return None if span is None else span.total_seconds()
