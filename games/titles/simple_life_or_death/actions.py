"""What placing, moving and attacking do."""

from collections.abc import Sequence

from games.kernel.contract import Seat
from games.titles.simple_life_or_death import deck, movement, pieces
from games.titles.simple_life_or_death.deck import Card
from games.titles.simple_life_or_death.meta import TWO_D6
from games.titles.simple_life_or_death.moves import OFF, Attack, Go, Place
from games.titles.simple_life_or_death.pieces import EACH, SIZES, Piece, Size
from games.titles.simple_life_or_death.position import (
    ACT,
    DEFEND,
    FREE,
    HIDDEN,
    LAND,
    PLACE,
    Duel,
    Landing,
    State,
    Stock,
)
from games.titles.simple_life_or_death.squares import Direction, Square
from games.titles.simple_life_or_death.transition import (
    ATTACKED,
    FOUGHT,
    LANDED,
    PLACED,
    ROLLED,
    Transition,
)


def place(transition: Transition, move: Place) -> None:
    """Put the next piece of a size on the board; the duty that was open is done."""
    state = transition.state
    seat, below = state.turn, state.stacks.get(move.square, ())
    piece = next_piece(state, seat, move.size)
    stock = list(state.stock)
    stock[seat] = _one_less(stock[seat], move.size)
    transition.change(
        stock=tuple(stock),
        stacks=pieces.put(state.stacks, move.square, (piece,)),
        phase=ACT if state.phase == PLACE else FREE,
    )
    on = list(map(str, below))
    transition.emit(PLACED, seat, piece=str(piece), square=str(move.square), on=on)


def next_piece(state: State, seat: Seat, size: Size) -> Piece:
    """Return the piece that a placement takes from the stock."""
    return Piece(seat, size, EACH + 1 - state.stock[seat][SIZES.index(size)])


def go(transition: Transition, move: Go) -> None:
    """Roll for a piece and send it off; where it may stop at several places, its owner chooses."""
    state = transition.state
    sides = state.terms.rolls(move.piece.size, move.die)
    rolls = transition.roll(sides)
    ends = movement.ends(state, move.piece, move.direction, sum(rolls))
    transition.emit(
        ROLLED,
        state.turn,
        piece=str(move.piece),
        at=str(state.squares[move.piece]),
        direction=str(move.direction),
        dice=list(sides),
        rolls=rolls,
        ends=[str(end or OFF) for end in ends],
    )
    if len(ends) > 1:
        transition.change(phase=LAND, pending=Landing(move.piece, ends))
    else:
        land(transition, move.piece, ends[0], move.direction)


def choose_landing(transition: Transition, landing: Landing, end: Square | None) -> None:
    """Let a piece stop where its owner chooses; the first choice is always on the board."""
    start, first = transition.state.squares[landing.piece], landing.ends[0]
    if first is not None:
        land(transition, landing.piece, end, start.toward(first))


def land(transition: Transition, piece: Piece, end: Square | None, direction: Direction) -> None:
    """Let a moving piece stop, with all that it carries; off the board they are gone."""
    state = transition.state
    start, carried = state.squares[piece], state.carried(piece)
    below = () if end is None else state.stacks.get(end, ())
    transition.change(phase=FREE, pending=None)
    if end is None:
        transition.remove((piece, *carried))
    else:
        stacks, lifted = pieces.lift(state.stacks, start, piece)
        transition.change(stacks=pieces.put(stacks, end, lifted))
    transition.emit(
        LANDED,
        state.turn,
        piece=str(piece),
        direction=str(direction),
        **{"from": str(start), "to": str(end or OFF)},
        carried=list(map(str, carried)),
        on=list(map(str, below)),
    )


def attack(transition: Transition, move: Attack) -> None:
    """Declare an attack, and decide it unless the defender has a card to choose."""
    state = transition.state
    transition.change(attacked=state.attacked | {(move.attacker, move.target)})
    told = {
        "attacker": str(move.attacker),
        "target": str(move.target),
        "from": str(state.squares[move.attacker]),
        "at": str(state.squares[move.target]),
    }
    if move.card is None:
        transition.emit(ATTACKED, state.turn, **told)
        _fight_with_dice(transition, move)
        return
    transition.take_from_hand(state.turn, move.card)
    transition.tell_apart(ATTACKED, state.turn, {**told, "card": HIDDEN}, {"card": str(move.card)})
    duel = Duel(move.attacker, move.target, move.card, state.phase)
    if deck.red(state.hands[move.target.seat]):
        transition.change(phase=DEFEND, pending=duel)
    else:
        answer(transition, duel, None)


def answer(transition: Transition, duel: Duel, card: Card | None) -> None:
    """Turn up the cards of an attack, ``None`` being no answer, and replace them."""
    attacker, defender = duel.attacker.seat, duel.target.seat
    transition.change(phase=duel.then, pending=None)
    if card is not None:
        transition.take_from_hand(defender, card)
    is_won = card is None or duel.card.rank > card.rank
    answered = None if card is None else str(card)
    _decide(transition, (duel.attacker, duel.target), str(duel.card), answered, is_won=is_won)
    transition.discard(duel.card, *(() if card is None else (card,)))
    transition.draw(attacker)
    if card is not None:
        transition.draw(defender)


def _fight_with_dice(transition: Transition, move: Attack) -> None:
    sides = (6, 6) if transition.state.terms.combat == TWO_D6 else (12,)
    strong, firm = transition.roll(sides), transition.roll(sides)
    is_won = sum(strong) > sum(firm)
    _decide(transition, (move.attacker, move.target), strong, firm, is_won=is_won)


def _decide(
    transition: Transition,
    pair: tuple[Piece, Piece],
    attack: str | Sequence[int],
    defence: str | Sequence[int] | None,
    *,
    is_won: bool,
) -> None:
    """Tell how a fight came out; a beaten piece is a trophy of the attacker's."""
    own, target = pair
    transition.emit(
        FOUGHT,
        own.seat,
        attacker=str(own),
        target=str(target),
        **{"from": str(transition.state.squares[own]), "at": str(transition.state.squares[target])},
        attack=attack,
        defence=defence,
        won=is_won,
    )
    if is_won:
        transition.remove((target,))
        trophies = list(transition.state.trophies)
        trophies[own.seat] += (target,)
        transition.change(trophies=tuple(trophies))


def _one_less(stock: Stock, size: Size) -> Stock:
    left = list(stock)
    left[SIZES.index(size)] -= 1
    return (left[0], left[1], left[2])
