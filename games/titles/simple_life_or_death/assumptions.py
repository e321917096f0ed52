"""The hidden cards of a seat's view, and the possible assumptions about them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from games.kernel.contract import Observation, Unseen
from games.kernel.errors import GameError
from games.kernel.language import gettext
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import HIDDEN_CARD, Card, Cards
from games.titles.simple_life_or_death.state import State, load, open_view

ATTACK = "attack"
"""The key of the card of an attack."""


def unseen_cards(state: State) -> Cards:
    """Return the cards of the packs that aren't visible anywhere, in the order of a pack."""
    piles = (*state.hands, state.draw, state.discard, face_down(state))
    open_cards = Counter(card for pile in piles for card in pile if card != HIDDEN_CARD)
    all_cards = Counter(components.packs(seats=len(state.hands)) if state.has_cards else ())
    return components.in_order((all_cards - open_cards).elements())


def face_down(state: State) -> Cards:
    """Return the card of the pending attack. Empty without one."""
    return (state.attack.card,) if state.attack and state.has_cards else ()


def hidden(pile: Cards) -> Sequence[int]:
    """Return the indices of a pile's hidden cards."""
    return [at for at, card in enumerate(pile) if card == HIDDEN_CARD]


def unseen(seen: Observation) -> Sequence[Unseen]:
    """Return the hands of others, and the card of another seat's attack."""
    state = load(seen.view, seen.seats, seen.params)
    return tuple(_unseen(state))


def _unseen(state: State) -> Iterator[Unseen]:
    cards = tuple((str(card), card.sign) for card in unseen_cards(state))
    for seat, hand in enumerate(state.hands):
        if count := len(hidden(hand)):
            yield Unseen(f"hand-{seat}", components.hand_of(seat), count, cards)
    if hidden(face_down(state)):
        blacks = tuple(one for one in cards if Card.parse(one[0]).is_black)
        yield Unseen(ATTACK, gettext("The card of the attack"), 1, blacks)


def assume(seen: Observation, assumed: Mapping[str, Sequence[str]]) -> Observation:
    """Replace hidden cards by assumed ones.

    :raises GameError: the cards can't be there.
    """
    state = load(seen.view, seen.seats, seen.params)
    chosen = _chosen(state, assumed)
    hands = tuple(
        _filled(hand, chosen.get(f"hand-{seat}", ())) for seat, hand in enumerate(state.hands)
    )
    made = replace(state, hands=hands)
    if made.attack and chosen.get(ATTACK):
        made = replace(made, pending=replace(made.attack, card=chosen[ATTACK][0]))
    _check_attack(made)
    return replace(seen, view=open_view(made).dump())


def _chosen(state: State, assumed: Mapping[str, Sequence[str]]) -> Mapping[str, Cards]:
    """Return the assumed cards by their pile. None of them may be visible elsewhere."""
    places = {one.key: one for one in _unseen(state)}
    chosen = {}
    for key, texts in assumed.items():
        place = places.get(key)
        if place is None:
            raise GameError(gettext("You can see these cards: there is nothing to assume."))
        if len(texts) > place.count:
            message = gettext("{place}: {most} cards at most, not {count}.")
            values = {"most": place.count, "count": len(texts)}
            raise GameError(message.format(place=place.label, **values))
        known = {value for value, _ in place.choices}
        if wrong := [text for text in texts if text not in known]:
            message = gettext("{place} can’t hold {card}.")
            raise GameError(message.format(place=place.label, card=wrong[0][:10]))
        chosen[key] = tuple(map(Card.parse, texts))
    twice = Counter(chain(*chosen.values())) - Counter(unseen_cards(state))
    if twice:
        card = next(iter(twice))
        raise GameError(gettext("{card} can’t be in two places.").format(card=card.sign))
    return chosen


def _filled(hand: Cards, cards: Cards) -> Cards:
    """Put cards in the first hidden places of a hand, in the order of a pack."""
    filled = list(hand)
    for at, card in zip(hidden(hand), cards, strict=False):
        filled[at] = card
    known = components.in_order(card for card in filled if card != HIDDEN_CARD)
    return (*known, *(HIDDEN_CARD,) * (len(hand) - len(known)))


def _check_attack(state: State) -> None:
    """Check that an attack is made with a black card, and can be answered with a red one.

    :raises GameError: the assumed cards leave none.
    """
    attack = state.attack
    if attack is None or not state.has_cards:
        return
    left = unseen_cards(state)
    hand = state.hands[attack.target.seat]
    may_be_red = components.red(left) if hidden(hand) else ()
    if not (components.red(hand) or may_be_red):
        name = components.name_of(attack.target.seat)
        message = gettext("{player} is asked to defend, and so holds a red card.")
        raise GameError(message.format(player=name))
    if hidden((attack.card,)) and not components.black(left):
        raise GameError(gettext("The attack was made with a black card: leave one for it."))
