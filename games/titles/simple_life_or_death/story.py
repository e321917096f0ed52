"""Events and moves in words, and the numbers that decide.

Hidden cards are never named.
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
"""More pieces than this are counted rather than named."""

PAIR = 2
"""Number of dice in a fight if each side rolls one."""

WHY = {
    ALL_GONE: "the last pieces are gone together, and trophies decide",
    ROUNDS_UP: "the last round has been played, and trophies decide",
}

STOPPED = {"closed": "trophies decide"}
"""Why a match that the rules didn't end has this result."""


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log. Empty for events without one."""
    tell = _DESCRIPTIONS.get(type(event))
    return tell(Names(META.colours, viewer), event) if tell else ""


def joined(seen: Sequence[Event]) -> Sequence[Event]:
    """Return events without the attacks whose fights follow: these say the same and the outcome."""
    kept: list[Event] = []
    fought: list[tuple[Piece, Piece]] = []
    for event in reversed(seen):
        if isinstance(event, events.Fought):
            fought.append((event.attacker, event.target))
        elif isinstance(event, events.Attacked) and (event.attacker, event.target) in fought:
            fought.remove((event.attacker, event.target))
            continue
        kept.append(event)
    return kept[::-1]


def befalls(event: Event, seat: Seat) -> bool:
    """Whether a seat fights, is attacked, or gets another's piece on top of its own."""
    match event:
        case events.Fought():
            return seat in (event.attacker.seat, event.target.seat)
        case events.Placed() | events.Landed():
            return event.seat != seat and any(piece.seat == seat for piece in event.on[-1:])
    return False


def headline(event: Event, viewer: Seat | None) -> str:
    """Return an event in a few words. Events of others keep their sentence."""
    brief = _HEADLINES.get(type(event))
    return brief(Names(META.colours, viewer), event) if brief else describe(event, viewer)[:-1]


def ending_reason(event: events.Ended, viewer: Seat | None) -> str:
    """Return why a match ended by the rules. Empty if it didn't."""
    if event.ending == LAST_LEFT:
        winner = event.ranks.index(1)
        names = Names(META.colours, viewer)
        return f"{names.clause(winner, 'are')} the only player with pieces left"
    return WHY.get(event.ending, "")


def dice(event: Event) -> Sequence[Die]:
    """Return the dice of a move or of a fight, without drawn cards."""
    match event:
        case events.Rolled():
            return list(zip(event.dice, event.rolls, strict=True))
        case events.Fought(attack=tuple(attack), defence=tuple(defence)):
            rolls = (*attack, *defence)
            return [(12 if len(rolls) == PAIR else 6, face) for face in rolls]
    return ()


def _own(piece: Piece) -> str:
    """Return a piece of the sentence's subject, as in ``a small piece``."""
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
        return f"{sentence(attacker)} captures {target} on {event.at}: {against}."
    return f"{sentence(attacker)} attacks {target} on {event.at} and fails: {against}."


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


def _placement_headline(names: Names, event: events.Placed) -> str:
    return f"{_piece_upon(names, event)} on {event.square}{_upon(names, event.on)}"


def _landing_headline(names: Names, event: events.Landed) -> str:
    load = f" with {len(event.carried)} on it" if event.carried else ""
    if event.to == components.OFF:
        return f"Out of play{load}"
    piece = f"{_piece_upon(names, event)} to" if _is_upon_reader(names, event) else "To"
    return f"{piece} {event.to}{load}{_upon(names, event.on)}"


def _piece_upon(names: Names, event: events.Placed | events.Landed) -> str:
    """Return a piece by its size, and whose it is if it comes to stand on one of the reader's."""
    if _is_upon_reader(names, event):
        return event.piece.owned(names.viewer).removesuffix(" piece")
    return sentence(event.piece.size.described)


def _is_upon_reader(names: Names, event: events.Placed | events.Landed) -> bool:
    return names.viewer is not None and befalls(event, names.viewer)


def _attack_headline(_names: Names, event: events.Attacked) -> str:
    card = "" if event.card is None or event.card == HIDDEN else f", {event.card.sign}"
    return f"{sentence(event.attacker.size.described)} attacks {event.at}{card}"


def _fight_headline(names: Names, event: events.Fought) -> str:
    """Return who captures what, or fails to, as the attacker sees it: the defender may answer."""
    sides = (event.attacker, event.target)
    attacker, target = (side.owned(names.viewer).removesuffix(" piece") for side in sides)
    attack = _cast(event.attack)
    does = "captures" if event.won else "fails against"
    defence = ", no red card" if event.defence is None else f" against {_cast(event.defence)}"
    return f"{sentence(attacker)} {does} {target}: {attack}{defence}"


_HEADLINES: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Placed: _placement_headline,
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
"""Shorter texts of events beside the board. Hidden cards aren't mentioned."""


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
    """Return the card or the roll of a side. Empty without either."""
    return Card.parse(value).sign if isinstance(value, str) else _sum(value or ())


def redact(text: str, view: SeatView) -> str:
    """Return a move's text as it may be read beside a view of the position after it.

    A pending attack names its card only to the attacker.
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
    carried = len(view.carried(move.piece))
    load = f" and {counted(carried, 'piece')} on it" if carried else ""
    return f"Move {piece}{load} {move.direction.described}{die}"


def _landing_phrase(names: Names, move: Land, view: SeatView) -> str:
    if move.end == components.OFF:
        return f"Go on, {components.OFF_BOARD}"
    return f"Stop on {move.end}{_upon(names, view.stacks.get(move.end, ()))}"


def _placement_phrase(names: Names, move: Place, view: SeatView) -> str:
    on = _upon(names, view.stacks.get(move.square, ()))
    return f"Place a {move.size.described} piece on {move.square}{on}"


def _attack_phrase(names: Names, move: Attack, view: SeatView) -> str:
    own = move.attacker.owned(names.viewer)
    target = f"{move.target.owned(names.viewer)} on {view.squares[move.target]}"
    above = view.carried(move.target)
    under = f", under {above[0].owned(names.viewer)}," if above else ""
    card = f" and {move.card.sign}" if move.card else ""
    return f"Attack {target}{under} with {own}{card}"


_PHRASES: Mapping[type, Callable[[Names, Any, SeatView], str]] = {
    Place: _placement_phrase,
    Go: _go_phrase,
    Land: _landing_phrase,
    Attack: _attack_phrase,
    Defend: lambda _names, move, _view: f"Defend with {move.card.sign}",
}


# --- How a match stands -----------------------------------------------------------------------


def tallies(view: SeatView, seat: Seat) -> Sequence[Tally]:
    """Return a seat's pieces on the board, and its trophies. The stock is beside it."""
    return (Tally(len(view.pieces_of(seat)), "in play"), Tally(len(view.trophies[seat]), "won"))


def describe_setup(view: SeatView, viewer: Seat | None) -> str:
    """Return the number of cards per player, and who goes first."""
    names = Names(META.colours, viewer)
    first = f"{names.first(view.first)} rolled highest and {names.verb(view.first, 'go')} first."
    return f"Each player is dealt {HAND} cards. {first}" if view.has_cards else first


def brief_section(view: SeatView) -> str:
    return {PLACE: "Placing", ACT: "Moving", LAND: "Moving"}.get(view.phase, "Attacking")
