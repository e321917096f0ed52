"""The log: what happened, in words."""

from collections.abc import Callable, Mapping

from games.kernel.contract import ENDED, Event
from games.kernel.formatting import counted, listed, sentence
from games.kernel.views import Json
from games.titles.grim_reaper.meta import (
    CONNECTED,
    LAST_ALIVE,
    NOBODY_ALIVE,
    describe_result,
    name_of,
)
from games.titles.grim_reaper.phases import AGE, PASS
from games.titles.grim_reaper.phases.act import MOVE, PLACE
from games.titles.grim_reaper.phases.births import BORN
from games.titles.grim_reaper.position import Piece, Sex

HOW = {
    LAST_ALIVE: "Only {name} is still alive, and wins.",
    CONNECTED: "{name}’s pieces join {name}’s two sides of the board, and win.",
    NOBODY_ALIVE: "Nobody is alive any more: the match is a draw.",
}


def describe(event: Event) -> str:
    """Return a line of the log; empty for what needs no telling."""
    if event.type == ENDED:
        return _describe_end(event.data)
    if event.type == AGE:
        return _describe_ageing(event.data["dead"])
    if event.seat is None or event.type not in _BY_TYPE:
        return ""
    return f"{name_of(event.seat)} {_BY_TYPE[event.type](event.data)}."


def _describe_placement(data: Mapping[str, Json]) -> str:
    return f"places {_newcomer(data)}"


def _describe_move(data: Mapping[str, Json]) -> str:
    return f"moves a {Piece.parse(data['piece']).sex.word} from {data['from']} to {data['to']}"


def _describe_birth(data: Mapping[str, Json]) -> str:
    return f"gives birth to {_newcomer(data)}"


def _describe_pass(data: Mapping[str, Json]) -> str:
    return "gives birth to nobody" if data["births"] else "can neither place nor move"


_BY_TYPE: Mapping[str, Callable[[Mapping[str, Json]], str]] = {
    PLACE: _describe_placement,
    MOVE: _describe_move,
    BORN: _describe_birth,
    PASS: _describe_pass,
}


def _newcomer(data: Mapping[str, Json]) -> str:
    life = counted(data["life"], "life turn")
    return f"a {Sex(data['sex']).word} with {life} on {data['square']}"


def _describe_ageing(dead: Mapping[str, str]) -> str:
    if not dead:
        return "All grow a turn older."
    gone = [f"the {Piece.parse(text).label} on {square}" for square, text in dead.items()]
    dies = "dies" if len(gone) == 1 else "die"
    return f"All grow a turn older. {sentence(listed(gone))} {dies}."


def _describe_end(data: Mapping[str, Json]) -> str:
    ranks = data["ranks"]
    if (ending := data["ending"]) not in HOW:
        return describe_result(ranks)
    return HOW[ending].format(name=name_of(ranks.index(1)))
