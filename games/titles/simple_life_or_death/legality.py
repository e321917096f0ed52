"""What a seat may do: as a list, and as the reason why something is forbidden."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from games.kernel.contract import Seat
from games.titles.simple_life_or_death import deck
from games.titles.simple_life_or_death.deck import Card
from games.titles.simple_life_or_death.moves import Attack, Defend, End, Go, Land, Move, Place
from games.titles.simple_life_or_death.pieces import SIZES, Piece
from games.titles.simple_life_or_death.position import (
    ACT,
    DEFEND,
    FREE,
    LAND,
    PLACE,
    Duel,
    Landing,
    State,
)
from games.titles.simple_life_or_death.squares import Direction


def moves(state: State) -> Iterator[Move]:
    """Yield every move of the seat to move, each once."""
    if isinstance(state.pending, Landing):
        yield from map(Land, state.pending.ends)
        return
    if isinstance(state.pending, Duel):
        yield from map(Defend, deck.red(state.hands[state.actor]))
        return
    if state.phase in (PLACE, ACT):
        yield from placements(state)
    if state.phase == ACT:
        yield from departures(state)
    yield from attacks(state)
    if state.phase == FREE:
        yield End()


def placements(state: State) -> Iterator[Place]:
    """Yield a placement of every size in stock on every square."""
    sizes = [size for size, left in zip(SIZES, state.stock[state.turn], strict=True) if left]
    for size, square in product(sizes, state.terms.board.squares()):
        yield Place(size, square)


def departures(state: State) -> Iterator[Go]:
    """Yield every way in which a piece on the board may set out, with each of its dice."""
    for piece in state.pieces_of(state.turn):
        for direction, die in product(Direction, state.terms.dice(piece.size)):
            yield Go(piece, direction, die)


def attacks(state: State) -> Iterator[Attack]:
    """Yield every attack that is left this turn, with every card that could make it."""
    with_what = weapons(state, state.turn)
    for piece in state.pieces_of(state.turn) if with_what else ():
        for target in state.open_targets(piece):
            for card in with_what:
                yield Attack(piece, target, card)


def weapons(state: State, seat: Seat) -> Sequence[Card | None]:
    """Return what a seat can attack with: black cards, or ``None`` where dice decide."""
    return deck.black(state.hands[seat]) if state.terms.has_cards else (None,)


def why_not(state: State, move: Move) -> str:
    """Return why a move of the seat to move is forbidden; nothing when it is allowed."""
    if isinstance(state.pending, Landing):
        return _why_no_landing(state.pending, move)
    if isinstance(state.pending, Duel):
        return _why_no_defence(state, move)
    return _WHY_NOT[type(move)](state, move)


_DUTIES = {
    PLACE: "first place a piece, as long as you have one in stock.",
    ACT: "first move a piece, or place one more from your stock.",
    FREE: "your duties are done: this turn you may only attack, or end it.",
    LAND: "first choose where the moving piece lands.",
    DEFEND: "first the attack is answered.",
}


def _why_no_landing(landing: Landing, move: Move) -> str:
    if not isinstance(move, Land):
        return _DUTIES[LAND]
    if move.square not in landing.ends:
        texts = " or ".join(str(Land(end)) for end in landing.ends)
        return f"{landing.piece} has come too far or not far enough: {texts}."
    return ""


def _why_no_defence(state: State, move: Move) -> str:
    if not isinstance(move, Defend):
        return _DUTIES[DEFEND]
    if move.card.is_black:
        return "only red cards, hearts and diamonds, defend."
    return "" if move.card in state.hands[state.actor] else f"you do not hold {move.card}."


def _why_no_landing_now(_state: State, _move: Land) -> str:
    return "no piece is on its way: one lands only after a roll."


def _why_no_defence_now(_state: State, _move: Defend) -> str:
    return "you are not attacked."


def _why_no_end(state: State, _move: End) -> str:
    return "" if state.phase == FREE else _DUTIES[state.phase]


def _why_no_placement(state: State, move: Place) -> str:
    if state.phase == FREE:
        return _DUTIES[FREE]
    if move.square not in state.terms.board:
        return f"{move.square} is not on {state.terms.board}."
    if not any(state.stock[state.turn]):
        return "you have no piece left in stock: move one."
    if not state.stock[state.turn][SIZES.index(move.size)]:
        return f"you have no {move.size.word} piece left in stock."
    return ""


def _why_no_departure(state: State, move: Go) -> str:
    if state.phase != ACT:
        return _DUTIES[state.phase]
    if reason := _why_not_own(state, move.piece):
        return reason
    dice = state.terms.dice(move.piece.size)
    if move.die in dice:
        return ""
    if move.die is not None and None in dice:
        return "the dice are fixed in this match: name none."
    names = " or ".join(f"d{die}" for die in dice)
    return f"a {move.piece.size.word} piece moves by {names}: name the one."


def _why_no_attack(state: State, move: Attack) -> str:
    if reason := _why_not_own(state, move.attacker) or _why_no_target(state, move):
        return reason
    if not state.terms.has_cards:
        return "" if move.card is None else "dice decide in this match: name no card."
    if move.card is None:
        return "name the black card that you attack with."
    if not move.card.is_black:
        return "only black cards, clubs and spades, attack."
    return "" if move.card in state.hands[state.turn] else f"you do not hold {move.card}."


def _why_no_target(state: State, move: Attack) -> str:
    attacker, target = move.attacker, move.target
    if target.seat == state.turn:
        return f"{target} is your own."
    if target not in state.squares:
        return f"{target} is not on the board."
    if not state.squares[target].is_beside(state.squares[attacker]):
        return f"{target} is out of reach: attacks go to the same square or one beside it."
    if (attacker, target) in state.attacked:
        return f"{attacker} has attacked {target} this turn already."
    return ""


def _why_not_own(state: State, piece: Piece) -> str:
    if piece.seat != state.turn:
        return f"{piece} is not yours."
    return "" if piece in state.squares else f"{piece} is not on the board."


_WHY_NOT: Mapping[type, Callable[[State, Any], str]] = {
    Place: _why_no_placement,
    Go: _why_no_departure,
    Attack: _why_no_attack,
    Land: _why_no_landing_now,
    Defend: _why_no_defence_now,
    End: _why_no_end,
}
