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
from games.kernel.language import cached, gettext, gettext_noop
from games.kernel.odds import chance_to_beat, in_words
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import Card, Cards, Piece, Role, Size, Square
from games.titles.simple_life_or_death.entry import (
    Selection,
    Show,
    entry_view,
    in_its_stack,
    on_its_square,
    on_square,
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

    def is_able(self, state: State, piece: Piece) -> bool:
        """Whether the player has a weapon and the piece a target."""
        return bool(state.weapons and state.targets(piece))

    def prompt_for(self, state: State, piece: Piece) -> str:
        if len(targets := state.targets(piece)) != 1:
            return gettext("To attack, choose a piece in brackets.")
        square = state.squares[piece]
        stack = state.stacks[square]
        if targets[0] in stack[: stack.index(piece)]:
            message = gettext("To attack {piece} under it, choose {square} again.")
            target = targets[0].owned(state.mover, Role.OBJECT)
            return message.format(piece=target, square=square)
        target = on_its_square(state, targets[0], Role.OBJECT)
        return gettext("To attack, choose {piece}.").format(piece=target)

    def next_words(self, state: State, piece: Piece) -> Words:
        """Yield every target, followed by the cards."""
        for target in state.targets(piece) if state.weapons else ():
            named = in_its_stack(state, target)
            label = gettext("Attack {piece}").format(piece=named)
            chosen = Selection(piece, state.squares[piece], target=target)
            show = partial(entry_view, state, chosen)
            word = Word(str(target), label, piece_marks(state, target), show=show)
            if state.has_cards:
                more = partial(_weapons, state, show)
                asks = gettext(
                    "Choose a black card (♣ ♠) to attack {piece}. It stays hidden until the answer."
                )
                prompt = asks.format(piece=named)
                word = replace(word, text=f"{target} ", more=more, prompt=prompt)
            else:
                word = replace(word, forecast=_odds(state))
            yield word

    def _refusal_of_target(self, state: State, move: Attack) -> str:
        own = move.attacker
        target = move.target
        squares = state.squares
        if own.seat != state.turn:
            return gettext("{piece} is not yours.").format(piece=own)
        if own not in squares:
            return gettext("{piece} is not on the board.").format(piece=own)
        if target.seat == state.turn:
            return gettext("that piece is your own.")
        if target not in squares:
            return gettext("{piece} is not on the board.").format(piece=target)
        if squares[target] not in components.near(squares[own]):
            message = gettext("{piece} is out of reach, more than one square away.")
            return message.format(piece=on_its_square(state, target, Role.SUBJECT))
        if (own, target) in state.attacked:
            message = gettext("{piece} has attacked that piece this turn already.")
            return message.format(piece=own.owned(state.turn, Role.SUBJECT))
        return ""

    def _refusal_of_card(self, state: State, card: Card | None) -> str:
        if not state.has_cards:
            return "" if card is None else gettext("dice decide in this match: name no card.")
        if card is None:
            return gettext("name the black card that you attack with.")
        if not card.is_black:
            return gettext("only black cards, clubs and spades, attack.")
        return _refusal_of_holding(card, state.hands[state.turn])


class Defending(Duty):
    """The answer to an attack with a red card."""

    kind = Defend
    asks = gettext_noop("the attack must be answered first.")

    def moves(self, state: State) -> Iterator[Move]:
        return map(Defend, components.red(state.hands[state.mover]))

    def refusal(self, state: State, move: Defend) -> str:
        if move.card.is_black:
            return gettext("only red cards, hearts and diamonds, defend.")
        return _refusal_of_holding(move.card, state.hands[state.mover])

    def play(self, transition: Transition, move: Defend) -> None:
        if attack := transition.state.attack:
            _answer(transition, attack, move.card)

    def prompt(self, state: State) -> str:
        return gettext("Choose a red card (♥ ♦) to defend with. A tie saves your piece.")

    def words(self, state: State) -> Words:
        for card in components.red(state.hands[state.mover]):
            known = _holds_against(state, card)
            yield Word(f"defend {card}", card.sign, (str(card),), forecast=known)


class Ending(Duty):
    """The end of a turn whose duties are done."""

    kind = End
    asks = gettext_noop("you have done all you must this turn: attack, or end your turn.")

    def moves(self, state: State) -> Iterator[Move]:
        yield End()

    def play(self, transition: Transition, move: End) -> None:
        transition.end_turn()

    def prompt(self, state: State) -> str:
        """Return what may still be done: a turn lasts only while there is a piece to attack."""
        if state.weapons:
            return gettext("Choose a piece to attack with, or end your turn.")
        return gettext("You have no black card to attack with.")

    def words(self, state: State) -> Words:
        yield Word("end", gettext("End your turn"))


def _refusal_of_holding(card: Card, hand: Cards) -> str:
    return "" if card in hand else gettext("you do not hold {card}.").format(card=card)


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
        known = _savers()[card.rank]
        yield Word(str(card), card.sign, (str(card),), show=show, forecast=known)


def _dice(state: State) -> tuple[int, ...]:
    """Return the sides of the dice that each side of a fight rolls."""
    return (6, 6) if state.combat == TWO_D6 else (12,)


# --- What is known beforehand -----------------------------------------------------------------


def _odds(state: State) -> str:
    """Return the mover's odds in an attack with dice."""
    dice = _dice(state)
    message = gettext("You win {chance}. Two dice each; a tie saves the piece.")
    if len(dice) == 1:
        message = gettext("You win {chance}. One twelve-sided die each; a tie saves the piece.")
    return message.format(chance=in_words(chance_to_beat(dice, dice)))


@cached(None)
def _savers() -> Sequence[str]:
    """Return which red cards save a piece from a black one, by its rank."""
    return (
        gettext("Any red card saves it."),
        gettext("Only a red three or higher saves it."),
        gettext("Only a red four or higher saves it."),
        gettext("Only a red five or higher saves it."),
        gettext("Only a red six or higher saves it."),
        gettext("Only a red seven or higher saves it."),
        gettext("Only a red eight or higher saves it."),
        gettext("Only a red nine or higher saves it."),
        gettext("Only a red ten or higher saves it."),
        gettext("Only a red jack or higher saves it."),
        gettext("Only a red queen or higher saves it."),
        gettext("Only a red king or higher saves it."),
        gettext("Only a red ace saves it."),
    )


def _holds_against(state: State, card: Card) -> str:
    """Return the effect of a red card against the pending attack."""
    if not (attack := state.attack):
        return ""
    target = on_its_square(state, attack.target, Role.OBJECT)
    return _saved()[card.rank].format(piece=target)


@cached(None)
def _saved() -> Sequence[str]:
    """Return from which black cards a red one saves a piece, by its rank."""
    return (
        gettext("Saves {piece} from a black two only."),
        gettext("Saves {piece} from a black three or lower."),
        gettext("Saves {piece} from a black four or lower."),
        gettext("Saves {piece} from a black five or lower."),
        gettext("Saves {piece} from a black six or lower."),
        gettext("Saves {piece} from a black seven or lower."),
        gettext("Saves {piece} from a black eight or lower."),
        gettext("Saves {piece} from a black nine or lower."),
        gettext("Saves {piece} from a black ten or lower."),
        gettext("Saves {piece} from a black jack or lower."),
        gettext("Saves {piece} from a black queen or lower."),
        gettext("Saves {piece} from a black king or lower."),
        gettext("Saves {piece} from every card."),
    )


# --- What a defender is asked -----------------------------------------------------------------


def pending_question(view: SeatView, seat: Seat) -> str:
    """Return which piece is attacked, and that the card is hidden; empty for other seats."""
    attack = view.attack
    if attack is None or attack.target.seat != seat:
        return ""
    target = attack.target.owned(seat, Role.OBJECT)
    return gettext("{attacker} attacks {target} with a hidden black card.").format(
        attacker=attack.attacker.owned(seat, Role.FIRST),
        target=on_square(target, view.squares[attack.target]),
    )


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


STANDING_ORDERS: Mapping[str, AnswerPolicy] = {
    "lowest": AnswerPolicy(
        gettext_noop("Defend with my lowest red card"),
        partial(_answer_for, lambda cards, _: cards[0]),
    ),
    "from-eight": AnswerPolicy(
        gettext_noop("Defend with my lowest red card from 8 up, else my lowest"),
        partial(_answer_for, _from_eight),
    ),
    "by-size": AnswerPolicy(
        gettext_noop("Defend large pieces with my highest red card, others with my lowest"),
        partial(_answer_for, _by_size),
    ),
    "highest": AnswerPolicy(
        gettext_noop("Defend with my highest red card"),
        partial(_answer_for, lambda cards, _: cards[-1]),
    ),
}
"""The ways to have attacks answered, if cards decide them."""
