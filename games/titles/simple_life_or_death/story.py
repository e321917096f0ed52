"""The log: what happened, in words, with no card named that its reader may not see."""

from collections.abc import Callable, Mapping, Sequence

from games.kernel.contract import ENDED, Die, Event, Seat
from games.kernel.views import Json
from games.titles.simple_life_or_death import words
from games.titles.simple_life_or_death.forecast import OFF_BOARD
from games.titles.simple_life_or_death.meta import ALL_GONE, LAST_LEFT, ROUNDS_UP
from games.titles.simple_life_or_death.moves import OFF
from games.titles.simple_life_or_death.pieces import Piece
from games.titles.simple_life_or_death.position import HIDDEN
from games.titles.simple_life_or_death.squares import Direction
from games.titles.simple_life_or_death.transition import (
    ATTACKED,
    DREW,
    FOUGHT,
    LANDED,
    LEFT,
    PLACED,
    REFILLED,
    ROLLED,
    VOIDED,
    WENT_OUT,
)

FEW = 4
"""More pieces than these are counted and not named."""

PAIR = 2
"""So many dice decide a fight where each side rolls one."""

HOW = {
    LAST_LEFT: "Only {names} still has pieces, and wins.",
    ALL_GONE: "The last pieces are gone together; by trophies {names} {wins}.",
    ROUNDS_UP: "The last round is played; by trophies {names} {wins}.",
    "closed": "By trophies {names} {wins}.",
    "dropped": "{names} is the last to stay, and wins.",
}


def tell(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling."""
    if event.type == ENDED:
        return _tell_end(event.data)
    if event.type == REFILLED:
        return f"The draw pile is used up: {_cards(event.data['cards'])} from the discards."
    if event.seat is None or event.type not in _DEEDS:
        return ""
    return _DEEDS[event.type](words.name_of(event.seat), event.data)


def dice(event: Event) -> Sequence[Die]:
    """Return the dice of a way or of a fight; cards that are drawn are none."""
    data = event.data
    if event.type == ROLLED:
        return list(zip(data["dice"], data["rolls"], strict=True))
    if event.type == FOUGHT and not isinstance(data["attack"], str):
        rolls = [*data["attack"], *data["defence"]]
        return [(12 if len(rolls) == PAIR else 6, face) for face in rolls]
    return ()


def _tell_placement(who: str, data: Mapping[str, Json]) -> str:
    piece = Piece.read(data["piece"])
    return f"{who} places {piece}, a {piece.size.word} piece, on {data['square']}{_upon(data)}."


def _tell_roll(who: str, data: Mapping[str, Json]) -> str:
    way = words.DIRECTIONS[Direction[data["direction"].upper()]]
    rolled = f"{_dice(data['dice'])}: {_sum(data['rolls'])}"
    told = f"{who} sends {data['piece']} from {data['at']} to the {way} with {rolled}."
    if len(data["ends"]) > 1:
        told += f" Its way may end on {words.listed(list(map(_end, data['ends'])), 'or')}."
    return told


def _tell_landing(_who: str, data: Mapping[str, Json]) -> str:
    carried, piece = data["carried"], data["piece"]
    load = f"{len(carried)} pieces" if len(carried) > FEW else words.listed(carried)
    if data["to"] == OFF:
        gone = f"{piece} and {load} on it are" if carried else f"{piece} is"
        return f"{gone} carried {OFF_BOARD} and out of play."
    along = f", with {load} on it," if carried else ""
    return f"{piece}{along} stops on {data['to']}{_upon(data)}."


def _tell_attack(who: str, data: Mapping[str, Json]) -> str:
    from_afar = data["from"] != data["at"]
    spot = f"{data['target']} on {data['at']}" if from_afar else f"{data['target']} in its stack"
    told = f"{who}’s {data['attacker']} attacks {spot}"
    card = data.get("card")
    if card is None:
        return f"{told}."
    named = "" if card == HIDDEN else f": {words.sign(card)}"
    return f"{told} with a card face down{named}."


def _tell_fight(who: str, data: Mapping[str, Json]) -> str:
    owner = words.name_of(Piece.read(data["target"]).seat)
    if data["defence"] is None:
        against = f"{owner} has no red card against {words.sign(data['attack'])}"
    elif isinstance(data["attack"], str):
        against = f"{words.sign(data['attack'])} against {words.sign(data['defence'])}"
    else:
        against = f"{_sum(data['attack'])} against {_sum(data['defence'])}"
    if data["won"]:
        return f"{words.sentence(against)}: {data['target']} falls to {who}."
    return f"{words.sentence(against)}: {data['target']} holds its ground."


def _tell_void(_who: str, data: Mapping[str, Json]) -> str:
    return f"The attack on {data['target']} is void; {words.sign(data['card'])} is discarded."


def _tell_draw(who: str, data: Mapping[str, Json]) -> str:
    card = data["card"]
    return f"{who} draws {'a card' if card == HIDDEN else words.sign(card)}."


def _tell_out(who: str, data: Mapping[str, Json]) -> str:
    cards = data["cards"]
    shed = f"; {_cards(len(cards))} discarded" if cards else ""
    return f"{who} has no piece left and is out{shed}."


def _tell_leaving(who: str, data: Mapping[str, Json]) -> str:
    pieces = words.counted(len(data["pieces"]), "piece")
    stock = f" and {data['stock']} from the stock" if data["stock"] else ""
    return f"{who} leaves the match: {pieces} from the board{stock} are out of play."


_DEEDS: Mapping[str, Callable[[str, Mapping[str, Json]], str]] = {
    PLACED: _tell_placement,
    ROLLED: _tell_roll,
    LANDED: _tell_landing,
    ATTACKED: _tell_attack,
    FOUGHT: _tell_fight,
    VOIDED: _tell_void,
    DREW: _tell_draw,
    WENT_OUT: _tell_out,
    LEFT: _tell_leaving,
}


def _tell_end(data: Mapping[str, Json]) -> str:
    winners = [words.name_of(seat) for seat, rank in enumerate(data["ranks"]) if rank == 1]
    wins = "wins" if len(winners) == 1 else "share the victory"
    return HOW[data["ending"]].format(names=words.listed(winners), wins=wins)


def _upon(data: Mapping[str, Json]) -> str:
    return f", on top of {data['on'][-1]}" if data["on"] else ""


def _end(name: str) -> str:
    return OFF_BOARD if name == OFF else name


def _cards(count: int) -> str:
    return f"{words.counted(count, 'card')} {'is' if count == 1 else 'are'}"


def _dice(sides: Sequence[int]) -> str:
    return f"a d{sides[0]}" if len(sides) == 1 else f"{len(sides)} d{sides[0]}"


def _sum(rolls: Sequence[int]) -> str:
    total = str(sum(rolls))
    return total if len(rolls) == 1 else f"{' + '.join(map(str, rolls))} = {total}"
