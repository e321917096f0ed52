"""What bots know of Simple Life or Death: pieces are lives, high cards are worth keeping."""

import random
from collections.abc import Iterator, Sequence
from itertools import chain
from math import exp

from games.kernel.contract import Seat
from games.kernel.heuristics import Heuristics
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import OFF, SIZES, Cards, Square
from games.titles.simple_life_or_death.moves import Attack, Defend, End, Go, Land, Move, Place
from games.titles.simple_life_or_death.phases.act import sides
from games.titles.simple_life_or_death.position import ACT, DEFEND, FREE, LAND, Position
from games.titles.simple_life_or_death.rules import PHASES

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

    simulations = (4, 20, 100, 450)
    horizon = 10
    width = 40

    def candidates(self, state: Position, seat: Seat, chance: random.Random) -> Sequence[Move]:
        """Return attacks with the highest card first, then the safest moves or placements."""
        if state.phase in (DEFEND, LAND):
            return list(PHASES[state.phase].moves(state))
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
    return [*walks, *_placements(state, chance)] or list(PHASES[state.phase].moves(state))


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
    found = [move for move in PHASES[ACT].pieces[0].moves(state) if isinstance(move, Go)]
    chance.shuffle(found)
    found.sort(key=lambda move: _risk(state, move))
    return list(found[:WALKS])


def _risk(state: Position, move: Go) -> float:
    """Return about how likely a move leads off the board, with all that stand on its piece."""
    line, most = (
        state.board.line(state.squares[move.piece], move.direction),
        sum(sides(state, move)),
    )
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
