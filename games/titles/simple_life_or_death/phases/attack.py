"""Attacks, at any point of the own turn, and their answers, and the end of a turn.

Source: the rule sheet, "When and Where" and "Replacement of Cards"; its variant 1 for dice.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, TypeAlias

from games.kernel.contract import AnswerPolicy, Seat
from games.kernel.entry import Word, Words
from games.kernel.odds import chance_to_beat, in_words
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import Card, Cards, Piece, Size, Square
from games.titles.simple_life_or_death.entry import (
    Selection,
    Show,
    entry_view,
    in_its_stack,
    on_its_square,
    piece_marks,
)
from games.titles.simple_life_or_death.events import Attacked, Fought
from games.titles.simple_life_or_death.meta import TWO_D6
from games.titles.simple_life_or_death.moves import Attack, Defend, End, Move
from games.titles.simple_life_or_death.phases import Duty, PieceStep
from games.titles.simple_life_or_death.state import DEFEND, Pair, PendingAttack, SeatView, State
from games.titles.simple_life_or_death.transition import Transition

EIGHT = components.RANKS.index("8")


class Attacking(PieceStep):
    """An attack of an own piece on one in its reach, with a black card or by dice."""

    kind = Attack

    def moves(self, state: State) -> Iterator[Move]:
        """Yield every remaining attack of this turn, with every possible card."""
        cards = state.weapons
        for piece in state.pieces_of(state.turn) if cards else ():
            for target in state.targets(piece):
                for card in cards:
                    yield Attack(piece, target, card)

    def refusal(self, state: State, move: Attack) -> str:
        return self._refusal_of_target(state, move) or self._refusal_of_card(state, move.card)

    def play(self, transition: Transition, move: Attack) -> None:
        """Declare an attack, and decide it unless the defender has a card to choose."""
        state = transition.state
        pair = (move.attacker, move.target)
        transition.change(attacked=tuple(sorted((*state.attacked, pair))))
        where = _squares(state, pair)
        if move.card is None:
            transition.emit(Attacked(state.turn, *pair, *where, owners=()))
            _fight_with_dice(transition, pair)
            return
        transition.take_from_hand(state.turn, move.card)
        transition.emit(Attacked(state.turn, *pair, *where, move.card, owners=(state.turn,)))
        attack = PendingAttack(*pair, move.card, state.phase)
        if components.red(state.hands[move.target.seat]):
            transition.change(phase=DEFEND, pending=attack)
        else:
            _answer(transition, attack, None)

    def able(self, state: State, piece: Piece) -> str:
        """Return that it can be attacked with. Empty if it has no target."""
        return "attack with" if state.weapons and state.targets(piece) else ""

    def prompt_for(self, state: State, piece: Piece) -> str:
        if len(targets := state.targets(piece)) != 1:
            return "To attack, choose a piece in brackets."
        square = state.squares[piece]
        stack = state.stacks[square]
        if targets[0] in stack[: stack.index(piece)]:
            return f"To attack {targets[0].owned(state.mover)} under it, choose {square} again."
        return f"To attack, choose {on_its_square(state, targets[0])}."

    def next_words(self, state: State, piece: Piece) -> Words:
        """Yield every target, followed by the cards."""
        for target in state.targets(piece) if state.weapons else ():
            label = f"Attack {in_its_stack(state, target)}"
            chosen = Selection(piece, state.squares[piece], target=target)
            show = partial(entry_view, state, chosen)
            word = Word(str(target), label, piece_marks(state, target), show=show)
            if state.has_cards:
                more = partial(_weapons, state, show)
                asks = f"Choose a black card (♣ ♠) to attack {in_its_stack(state, target)}."
                prompt = f"{asks} It stays hidden until the answer."
                word = replace(word, text=f"{target} ", more=more, prompt=prompt)
            else:
                word = replace(word, forecast=_odds(state))
            yield word

    def _refusal_of_target(self, state: State, move: Attack) -> str:
        own = move.attacker
        target = move.target
        squares = state.squares
        if own.seat != state.turn:
            return f"{own} is not yours."
        if own not in squares:
            return f"{own} is not on the board."
        if target.seat == state.turn:
            return "that piece is your own."
        if target not in squares:
            return f"{target} is not on the board."
        if squares[target] not in components.near(squares[own]):
            far = "more than one square away."
            return f"{on_its_square(state, target)} is out of reach, {far}"
        if (own, target) in state.attacked:
            return f"{own.owned(state.turn)} has attacked that piece this turn already."
        return ""

    def _refusal_of_card(self, state: State, card: Card | None) -> str:
        if not state.has_cards:
            return "" if card is None else "dice decide in this match: name no card."
        if card is None:
            return "name the black card that you attack with."
        if not card.is_black:
            return "only black cards, clubs and spades, attack."
        return "" if card in state.hands[state.turn] else f"you do not hold {card}."


class Defending(Duty):
    """The answer to an attack with a red card."""

    kind = Defend
    asks = "the attack must be answered first."

    def moves(self, state: State) -> Iterator[Move]:
        return map(Defend, components.red(state.hands[state.mover]))

    def refusal(self, state: State, move: Defend) -> str:
        if move.card.is_black:
            return "only red cards, hearts and diamonds, defend."
        return "" if move.card in state.hands[state.mover] else f"you do not hold {move.card}."

    def play(self, transition: Transition, move: Defend) -> None:
        if attack := transition.state.attack:
            _answer(transition, attack, move.card)

    def prompt(self, state: State) -> str:
        return "Choose a red card (♥ ♦) to defend with. A tie saves your piece."

    def words(self, state: State) -> Words:
        for card in components.red(state.hands[state.mover]):
            known = _holds_against(state, card)
            yield Word(f"defend {card}", card.sign, (str(card),), forecast=known)


class Ending(Duty):
    """The end of a turn whose duties are done."""

    kind = End
    asks = "you have done all you must this turn: attack, or end your turn."

    def moves(self, state: State) -> Iterator[Move]:
        yield End()

    def play(self, transition: Transition, move: End) -> None:
        transition.end_turn()

    def prompt(self, state: State) -> str:
        """Return what may still be done: a turn lasts only while there is a piece to attack."""
        if state.weapons:
            return "Choose a piece to attack with, or end your turn."
        return "You have no black card to attack with."

    def words(self, state: State) -> Words:
        yield Word("end", "End your turn")


# --- The fight --------------------------------------------------------------------------------


def _answer(transition: Transition, attack: PendingAttack, card: Card | None) -> None:
    """Reveal the cards of an attack (``None`` without an answer), and replace them."""
    attacker = attack.attacker.seat
    defender = attack.target.seat
    used = () if card is None else (card,)
    transition.change(phase=attack.then, pending=None)
    for answer in used:
        transition.take_from_hand(defender, answer)
    is_won = card is None or attack.card.rank > card.rank
    values = (str(attack.card), None if card is None else str(card))
    _decide(transition, (attack.attacker, attack.target), values, is_won=is_won)
    transition.discard(attack.card, *used)
    transition.draw(attacker)
    if used:
        transition.draw(defender)


def _fight_with_dice(transition: Transition, pair: Pair) -> None:
    sides = _dice(transition.state)
    attack = tuple(transition.roll(sides))
    defence = tuple(transition.roll(sides))
    _decide(transition, pair, (attack, defence), is_won=sum(attack) > sum(defence))


def _decide(transition: Transition, pair: Pair, values: tuple[Any, Any], *, is_won: bool) -> None:
    """Announce the outcome of a fight. ``values`` are the cards or rolls of attack and defence."""
    where = _squares(transition.state, pair)
    transition.emit(Fought(pair[0].seat, *pair, *where, *values, won=is_won))
    if is_won:
        transition.capture(pair[0].seat, pair[1])


def _squares(state: State, pair: Pair) -> tuple[Square, Square]:
    attacker, target = pair
    return state.squares[attacker], state.squares[target]


def _weapons(state: State, show: Show, _typed: str) -> Words:
    for card in components.black(state.hands[state.turn]):
        known = _held_by(card)
        yield Word(str(card), card.sign, (str(card),), show=show, forecast=known)


def _dice(state: State) -> tuple[int, ...]:
    """Return the sides of the dice that each side of a fight rolls."""
    return (6, 6) if state.combat == TWO_D6 else (12,)


# --- What is known beforehand -----------------------------------------------------------------


def _odds(state: State) -> str:
    """Return the mover's odds in an attack with dice."""
    dice = _dice(state)
    each = f"{'One twelve-sided die' if len(dice) == 1 else 'Two dice'} each"
    chance = in_words(chance_to_beat(dice, dice))
    return f"You win {chance}. {each}; a tie saves the piece."


def _held_by(card: Card) -> str:
    """Return which red cards save the target from a black one."""
    more = " or higher" if card.rank < len(components.RANKS) - 1 else ""
    lowest = f"a red {components.RANK_NAMES[card.rank]}{more}"
    return f"Only {lowest} saves it." if card.rank else "Any red card saves it."


def _holds_against(state: State, card: Card) -> str:
    """Return the effect of a red card against the pending attack."""
    if not (attack := state.attack):
        return ""
    target = on_its_square(state, attack.target)
    black = f"a black {components.RANK_NAMES[card.rank]}"
    if not card.rank:
        return f"Saves {target} from {black} only."
    if card.rank == len(components.RANKS) - 1:
        return f"Saves {target} from every card."
    return f"Saves {target} from {black} or lower."


# --- What a defender is asked -----------------------------------------------------------------


def pending_question(view: SeatView, seat: Seat) -> str:
    """Return which piece is attacked, and that the card is hidden; empty for other seats."""
    attack = view.attack
    if attack is None or attack.target.seat != seat:
        return ""
    target = f"{attack.target.owned(seat)} on {view.squares[attack.target]}"
    return f"{attack.attacker.owned(seat)} attacks {target} with a hidden black card."


Choose: TypeAlias = Callable[[Cards, Piece], Card]
"""``choose(cards, target)``: the card, of those held, lowest first, that should save a piece."""


def _answer_for(choose: Choose, view: SeatView, seat: Seat) -> str:
    """Return a standing order's answer, from the defender's own view."""
    attack = view.attack
    if attack is None or attack.target.seat != seat:
        return ""
    cards = tuple(sorted(components.red(view.hands[seat]), key=attrgetter("rank", "place")))
    return str(Defend(choose(cards, attack.target)))


def _from_eight(cards: Cards, _target: Piece) -> Card:
    return next((card for card in cards if card.rank >= EIGHT), cards[0])


def _by_size(cards: Cards, target: Piece) -> Card:
    return cards[-1] if target.size is Size.LARGE else cards[0]


_ORDERS: Sequence[tuple[str, str, Choose]] = (
    ("lowest", "with my lowest red card", lambda cards, _: cards[0]),
    ("from-eight", "with my lowest red card from 8 up, else my lowest", _from_eight),
    ("by-size", "large pieces with my highest red card, others with my lowest", _by_size),
    ("highest", "with my highest red card", lambda cards, _: cards[-1]),
)

STANDING_ORDERS: Mapping[str, AnswerPolicy] = {
    name: AnswerPolicy(f"Defend {how}", partial(_answer_for, choose))
    for name, how, choose in _ORDERS
}
"""The ways to have attacks answered, if cards decide them."""
