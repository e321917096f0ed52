"""A move being carried out: its effects on pieces and cards, and automatic consequences."""

from collections.abc import Sequence
from typing import TypeAlias

from games.kernel import transition as kernel
from games.kernel.contract import Event, Ranks, Seat, TurnEnded
from games.kernel.dice import Dice
from games.titles.simple_life_or_death import components, events
from games.titles.simple_life_or_death.components import Card, Cards, Piece, Square
from games.titles.simple_life_or_death.meta import ALL_GONE, LAST_LEFT, ROUNDS_UP
from games.titles.simple_life_or_death.state import (
    ACT,
    FREE,
    NO_STOCK,
    OVER,
    PLACE,
    State,
    rank_all,
    rank_last,
)

Outcome: TypeAlias = tuple[State, tuple[Event, ...]]


class Transition(kernel.Transition[State]):
    def roll(self, sides: Sequence[int]) -> list[int]:
        """Roll dice, one after the other."""
        return [self.dice.roll(count) for count in sides]

    # --- Pieces -------------------------------------------------------------------------------

    def put(self, square: Square, stack: Sequence[Piece]) -> None:
        """Put pieces on top of a square's stack."""
        stacks = self.state.stacks
        self.change(stacks={**stacks, square: (*stacks.get(square, ()), *stack)})

    def move(self, piece: Piece, end: Square) -> None:
        """Move a piece with all pieces on it to the top of another square."""
        start = self.state.squares[piece]
        stacks = dict(self.state.stacks)
        stack = stacks.pop(start)
        height = stack.index(piece)
        if height:
            stacks[start] = stack[:height]
        self.change(stacks=stacks)
        self.put(end, stack[height:])

    def remove(self, gone: Sequence[Piece]) -> None:
        """Remove pieces from the board, and the attacks that they took part in."""
        state = self.state
        stacks = dict(self.state.stacks)
        for square in {state.squares[piece]: None for piece in gone}:
            stacks[square] = tuple(piece for piece in stacks[square] if piece not in gone)
            if not stacks[square]:
                del stacks[square]
        attacked = tuple(pair for pair in state.attacked if not set(pair) & set(gone))
        self.change(stacks=stacks, attacked=attacked)

    # --- Cards --------------------------------------------------------------------------------

    def discard(self, *cards: Card) -> None:
        """Lay cards open on the discard pile."""
        self.change(discard=self.state.discard + cards)

    def take_from_hand(self, seat: Seat, card: Card) -> None:
        hand = list(self.state.hands[seat])
        hand.remove(card)
        self._change_at("hands", seat, tuple(hand))

    def discard_hand(self, seat: Seat) -> Cards:
        """Discard a whole hand, and return it."""
        hand = self.state.hands[seat]
        if hand:
            self._change_at("hands", seat, ())
            self.discard(*hand)
        return hand

    def draw(self, seat: Seat) -> None:
        """Let a seat draw a card. For each drawn card one was discarded before."""
        if not self.state.draw:
            self.emit(events.Refilled(cards=len(self.state.discard)))
            self.change(draw=components.in_order(self.state.discard), discard=())
        card, left = draw_from(self.state.draw, self.dice)
        self.change(draw=left)
        hand = components.in_order((*self.state.hands[seat], card))
        self._change_at("hands", seat, hand)
        self.emit(events.Drew(seat, card, owners=(seat,)))

    def void(self) -> None:
        """Discard the card of an attack that won't be answered, and return to the turn."""
        if attack := self.state.attack:
            self.change(phase=attack.then, pending=None)
            self.discard(attack.card)
            self.emit(events.Voided(attack.attacker.seat, attack.target, attack.card))

    # --- Seats, turns and the end ---------------------------------------------------------------

    def finalize(self) -> None:
        """Eliminate seats without pieces, and end the match or the turn if that ends it."""
        state = self.state
        without_stock = [seat for seat in state.still_in if not any(state.stock[seat])]
        gone = tuple(seat for seat in without_stock if not state.pieces_of(seat))
        for seat in gone:
            self._change_at("seats_in", seat, value=False)
            self.emit(events.WentOut(seat, self.discard_hand(seat)))
        left = self.state.still_in
        if not left:
            self.end_match(ALL_GONE, rank_last(self.state, gone))
        elif len(left) == 1:
            self.end_match(LAST_LEFT, rank_last(self.state, left))
        else:
            self.go_on()

    def go_on(self) -> None:
        """End the turn if its seat is out, or has done its duties and has nothing to attack."""
        state = self.state
        is_idle = state.phase == FREE and not state.has_targets
        if is_idle or not state.seats_in[state.turn]:
            self.end_turn()

    def end_turn(self) -> None:
        """Pass the turn to the next remaining seat. The last round ends with its turn."""
        state = self.state
        self.emit(TurnEnded(state.turn))
        seat = state.next_seat(state.turn)
        number = state.round
        while True:
            number += seat == state.first
            if 0 < state.rounds < number:
                self.end_match(ROUNDS_UP, rank_all(state))
                return
            if state.seats_in[seat]:
                break
            seat = state.next_seat(seat)
        phase = PLACE if any(state.stock[seat]) else ACT
        self.change(turn=seat, round=number, phase=phase, attacked=(), pending=None)

    def end_match(self, ending: str, ranks: Ranks) -> None:
        """End the match with a result. A face-down card is discarded."""
        self.void()
        self.change(phase=OVER, pending=None, attacked=(), ranks=ranks)
        trophies = tuple(map(len, self.state.trophies))
        self.emit(events.Ended(ending=ending, ranks=ranks, trophies=trophies))

    def drop_out(self, seat: Seat) -> None:
        """Remove a player: cancel pending attacks, clear pieces and cards, pass the turn."""
        self.change(dropped=(*self.state.dropped, seat))
        if not self.state.seats_in[seat]:
            return
        attack = self.state.attack
        if attack and seat in (attack.attacker.seat, attack.target.seat):
            self.void()
            if seat == attack.target.seat:
                self.draw(attack.attacker.seat)
        pieces = tuple(self.state.pieces_of(seat))
        stock = sum(self.state.stock[seat])
        self.remove(pieces)
        self._change_at("stock", seat, NO_STOCK)
        self._change_at("seats_in", seat, value=False)
        self.emit(events.Left(seat, pieces, stock, self.discard_hand(seat)))
        left = self.state.still_in
        if len(left) == 1:
            self.end_match("dropped", rank_last(self.state, left))
        else:
            self.go_on()

    def take_from_stock(self, seat: Seat, at: int) -> None:
        """Remove a piece of the size at an index from a seat's stock."""
        stock = self.state.stock[seat]
        self._change_at("stock", seat, (*stock[:at], stock[at] - 1, *stock[at + 1 :]))

    def capture(self, seat: Seat, piece: Piece) -> None:
        """Remove a piece from the board as a trophy."""
        self.remove((piece,))
        self._change_at("trophies", seat, (*self.state.trophies[seat], piece))

    def _change_at(self, field: str, seat: Seat, value: object) -> None:
        values = getattr(self.state, field)
        self.change(**{field: (*values[:seat], value, *values[seat + 1 :])})


def draw_from(pile: Cards, dice: Dice) -> tuple[Card, Cards]:
    """Draw a random card from a pile, and return it with the rest."""
    at = dice.roll(len(pile)) - 1
    return pile[at], pile[:at] + pile[at + 1 :]
