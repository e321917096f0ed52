"""What happens and what a move does, in words; and the numbers that decide.

No card is named that the reader may not see.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.kernel.contract import Die, Event, Seat, Tally
from games.kernel.formatting import counted, listed, sentence
from games.kernel.narration import Names
from games.kernel.views import HIDDEN
from games.titles.simple_life_or_death import components, events
from games.titles.simple_life_or_death.components import HAND, Card, Direction, Piece
from games.titles.simple_life_or_death.meta import ALL_GONE, LAST_LEFT, META, ROUNDS_UP
from games.titles.simple_life_or_death.moves import Attack, Defend, Go, Land, Move, Place
from games.titles.simple_life_or_death.state import ACT, LAND, PLACE, SeatView

MAX_NAMED_PIECES = 4
"""More pieces than these are counted and not named."""

PAIR = 2
"""So many dice decide a fight where each side rolls one."""

WHY = {
    ALL_GONE: "the last pieces are gone together, and trophies decide",
    ROUNDS_UP: "the last round has been played, and trophies decide",
}

STOPPED = {"closed": "trophies decide"}
"""Why a match has this result that the rules did not end."""


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling."""
    tell = _DESCRIPTIONS.get(type(event))
    return tell(Names(META.colours, viewer), event) if tell else ""


def headline(event: Event, viewer: Seat | None) -> str:
    """Return an event in a few words; what happens to others keeps its sentence."""
    brief = _HEADLINES.get(type(event))
    return brief(Names(META.colours, viewer), event) if brief else describe(event, viewer)[:-1]


def ending_reason(event: events.Ended, viewer: Seat | None) -> str:
    """Return why a match ended by the rules; empty where it did not."""
    if event.ending == LAST_LEFT:
        winner = event.ranks.index(1)
        names = Names(META.colours, viewer)
        return f"{names.clause(winner, 'are')} the only player with pieces left"
    return WHY.get(event.ending, "")


def dice(event: Event) -> Sequence[Die]:
    """Return the dice of a move or of a fight; cards that are drawn are none."""
    match event:
        case events.Rolled():
            return list(zip(event.dice, event.rolls, strict=True))
        case events.Fought(attack=tuple(attack), defence=tuple(defence)):
            rolls = (*attack, *defence)
            return [(12 if len(rolls) == PAIR else 6, face) for face in rolls]
    return ()


def _own(piece: Piece) -> str:
    """Return a piece of the player whom the sentence is about, as in ``a small piece``."""
    return f"a {piece.size.described} piece"


def _describe_placement(names: Names, event: events.Placed) -> str:
    places = f"{names.does(event.seat, 'place')} {_own(event.piece)} on {event.square}"
    return f"{places}{_upon(names, event.on)}."


def _describe_roll(names: Names, event: events.Rolled) -> str:
    way = Direction[event.direction.upper()].described
    rolls = f"{names.does(event.seat, 'roll')} {_sum(event.rolls)} on {_dice(event.dice)}"
    text = f"{rolls}: {_own(event.piece)} goes {way} from {event.at}."
    if len(event.ends) > 1:
        text += f" It may stop on {listed(list(map(_name_end, event.ends)), 'or')}."
    return text


def _describe_landing(names: Names, event: events.Landed) -> str:
    carried = event.carried
    piece = sentence(event.piece.owned(names.viewer))
    is_long = len(carried) > MAX_NAMED_PIECES
    load = (
        f"{len(carried)} pieces"
        if is_long
        else listed([one.owned(names.viewer) for one in carried])
    )
    if event.to == components.OFF:
        gone = f"{piece} and {load} on it leave" if carried else f"{piece} leaves"
        return f"{gone} the board and {'are' if carried else 'is'} out of play."
    along = f", with {load} on it," if carried else ""
    return f"{piece}{along} stops on {event.to}{_upon(names, event.on)}."


def _describe_attack(names: Names, event: events.Attacked) -> str:
    target = f"{event.target.owned(names.viewer)} on {event.at}"
    attacks = f"{names.does(event.seat, 'attack')} {target} with {_own(event.attacker)}"
    if event.card is None:
        return f"{attacks}."
    return f"{attacks} and {'a hidden card' if event.card == HIDDEN else event.card.sign}."


def _describe_fight(names: Names, event: events.Fought) -> str:
    attacker, target = (piece.owned(names.viewer) for piece in (event.attacker, event.target))
    against = f"{_cast(event.attack)} against {_cast(event.defence)}"
    if event.defence is None:
        no_card = f"{names.clause(event.target.seat, 'have')} no red card"
        against = f"{_cast(event.attack)}, and {no_card}"
    if event.won:
        return f"{sentence(attacker)} captures {target}: {against}."
    return f"{sentence(target)} survives an attack by {attacker}: {against}."


def _describe_void(names: Names, event: events.Voided) -> str:
    target = event.target.owned(names.viewer)
    return f"The attack on {target} is off; {event.card.sign} is discarded."


def _describe_draw(names: Names, event: events.Drew) -> str:
    card = "a card" if event.card == HIDDEN else event.card.sign
    return f"{names.does(event.seat, 'draw')} {card}."


def _describe_refill(_names: Names, event: events.Refilled) -> str:
    count = counted(event.cards, "discarded card")
    return f"The draw pile is empty: {count} shuffled into a new one."


def _describe_out(names: Names, event: events.WentOut) -> str:
    count = counted(len(event.cards), "card")
    discards = f" and {names.verb(event.seat, 'discard')} {count}" if event.cards else ""
    return f"{names.does(event.seat, 'are')} out: no pieces left{discards}."


def _describe_leaving(names: Names, event: events.Left) -> str:
    pieces = counted(len(event.pieces), "piece")
    stock = f" and {event.stock} from the stock" if event.stock else ""
    leaves = names.does(event.seat, "leave")
    return f"{leaves} the match: {pieces} from the board{stock} are out of play."


def _describe_end(names: Names, event: events.Ended) -> str:
    why = ending_reason(event, names.viewer) or STOPPED.get(event.ending, "")
    return names.outcome(event.ranks, why)


_DESCRIPTIONS: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Placed: _describe_placement,
    events.Rolled: _describe_roll,
    events.Landed: _describe_landing,
    events.Attacked: _describe_attack,
    events.Fought: _describe_fight,
    events.Voided: _describe_void,
    events.Drew: _describe_draw,
    events.Refilled: _describe_refill,
    events.WentOut: _describe_out,
    events.Left: _describe_leaving,
    events.Ended: _describe_end,
}


def _roll_headline(_names: Names, event: events.Rolled) -> str:
    size = sentence(event.piece.size.described)
    way = Direction[event.direction.upper()].described
    return f"{size} {event.at}, {sum(event.rolls)} {way}"


def _landing_headline(names: Names, event: events.Landed) -> str:
    load = f" with {len(event.carried)} on it" if event.carried else ""
    to = "Out of play" if event.to == components.OFF else f"To {event.to}"
    return f"{to}{load}{_upon(names, event.on)}"


def _attack_headline(_names: Names, event: events.Attacked) -> str:
    card = "" if event.card is None or event.card == HIDDEN else f", {event.card.sign}"
    return f"{sentence(event.attacker.size.described)} attacks {event.at}{card}"


def _fight_headline(_names: Names, event: events.Fought) -> str:
    defence = "no red card" if event.defence is None else _cast(event.defence)
    return f"Attack {'wins' if event.won else 'fails'}: {_cast(event.attack)} against {defence}"


_HEADLINES: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Placed: lambda names, event: (
        f"{sentence(event.piece.size.described)} on {event.square}{_upon(names, event.on)}"
    ),
    events.Rolled: _roll_headline,
    events.Landed: _landing_headline,
    events.Attacked: _attack_headline,
    events.Fought: _fight_headline,
    events.Drew: lambda names, event: (
        "" if event.card == HIDDEN else f"{names.does(event.seat, 'draw')} {event.card.sign}"
    ),
    events.WentOut: lambda names, event: f"{names.does(event.seat, 'are')} out",
    events.Ended: lambda _names, _event: "",
}
"""The events that are told in fewer words beside the board; a hidden card is not worth a word."""


def _upon(names: Names, on: Sequence[Piece]) -> str:
    return f", on top of {on[-1].owned(names.viewer)}" if on else ""


def _name_end(name: str) -> str:
    return components.OFF_BOARD if name == components.OFF else name


def _dice(sides: Sequence[int]) -> str:
    return f"a d{sides[0]}" if len(sides) == 1 else f"{len(sides)} d{sides[0]}"


def _sum(rolls: Sequence[int]) -> str:
    total = str(sum(rolls))
    return total if len(rolls) == 1 else f"{' + '.join(map(str, rolls))} = {total}"


def _cast(value: str | Sequence[int] | None) -> str:
    """Return the card or the roll of a side; empty where it has none."""
    return Card.parse(value).sign if isinstance(value, str) else _sum(value or ())


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


def phrase(move: Move, view: SeatView, seat: Seat, viewer: Seat | None) -> str:
    """Return a move as its player is asked to confirm it."""
    names = Names(META.colours, viewer)
    tell = _PHRASES.get(type(move))
    return tell(names, move, view) if tell else f"End {'your' if viewer == seat else 'the'} turn"


def _go_phrase(names: Names, move: Go, view: SeatView) -> str:
    die = f" with a {move.die}" if move.die else ""
    piece = f"{move.piece.owned(names.viewer)} on {view.squares[move.piece]}"
    return f"Move {piece} {move.direction.described}{die}"


def _landing_phrase(names: Names, move: Land, view: SeatView) -> str:
    if move.end == components.OFF:
        return f"Go on, {components.OFF_BOARD}"
    stack = view.stacks.get(move.end)
    on = f", on top of {stack[-1].owned(names.viewer)}" if stack else ""
    return f"Stop on {move.end}{on}"


def _attack_phrase(names: Names, move: Attack, view: SeatView) -> str:
    own = move.attacker.owned(names.viewer)
    target = move.target.owned(names.viewer)
    card = f" and {move.card.sign}" if move.card else ""
    return f"Attack {target} on {view.squares[move.target]} with {own}{card}"


_PHRASES: Mapping[type, Callable[[Names, Any, SeatView], str]] = {
    Place: lambda _names, move, _view: f"Place a {move.size.described} piece on {move.square}",
    Go: _go_phrase,
    Land: _landing_phrase,
    Attack: _attack_phrase,
    Defend: lambda _names, move, _view: f"Defend with {move.card.sign}",
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
