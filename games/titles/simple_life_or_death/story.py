"""What happens and what a move does, in words; and the numbers that decide.

No card is named that the reader may not see.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.kernel.contract import ENDED, Die, Event, Seat, Tally
from games.kernel.formatting import counted, listed, sentence
from games.kernel.narration import Names
from games.kernel.views import HIDDEN, Json
from games.titles.simple_life_or_death import components, transition
from games.titles.simple_life_or_death.components import HAND, Card, Direction, Piece
from games.titles.simple_life_or_death.meta import ALL_GONE, LAST_LEFT, META, ROUNDS_UP
from games.titles.simple_life_or_death.moves import Attack, Defend, Go, Land, Move, Place
from games.titles.simple_life_or_death.state import ACT, LAND, PLACE, SeatView

Data = Mapping[str, Json]

MAX_NAMED_PIECES = 4
"""More pieces than these are counted and not named."""

PAIR = 2
"""So many dice decide a fight where each side rolls one."""

WHY = {
    ALL_GONE: "the last pieces are gone together, and trophies decide",
    ROUNDS_UP: "the last round has been played, and trophies decide",
}

STOPPED = {"closed": "trophies decide", "dropped": "all others have left"}
"""Why a match has this result that the rules did not end."""


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling."""
    names = Names(META.colours, viewer)
    if event.type == ENDED:
        why = ending_reason(event, viewer) or STOPPED.get(event.data["ending"], "")
        return names.outcome(event.data["ranks"], why)
    if event.type == transition.REFILLED:
        count = counted(event.data["cards"], "discarded card")
        return f"The draw pile is empty: {count} shuffled into a new one."
    if event.seat is None or event.type not in _DESCRIPTIONS:
        return ""
    return _DESCRIPTIONS[event.type](names, event.seat, event.data)


def ending_reason(event: Event, viewer: Seat | None) -> str:
    """Return why a match ended by the rules; empty where it did not."""
    if event.data["ending"] == LAST_LEFT:
        winner = event.data["ranks"].index(1)
        names = Names(META.colours, viewer)
        return f"{names.clause(winner, 'are')} the only player with pieces left"
    return WHY.get(event.data["ending"], "")


def dice(event: Event) -> Sequence[Die]:
    """Return the dice of a move or of a fight; cards that are drawn are none."""
    data = event.data
    if event.type == transition.ROLLED:
        return list(zip(data["dice"], data["rolls"], strict=True))
    if event.type == transition.FOUGHT and not isinstance(data["attack"], str):
        rolls = [*data["attack"], *data["defence"]]
        return [(12 if len(rolls) == PAIR else 6, face) for face in rolls]
    return ()


def _piece(names: Names, name: str) -> str:
    """Return a piece as one sees it, as in ``Red’s small piece``."""
    return Piece.parse(name).owned(names.viewer)


def _own(name: str) -> str:
    """Return a piece of whoever the sentence is about, as in ``a small piece``."""
    return f"a {Piece.parse(name).size.described} piece"


def _describe_placement(names: Names, seat: Seat, data: Data) -> str:
    places = f"{names.does(seat, 'place')} {_own(data['piece'])} on {data['square']}"
    return f"{places}{_upon(names, data)}."


def _describe_roll(names: Names, seat: Seat, data: Data) -> str:
    way = Direction[data["direction"].upper()].described
    rolls = f"{names.does(seat, 'roll')} {_sum(data['rolls'])} on {_dice(data['dice'])}"
    told = f"{rolls}: {_own(data['piece'])} goes {way} from {data['at']}."
    if len(data["ends"]) > 1:
        told += f" It may stop on {listed(list(map(_name_end, data['ends'])), 'or')}."
    return told


def _describe_landing(names: Names, _seat: Seat, data: Data) -> str:
    carried = data["carried"]
    piece = sentence(_piece(names, data["piece"]))
    some = len(carried) > MAX_NAMED_PIECES
    load = f"{len(carried)} pieces" if some else listed([_piece(names, one) for one in carried])
    if data["to"] == components.OFF:
        gone = f"{piece} and {load} on it leave" if carried else f"{piece} leaves"
        return f"{gone} the board and {'are' if carried else 'is'} out of play."
    along = f", with {load} on it," if carried else ""
    return f"{piece}{along} stops on {data['to']}{_upon(names, data)}."


def _describe_attack(names: Names, seat: Seat, data: Data) -> str:
    target = _piece(names, data["target"])
    attacks = f"{names.does(seat, 'attack')} {target} on {data['at']} with {_own(data['attacker'])}"
    card = data.get("card")
    if card is None:
        return f"{attacks}."
    return f"{attacks} and {'a hidden card' if card == HIDDEN else _sign(card)}."


def _describe_fight(names: Names, seat: Seat, data: Data) -> str:
    owner = Piece.parse(data["target"]).seat
    target = _piece(names, data["target"])
    if data["defence"] is None:
        no_card = f"{names.clause(owner, 'have')} no red card"
        against = f"{_sign(data['attack'])}, and {no_card}"
    elif isinstance(data["attack"], str):
        against = f"{_sign(data['attack'])} against {_sign(data['defence'])}"
    else:
        against = f"{_sum(data['attack'])} against {_sum(data['defence'])}"
    if data["won"]:
        return f"{names.does(seat, 'capture')} {target}: {against}."
    return f"{sentence(target)} survives: {against}."


def _describe_void(names: Names, _seat: Seat, data: Data) -> str:
    target = _piece(names, data["target"])
    return f"The attack on {target} is off; {_sign(data['card'])} is discarded."


def _describe_draw(names: Names, seat: Seat, data: Data) -> str:
    card = data["card"]
    return f"{names.does(seat, 'draw')} {'a card' if card == HIDDEN else _sign(card)}."


def _describe_out(names: Names, seat: Seat, data: Data) -> str:
    cards = data["cards"]
    discards = f" and {names.verb(seat, 'discard')} {counted(len(cards), 'card')}"
    is_out = f"{names.does(seat, 'are')} out: no pieces left"
    return f"{is_out}{discards if cards else ''}."


def _describe_leaving(names: Names, seat: Seat, data: Data) -> str:
    pieces = counted(len(data["pieces"]), "piece")
    stock = f" and {data['stock']} from the stock" if data["stock"] else ""
    leaves = names.does(seat, "leave")
    return f"{leaves} the match: {pieces} from the board{stock} are out of play."


_DESCRIPTIONS: Mapping[str, Callable[[Names, Seat, Data], str]] = {
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


def _upon(names: Names, data: Data) -> str:
    return f", on top of {_piece(names, data['on'][-1])}" if data["on"] else ""


def _name_end(name: str) -> str:
    return components.OFF_BOARD if name == components.OFF else name


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


# --- What a move does -------------------------------------------------------------------------


def phrase(move: Move, view: SeatView, seat: Seat) -> str:
    """Return a move as its player is asked to confirm it."""
    names = Names(META.colours, seat)
    tell = _PHRASES.get(type(move))
    return tell(names, move, view) if tell else "End your turn"


def _go_phrase(names: Names, move: Go, view: SeatView) -> str:
    die = f" with a {move.die}" if move.die else ""
    piece = f"{_piece(names, move.piece)} on {view.squares[move.piece]}"
    return f"Move {piece} {move.direction.described}{die}"


def _landing_phrase(names: Names, move: Land, view: SeatView) -> str:
    if move.end == components.OFF:
        return f"Go on, {components.OFF_BOARD}"
    stack = view.stacks.get(move.end)
    on = f", on top of {_piece(names, stack[-1])}" if stack else ""
    return f"Stop on {move.end}{on}"


def _attack_phrase(names: Names, move: Attack, view: SeatView) -> str:
    own = _piece(names, move.attacker)
    target = _piece(names, move.target)
    card = f" and {_sign(move.card)}" if move.card else ""
    return f"Attack {target} on {view.squares[move.target]} with {own}{card}"


_PHRASES: Mapping[type, Callable[[Names, Any, SeatView], str]] = {
    Place: lambda _names, move, _view: f"Place a {move.size.described} piece on {move.square}",
    Go: _go_phrase,
    Land: _landing_phrase,
    Attack: _attack_phrase,
    Defend: lambda _names, move, _view: f"Defend with {_sign(move.card)}",
}


# --- How a match stands -----------------------------------------------------------------------


def tallies(view: SeatView, seat: Seat) -> Sequence[Tally]:
    """Return the pieces of a seat on the board, and its trophies; the stock lies beside it."""
    return (Tally(len(view.pieces_of(seat)), "in play"), Tally(len(view.trophies[seat]), "won"))


def describe_setup(view: SeatView, viewer: Seat | None) -> str:
    """Return how many cards each player got, and who goes first."""
    names = Names(META.colours, viewer)
    first = f"{names.first(view.first)} rolled highest and {names.verb(view.first, 'go')} first."
    return f"Each player is dealt {HAND} cards. {first}" if view.has_cards else first


def brief_section(view: SeatView) -> str:
    """Return the heading of the rules in brief for the phase of a view."""
    return {PLACE: "Placing", ACT: "Moving", LAND: "Moving"}.get(view.phase, "Attacking")
