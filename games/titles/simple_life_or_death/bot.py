"""What bots know of Simple Life or Death, and the cards that they imagine where they see none."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import exp

from msgspec.structs import replace

from games.kernel.contract import Observation, Seat
from games.kernel.heuristics import Heuristics
from games.titles.simple_life_or_death import components, position
from games.titles.simple_life_or_death.components import (
    HIDDEN_CARD,
    OFF,
    SIZES,
    Card,
    Cards,
    Square,
)
from games.titles.simple_life_or_death.moves import Attack, Defend, End, Go, Land, Move, Place
from games.titles.simple_life_or_death.phases.act import Moving, sides
from games.titles.simple_life_or_death.position import ACT, DEFEND, FREE, LAND, Position

PIECE, TROPHY, CARD = 1.0, 0.15, 0.35
"""What a piece on the board or in stock, a trophy, and the best card of a hand are worth."""

SCALE = 2.0
"""An advantage of so much makes a win about three times as likely as a loss."""

SITES = 12
"""So many squares are thought of for a new piece."""

WALKS = 16
STRONG = components.RANKS.index("9")
"""From this card on an attack is made in playouts."""


class Knowledge(Heuristics[Position, Move]):
    """Playouts of a few moves, without moves that lead off the board for nothing."""

    simulations = (4, 20, 150, 1800)
    horizon = 10
    width = 40

    def candidates(self, state: Position, seat: Seat, chance: random.Random) -> Sequence[Move]:
        """Return attacks with the highest card first, then the safest moves or placements."""
        if state.phase in (DEFEND, LAND):
            return list(self.rules.moves(state, seat))
        found = [*_attacks(state), *_duties(state, chance)]
        return found[: self.width]

    def playout_move(self, state: Position, seat: Seat, chance: random.Random) -> Move:
        """Return an attack with a strong card where there is one, else any duty."""
        if state.phase == DEFEND:
            return Defend(_middle(state, seat))
        if state.phase == LAND:
            ends = [end for end in state.landing.ends if end != OFF] if state.landing else []
            return Land(chance.choice(ends))
        attack = next(_attacks(state), None)
        if attack and (attack.card is None or attack.card.rank >= STRONG):
            return attack
        return chance.choice(_duties(state, chance))

    def evaluate(self, state: Position, seats: int) -> Sequence[float]:
        """Return how likely each seat is to be left last."""
        worth = [exp(_worth(state, seat) / SCALE) for seat in state.seats]
        return [one / sum(worth) for one in worth]


def _attacks(state: Position) -> Iterator[Attack]:
    """Yield every attack with the highest card, then every one with the lowest."""
    weapons = _by_rank(components.black(state.hands[state.turn])) if state.has_cards else (None,)
    pieces = state.pieces_of(state.turn) if weapons else []
    pairs = [(piece, target) for piece in pieces for target in state.targets(piece)]
    for card in dict.fromkeys((*weapons[-1:], *weapons[:1])):
        for piece, target in pairs:
            yield Attack(piece, target, card)


def _by_rank(cards: Cards) -> Cards:
    return tuple(sorted(cards, key=lambda card: (card.rank, card.place)))


def _duties(state: Position, chance: random.Random) -> Sequence[Move]:
    """Return placements and moves worth a thought, or the end of the turn."""
    if state.phase == FREE:
        return (End(),)
    walks = _walks(state, chance) if state.phase == ACT else []
    return [*walks, *_placements(state, chance)]


def _placements(state: Position, chance: random.Random) -> list[Move]:
    """Return placements beside pieces of others, and anywhere."""
    left = [size for size, count in zip(SIZES, state.stock[state.turn], strict=True) if count]
    others = [square for piece, square in state.squares.items() if piece.seat != state.turn]
    near = chain.from_iterable(sorted(components.near(square)) for square in others)
    beside = [square for square in dict.fromkeys(near) if square in state.board]
    sites: list[Square] = chance.sample(beside, min(SITES // 2, len(beside)))
    sites += chance.sample(state.board.squares, SITES // 2)
    return [Place(chance.choice(left), square) for square in dict.fromkeys(sites)] if left else []


def _walks(state: Position, chance: random.Random) -> list[Move]:
    """Return moves of pieces, those least likely to lead off the board first."""
    found = [move for move in Moving().moves(state) if isinstance(move, Go)]
    chance.shuffle(found)
    found.sort(key=lambda move: _risk(state, move))
    return list(found[:WALKS])


def _risk(state: Position, move: Go) -> float:
    """Return about how likely a move leads off the board, with all that stand on its piece."""
    line = state.board.line(state.squares[move.piece], move.direction)
    most = sum(sides(state, move))
    if any(square in state.stacks for square in line):
        return 0.0
    return max(0, most - len(line)) / most * (1 + len(state.carried(move.piece)))


def _middle(state: Position, seat: Seat) -> components.Card:
    cards = _by_rank(components.red(state.hands[seat]))
    return cards[len(cards) // 2]


def _worth(state: Position, seat: Seat) -> float:
    if not state.seats_in[seat]:
        return -6.0
    pieces = len(state.pieces_of(seat)) + sum(state.stock[seat])
    cards = sum(card.rank for card in state.hands[seat]) / len(components.RANKS)
    return PIECE * pieces + TROPHY * len(state.trophies[seat]) + CARD * cards


# --- What is not seen -------------------------------------------------------------------------


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
