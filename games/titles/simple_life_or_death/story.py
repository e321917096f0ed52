"""The log: what happened, in words, with no card named that its reader may not see."""

from collections.abc import Callable, Mapping, Sequence

from games.kernel.contract import ENDED, Die, Event, Seat
from games.kernel.formatting import counted, listed, sentence
from games.kernel.views import HIDDEN, Json
from games.titles.simple_life_or_death import components, transition
from games.titles.simple_life_or_death.components import Card, Direction, Piece
from games.titles.simple_life_or_death.meta import ALL_GONE, LAST_LEFT, ROUNDS_UP
from games.titles.simple_life_or_death.position import SeatView

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


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling."""
    if event.type == ENDED:
        return _describe_end(event.data)
    if event.type == transition.REFILLED:
        return f"The draw pile is used up: {_cards(event.data['cards'])} from the discards."
    if event.seat is None or event.type not in _DESCRIPTIONS:
        return ""
    return _DESCRIPTIONS[event.type](components.name_of(event.seat), event.data)


def dice(event: Event) -> Sequence[Die]:
    """Return the dice of a move or of a fight; cards that are drawn are none."""
    data = event.data
    if event.type == transition.ROLLED:
        return list(zip(data["dice"], data["rolls"], strict=True))
    if event.type == transition.FOUGHT and not isinstance(data["attack"], str):
        rolls = [*data["attack"], *data["defence"]]
        return [(12 if len(rolls) == PAIR else 6, face) for face in rolls]
    return ()


def _describe_placement(who: str, data: Mapping[str, Json]) -> str:
    piece = Piece.parse(data["piece"])
    return (
        f"{who} places {piece}, a {piece.size.described} piece, on {data['square']}{_upon(data)}."
    )


def _describe_roll(who: str, data: Mapping[str, Json]) -> str:
    way = Direction[data["direction"].upper()].described
    rolled = f"{_dice(data['dice'])}: {_sum(data['rolls'])}"
    told = f"{who} sends {data['piece']} from {data['at']} to the {way} with {rolled}."
    if len(data["ends"]) > 1:
        told += f" Its way may end on {listed(list(map(_name_end, data['ends'])), 'or')}."
    return told


def _describe_landing(_who: str, data: Mapping[str, Json]) -> str:
    carried, piece = data["carried"], data["piece"]
    load = f"{len(carried)} pieces" if len(carried) > FEW else listed(carried)
    if data["to"] == components.OFF:
        gone = f"{piece} and {load} on it are" if carried else f"{piece} is"
        return f"{gone} carried {components.OFF_BOARD} and out of play."
    along = f", with {load} on it," if carried else ""
    return f"{piece}{along} stops on {data['to']}{_upon(data)}."


def _describe_attack(who: str, data: Mapping[str, Json]) -> str:
    from_afar = data["from"] != data["at"]
    spot = f"{data['target']} on {data['at']}" if from_afar else f"{data['target']} in its stack"
    told = f"{who}’s {data['attacker']} attacks {spot}"
    card = data.get("card")
    if card is None:
        return f"{told}."
    named = "" if card == HIDDEN else f": {_sign(card)}"
    return f"{told} with a card face down{named}."


def _describe_fight(who: str, data: Mapping[str, Json]) -> str:
    owner = components.name_of(Piece.parse(data["target"]).seat)
    if data["defence"] is None:
        against = f"{owner} has no red card against {_sign(data['attack'])}"
    elif isinstance(data["attack"], str):
        against = f"{_sign(data['attack'])} against {_sign(data['defence'])}"
    else:
        against = f"{_sum(data['attack'])} against {_sum(data['defence'])}"
    if data["won"]:
        return f"{sentence(against)}: {data['target']} falls to {who}."
    return f"{sentence(against)}: {data['target']} holds its ground."


def _describe_void(_who: str, data: Mapping[str, Json]) -> str:
    return f"The attack on {data['target']} is void; {_sign(data['card'])} is discarded."


def _describe_draw(who: str, data: Mapping[str, Json]) -> str:
    card = data["card"]
    return f"{who} draws {'a card' if card == HIDDEN else _sign(card)}."


def _describe_out(who: str, data: Mapping[str, Json]) -> str:
    cards = data["cards"]
    shed = f"; {_cards(len(cards))} discarded" if cards else ""
    return f"{who} has no piece left and is out{shed}."


def _describe_leaving(who: str, data: Mapping[str, Json]) -> str:
    pieces = counted(len(data["pieces"]), "piece")
    stock = f" and {data['stock']} from the stock" if data["stock"] else ""
    return f"{who} leaves the match: {pieces} from the board{stock} are out of play."


_DESCRIPTIONS: Mapping[str, Callable[[str, Mapping[str, Json]], str]] = {
    transition.PLACED: _describe_placement,
    transition.ROLLED: _describe_roll,
    transition.LANDED: _describe_landing,
    transition.ATTACKED: _describe_attack,
    transition.FOUGHT: _describe_fight,
    transition.VOIDED: _describe_void,
    transition.DREW: _describe_draw,
    transition.WENT_OUT: _describe_out,
    transition.LEFT: _describe_leaving,
}


def _describe_end(data: Mapping[str, Json]) -> str:
    winners = [components.name_of(seat) for seat, rank in enumerate(data["ranks"]) if rank == 1]
    wins = "wins" if len(winners) == 1 else "share the victory"
    return HOW[data["ending"]].format(names=listed(winners), wins=wins)


def _upon(data: Mapping[str, Json]) -> str:
    return f", on top of {data['on'][-1]}" if data["on"] else ""


def _name_end(name: str) -> str:
    return components.OFF_BOARD if name == components.OFF else name


def _cards(count: int) -> str:
    return f"{counted(count, 'card')} {'is' if count == 1 else 'are'}"


def _dice(sides: Sequence[int]) -> str:
    return f"a d{sides[0]}" if len(sides) == 1 else f"{len(sides)} d{sides[0]}"


def _sum(rolls: Sequence[int]) -> str:
    total = str(sum(rolls))
    return total if len(rolls) == 1 else f"{' + '.join(map(str, rolls))} = {total}"


def _sign(card: str) -> str:
    return Card.parse(card).sign


def redact(text: str, view: SeatView) -> str:
    """Return a move's text as it may be read beside a view of the position after it.

    An attack that waits for its answer names its card only to the attacker.
    """
    attack = view.attack
    if attack is None or attack.card != HIDDEN:
        return text
    known = f"attack {attack.attacker} {attack.target} "
    return known + HIDDEN if text.startswith(known) else text
