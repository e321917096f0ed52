"""Playing cards, and piles of them from which cards are drawn one at a time.

A pile to draw from has no order. It is kept in the order of a new pack, and a card is drawn by
rolling a die with a face for every card in it.
"""

from bisect import insort
from collections.abc import Iterable
from itertools import product
from typing import NamedTuple, TypeAlias

from games.kernel.dice import Dice

SUITS = "CDHS"
RANKS = "23456789TJQKA"
BLACK = "CS"
PATTERN = f"[{RANKS}][{SUITS}]".lower()
"""What every name of a card looks like, small."""

SEATS_A_DECK = 2
HAND = 10
"""Cards dealt to everybody."""


class Card(NamedTuple):
    """A playing card by places in ``SUITS`` and ``RANKS``; sorted, cards are as in a new pack."""

    suit: int
    rank: int

    def __str__(self) -> str:
        return f"{RANKS[self.rank]}{SUITS[self.suit]}"

    @classmethod
    def read(cls, name: str) -> "Card":
        """Return the card called ``name``, such as ``KS``, in capitals or not.

        :raises ValueError: there is none.
        """
        rank, suit = RANKS.find(name[:1].upper()), SUITS.find(name[1:].upper())
        if len(name) != len("KS") or rank < 0 or suit < 0:
            raise ValueError(f"{name!r} is no card.")
        return cls(suit, rank)

    @property
    def is_black(self) -> bool:
        """Whether it is for attacking; a red one is for defence."""
        return SUITS[self.suit] in BLACK


Cards: TypeAlias = tuple[Card, ...]
"""Cards in the order of a new pack, but for the discard pile, which has one of its own."""

PACK: Cards = tuple(Card(*card) for card in product(range(len(SUITS)), range(len(RANKS))))


def packs(seats: int) -> Cards:
    """Return all cards of a match: a deck for every two seats, rounded up."""
    return tuple(sorted(PACK * -(-seats // SEATS_A_DECK)))


def draw(pile: Cards, dice: Dice) -> tuple[Card, Cards]:
    """Return a card drawn from a pile, and what is left of the pile."""
    at = dice.roll(len(pile)) - 1
    return pile[at], pile[:at] + pile[at + 1 :]


def deal(seats: int, dice: Dice) -> tuple[tuple[Cards, ...], Cards]:
    """Return a hand for every seat, dealt one card at a time round the table, and the rest."""
    hands: list[Cards] = [()] * seats
    pile = packs(seats)
    for _ in range(HAND):
        for seat in range(seats):
            card, pile = draw(pile, dice)
            hands[seat] = with_card(hands[seat], card)
    return tuple(hands), pile


def with_card(hand: Cards, card: Card) -> Cards:
    """Return a hand with one card more."""
    cards = list(hand)
    insort(cards, card)
    return tuple(cards)


def without_card(hand: Cards, card: Card) -> Cards:
    """Return a hand with one card less."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def black(hand: Iterable[Card]) -> Cards:
    """Return the different cards to attack with."""
    return tuple(sorted({card for card in hand if card.is_black}))


def red(hand: Iterable[Card]) -> Cards:
    """Return the different cards to defend with."""
    return tuple(sorted({card for card in hand if not card.is_black}))
