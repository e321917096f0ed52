"""The transition of a move: the position as it changes, what happens meanwhile, and the cards."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

from games.kernel import transition as kernel
from games.kernel.contract import Event, Seat
from games.kernel.views import Json
from games.titles.simple_life_or_death import deck, pieces
from games.titles.simple_life_or_death.deck import Card, Cards
from games.titles.simple_life_or_death.pieces import Piece
from games.titles.simple_life_or_death.position import HIDDEN, Pair, State

PLACED, ROLLED, LANDED = "place", "roll", "land"
ATTACKED, FOUGHT, VOIDED = "attack", "fight", "void"
DREW, REFILLED, WENT_OUT, LEFT = "draw", "refill", "out", "leave"
"""Types of the events that are this game's own."""

Outcome: TypeAlias = tuple[State, tuple[Event, ...]]


class Transition(kernel.Transition[State]):
    """A move being carried out."""

    def tell_apart(
        self, kind: str, seat: Seat, data: Mapping[str, Json], own: Mapping[str, Json]
    ) -> None:
        """Say what happened; some of it only to the seat whose doing it is."""
        self.events.append(Event(kind, seat, data, own, (seat,)))

    def roll(self, sides: Sequence[int]) -> list[int]:
        """Roll dice, one after the other."""
        return [self.dice.roll(count) for count in sides]

    def remove(self, gone: Collection[Piece]) -> None:
        """Take pieces off the board, and with them the attacks in which they had a part."""
        self.change(stacks=pieces.without(self.state.stacks, gone), attacked=self._without(gone))

    def discard(self, *cards: Card) -> None:
        """Lay cards open on the discard pile."""
        self.change(discard=self.state.discard + cards)

    def take_from_hand(self, seat: Seat, card: Card) -> None:
        """Take a card out of a hand."""
        self._hold(seat, deck.without_card(self.state.hands[seat], card))

    def discard_hand(self, seat: Seat) -> Cards:
        """Lay a whole hand on the discard pile, and return it."""
        hand = self.state.hands[seat]
        self._hold(seat, ())
        self.discard(*hand)
        return hand

    def draw(self, seat: Seat) -> None:
        """Let a seat draw a card, if there is one to draw."""
        if not self.state.draw and self.state.discard:
            self.emit(REFILLED, cards=len(self.state.discard))
            self.change(draw=tuple(sorted(self.state.discard)), discard=())
        if self.state.draw:
            card, left = deck.draw(self.state.draw, self.dice)
            self.change(draw=left)
            self._hold(seat, deck.with_card(self.state.hands[seat], card))
            self.tell_apart(DREW, seat, {"card": HIDDEN}, {"card": str(card)})

    def _hold(self, seat: Seat, hand: Cards) -> None:
        hands = list(self.state.hands)
        hands[seat] = hand
        self.change(hands=tuple(hands))

    def _without(self, gone: Collection[Piece]) -> frozenset[Pair]:
        pairs = self.state.attacked
        return frozenset(pair for pair in pairs if not (pair[0] in gone or pair[1] in gone))
