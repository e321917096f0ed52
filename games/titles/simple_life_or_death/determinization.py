"""Whole positions that agree with what a seat has seen: the unseen cards dealt by chance."""

import random
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from games.kernel.contract import Observation
from games.titles.simple_life_or_death import components, position
from games.titles.simple_life_or_death.components import HIDDEN_CARD, Card, Cards
from games.titles.simple_life_or_death.position import Position


def determinize(seen: Observation, chance: random.Random) -> Position:
    """Return a position with a card in the place of each that is face down.

    An attack is made with a black card, and whoever is to answer it holds a red one.
    """
    state = position.load(seen.view, seen.seats, seen.params)
    unseen = _unseen(state)
    if not unseen:
        return state
    while not _is_possible(dealt := _deal(state, chance.sample(unseen, len(unseen)))):
        pass
    return dealt


def _unseen(state: Position) -> Sequence[Card]:
    """Return the cards of the packs that lie open nowhere, in the order of a pack."""
    piles = (*state.hands, state.draw, state.discard, _face_down(state))
    open_cards = Counter(card for pile in piles for card in pile if card != HIDDEN_CARD)
    all_cards = Counter(components.packs(seats=len(state.hands)) if state.has_cards else ())
    return components.in_order((all_cards - open_cards).elements())


def _face_down(state: Position) -> Cards:
    return (state.attack.card,) if state.attack else ()


def _deal(state: Position, cards: Sequence[Card]) -> Position:
    """Return the position with cards dealt, one after the other, to all places that need one."""
    left = iter(cards)

    def shown(pile: Cards) -> Cards:
        dealt = (next(left) if card == HIDDEN_CARD else card for card in pile)
        return components.in_order(dealt)

    if attack := state.attack:
        state = replace(state, pending=replace(attack, card=shown(_face_down(state))[0]))
    return replace(state, hands=tuple(map(shown, state.hands)), draw=shown(state.draw))


def _is_possible(state: Position) -> bool:
    if not (attack := state.attack):
        return True
    return attack.card.is_black and bool(components.red(state.hands[attack.target.seat]))
