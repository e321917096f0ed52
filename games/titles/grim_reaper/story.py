"""The log: what happened, in words."""

from collections.abc import Callable, Mapping

from games.kernel.contract import ENDED, Event, Seat
from games.kernel.views import Json
from games.titles.grim_reaper import words
from games.titles.grim_reaper.meta import CONNECTED, LAST_ALIVE, NOBODY_ALIVE
from games.titles.grim_reaper.population import Piece, Sex
from games.titles.grim_reaper.rules import AGE, BORN, MOVE, PASS, PLACE

HOW = {
    LAST_ALIVE: "Only {name} is still alive, and wins.",
    CONNECTED: "{name}’s pieces join {name}’s two sides of the board, and win.",
    NOBODY_ALIVE: "Nobody is alive any more: the match is a draw.",
}


def tell(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling."""
    if event.type == ENDED:
        return _tell_end(event.data)
    if event.type == AGE:
        return _tell_ageing(event.data["dead"])
    if event.seat is None or event.type not in _DEEDS:
        return ""
    return f"{words.name_of(event.seat)} {_DEEDS[event.type](event.data)}."


def _tell_placement(data: Mapping[str, Json]) -> str:
    life = words.life_turns(data["life"])
    return f"places a {Sex(data['sex']).word} with {life} on {data['square']}"


def _tell_move(data: Mapping[str, Json]) -> str:
    return f"moves a {Piece.read(data['piece']).sex.word} from {data['from']} to {data['to']}"


def _tell_birth(data: Mapping[str, Json]) -> str:
    life = words.life_turns(data["life"])
    return f"gives birth to a {Sex(data['sex']).word} with {life} on {data['square']}"


def _tell_pass(data: Mapping[str, Json]) -> str:
    return "gives birth to nobody" if data["births"] else "can neither place nor move"


_DEEDS: Mapping[str, Callable[[Mapping[str, Json]], str]] = {
    PLACE: _tell_placement,
    MOVE: _tell_move,
    BORN: _tell_birth,
    PASS: _tell_pass,
}


def _tell_ageing(dead: Mapping[str, str]) -> str:
    if not dead:
        return "All grow a turn older."
    gone = [f"the {words.piece(Piece.read(text))} on {spot}" for spot, text in dead.items()]
    return f"All grow a turn older. {words.sentence(words.listed(gone))} {_die(len(gone))}."


def _die(count: int) -> str:
    return "dies" if count == 1 else "die"


def _tell_end(data: Mapping[str, Json]) -> str:
    ranks = data["ranks"]
    if (ending := data["ending"]) not in HOW:
        return words.outcome(ranks)
    return HOW[ending].format(name=words.name_of(ranks.index(1)))
