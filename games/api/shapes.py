"""Responses of the API, as JSON."""

from typing import Any

from games.kernel.contract import Seat
from games.kernel.encoding import offered
from games.kernel.options import Options
from games.kernel.views import Json
from games.matches import orders, queue
from games.matches.log_lines import Line
from games.matches.models import Match, Player
from games.matches.move_input import MoveInput
from games.matches.presentation import MatchPresentation
from games.matches.record import seconds
from games.matches.selectors import MatchSnapshot

Shape = dict[str, Json]


def match(shown: MatchPresentation) -> Shape:
    """Return a match as its viewer may see it."""
    found = shown.match
    return {
        "id": found.pk,
        "title": found.title,
        "rules_version": found.rules_version,
        "params": found.params,
        "clock": found.clock,
        "status": found.status,
        "ending": found.ending,
        "version": found.version,
        "started": found.created.isoformat(),
        "ended": found.ended.isoformat() if found.ended else None,
        "seat": shown.viewer,
        "to_move": list(shown.snapshot.actors),
        "players": [_player(shown, player) for player in shown.players],
        "result": _result(shown),
        "view": shown.view.dump(),
    }


def _player(shown: MatchPresentation, player: Player) -> Shape:
    return {
        "seat": player.seat,
        "name": player.user.username,
        "colour": shown.colour_of(player).name,
        "deadline": player.deadline.isoformat() if player.deadline else None,
        "time_left": seconds(player.time_left),
        "agrees_to_close": player.agrees_to_close,
        "dropped": player.dropped,
    }


def _result(shown: MatchPresentation) -> list[int | None] | None:
    over = shown.match.status == Match.Status.OVER
    return [player.rank for player in shown.players] if over else None


def options(found: Options) -> Shape:
    """Return how what was typed may go on."""
    following = [offered(option) for option in found.next]
    return {"complete": found.complete, "prompt": found.prompt, "next": following}


def preview(entry: MoveInput) -> Shape:
    """Return what the moves of a submission would do."""
    shown = entry.preview
    return {
        "moves": list(entry.texts),
        "sentences": list(shown.sentences) if shown else [],
        "goes_on": entry.goes_on,
    }


def line(shown: Line) -> Shape:
    """Return an entry of the log."""
    entry = shown.entry
    return {
        "number": entry.number,
        "kind": entry.kind,
        "seat": entry.seat,
        "text": shown.text,
        "sentences": list(shown.sentences),
        "taken_back": shown.taken_back,
        "undoes": entry.undoes,
        "at": entry.at.isoformat(),
        "thinking": seconds(entry.thinking),
    }


def private(snapshot: MatchSnapshot, seat: Seat) -> Shape:
    """Return the queue and standing order of a seat; for its player alone."""
    left, order = queue.queue_of(snapshot, seat), orders.order_of(snapshot, seat)
    offered = orders.offered(snapshot).items()
    return {
        "queue": left.moves if left else [],
        "stopped": left.halted if left else "",
        "order": order.name if order else "",
        "answer": orders.answer_of(snapshot, order, seat) if order else "",
        "orders": [{"name": name, "label": policy.label} for name, policy in offered],
    }


def refusal(code: str, detail: Any) -> Shape:
    """Return why a request was refused: a stable code and a message."""
    return {"code": code, "detail": detail}
