"""Heuristics for Simple Life or Death, and the cards that bots imagine for hidden ones.

A view shows the current discards. The log shows more: after the discards have become the draw pile,
cards that weren't among them are in hands. A player who loses a piece for lack of an answer holds
only black cards, until new ones are drawn.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import exp
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from games.kernel.contract import Event, Observation, Seat
from games.kernel.heuristics import Heuristics
from games.titles.simple_life_or_death import components, events
from games.titles.simple_life_or_death.assumptions import face_down, hidden, unseen_cards
from games.titles.simple_life_or_death.components import (
    OFF,
    SIZES,
    Card,
    Cards,
    Square,
)
from games.titles.simple_life_or_death.moves import Attack, Defend, End, Go, Land, Move, Place
from games.titles.simple_life_or_death.phases.act import Moving, sides
from games.titles.simple_life_or_death.state import ACT, DEFEND, FREE, LAND, State, load

PIECE = 1.0
TROPHY = 0.15
CARD = 0.35
"""The values of a piece on the board or in stock, of a trophy, and of the best card of a hand."""

SCALE = 2.0
"""An advantage of this size makes a win about three times as likely as a loss."""

SITES = 8
"""Squares beside other pieces considered for a new piece, and twice the number of others."""

BOLD = 3
"""Number of placements and moves considered before all others."""

WALKS = 16
LOOKED_AT = 48
"""Keep the WALKS safest of LOOKED_AT moves."""

SLIPS = (0.8, 0.5, 0.2, 0.0)
"""How often each level makes any legal move. Different numbers of simulations alone don't make
noticeable levels: to attack with the highest card whenever possible wins half of all matches
against three hundred of them.
"""

USUAL_SEATS = 2
"""The number of players for which ``simulations`` are meant."""

MAX_DEALS = 50
"""Maximum number of deals tried. Then one is used that contradicts the log, but not the view."""


class Knowledge(Heuristics[State, Move]):
    """Playouts of a few moves, without moves that lead off the board for nothing."""

    simulations = (8, 20, 60, 300)
    overlooked = (0.0,) * len(SLIPS)
    exploration = 0.35
    horizon = 10
    width = 40
    narrow = 2
    widening = 0.7

    def candidates(self, state: State, seat: Seat, chance: random.Random) -> Sequence[Move]:
        """Return attacks and answers with the highest card first, then the most promising moves."""
        if state.phase == DEFEND:
            return _answers(state, seat)
        if state.phase == LAND:
            return list(self.title.moves(state, seat))
        attacks = list(_attacks(state))
        moves = [*attacks[: self.width // 2], *_duties(state)]
        return moves[: self.width]

    def choose(self, state: State, seat: Seat, level: int, chance: random.Random) -> Move | None:
        """Return any legal move if a weak player errs, except those that may leave the board."""
        if chance.random() >= SLIPS[level]:
            return None
        legal: list[Move] = list(self.title.moves(state, seat))
        return chance.choice([move for move in legal if _stays(state, move)] or legal)

    def effort(self, state: State, level: int) -> int:
        """Return fewer simulations for more players, since there are more pieces to evaluate."""
        return max(2, self.simulations[level] * USUAL_SEATS // len(state.seats))

    def playout_move(self, state: State, seat: Seat, chance: random.Random) -> Move:
        """Return an attack or an answer with the highest card, otherwise a duty."""
        if state.phase == DEFEND:
            return _answers(state, seat)[0]
        if state.phase == LAND:
            ends = [end for end in state.landing.ends if end != OFF] if state.landing else []
            return Land(chance.choice(ends))
        if attack := next(_attacks(state), None):
            return attack
        return chance.choice(_duties(state)[:BOLD])

    def evaluate(self, state: State, seats: int) -> Sequence[float]:
        """Return each seat's chance to be the last."""
        worth = [exp(_worth(state, seat) / SCALE) for seat in state.seats]
        return [one / sum(worth) for one in worth]


def _attacks(state: State) -> Iterator[Attack]:
    """Yield every attack with the highest card, then every one with the lowest."""
    weapons = _by_rank(components.black(state.hands[state.turn])) if state.has_cards else (None,)
    pieces = state.pieces_of(state.turn) if weapons else []
    pairs = [(piece, target) for piece in pieces for target in state.targets(piece)]
    for card in dict.fromkeys((*weapons[-1:], *weapons[:1])):
        for piece, target in pairs:
            yield Attack(piece, target, card)


def _answers(state: State, seat: Seat) -> Sequence[Defend]:
    """Return all answers to an attack, that with the highest card first."""
    return [Defend(card) for card in _by_rank(components.red(state.hands[seat]))[::-1]]


def _by_rank(cards: Cards) -> Cards:
    return tuple(sorted(cards, key=lambda card: (card.rank, card.place)))


def _duties(state: State) -> Sequence[Move]:
    """Return the moves and placements to consider, or the end of the turn.

    Always the same in a position, since each simulation asks again, and earlier trials count.
    """
    if state.phase == FREE:
        return (End(),)
    walks = _walks(state) if state.phase == ACT else []
    beside, anywhere = _placements(state)
    return [*walks[:BOLD], *beside[:BOLD], *walks[BOLD:], *beside[BOLD:], *anywhere]


def _placements(state: State) -> tuple[list[Place], list[Place]]:
    """Return placements beside other seats' pieces, beside most of them first, and anywhere."""
    left = [size for size, count in zip(SIZES, state.stock[state.turn], strict=True) if count]
    others = [square for piece, square in state.squares.items() if piece.seat != state.turn]
    near = Counter(chain.from_iterable(sorted(components.near(square)) for square in others))
    beside = [square for square in near if square in state.board]
    chance = _choice(len(state.squares))
    chance.shuffle(beside)
    beside.sort(key=lambda square: -near[square])
    sites: Sequence[Sequence[Square]] = (
        beside[:SITES],
        chance.sample(state.board.squares, SITES // 2),
    )
    first, last = (
        [Place(chance.choice(left), square) for square in squares] if left else []
        for squares in sites
    )
    return first, last


def _walks(state: State) -> list[Move]:
    """Return moves of pieces, those least likely to lead off the board first."""
    moves = [move for move in Moving().moves(state) if isinstance(move, Go)]
    sample = _choice(len(moves)).sample(moves, min(len(moves), LOOKED_AT))
    sample.sort(key=lambda move: _risk(state, move))
    return list(sample[:WALKS])


def _choice(number: int) -> random.Random:
    """Return a random choice that is the same for the same number."""
    return random.Random(number)  # noqa: S311 - no dice


def _risk(state: State, move: Go) -> float:
    """Return the approximate chance that a move leads off the board, times the affected pieces."""
    line = state.board.line(state.squares[move.piece], move.direction)
    most = sum(sides(state, move))
    if any(square in state.stacks for square in line):
        return 0.0
    return max(0, most - len(line)) / most * (1 + len(state.carried(move.piece)))


def _stays(state: State, move: Move) -> bool:
    """Whether a move can't lead off the board."""
    if isinstance(move, Land):
        return move.end != OFF
    return not isinstance(move, Go) or _risk(state, move) == 0


def _worth(state: State, seat: Seat) -> float:
    if not state.seats_in[seat]:
        return -6.0
    pieces = len(state.pieces_of(seat)) + sum(state.stock[seat])
    cards = sum(card.rank for card in state.hands[seat]) / len(components.RANKS)
    return PIECE * pieces + TROPHY * len(state.trophies[seat]) + CARD * cards


# --- What is not seen -------------------------------------------------------------------------


class Memory(Struct):
    """What the log reveals about cards.

    ``discards`` are those laid open since the draw pile was last refilled. ``refill`` is the
    refilled draw pile, ``None`` if there was none or it isn't known. ``fresh`` counts for each seat
    that once had no red card the cards drawn since, minus the red ones that it has used.
    """

    discards: Counter[str]
    refill: Counter[str] | None
    fresh: dict[Seat, int]

    @classmethod
    def of(cls, log: Iterable[Event]) -> "Memory":
        """Return what a log reveals."""
        memory = cls(Counter(), None, {})
        for event in log:
            memory.note(event)
        return memory

    def note(self, event: Event) -> None:
        match event:
            case events.Fought():
                self._note_fight(event)
            case events.Voided(card=card):
                self.discards[card] += 1
            case events.WentOut(cards=cards) | events.Left(cards=cards):
                self.discards.update(cards)
            case events.Refilled(cards=count):
                self.refill = self.discards if self.discards.total() == count else None
                self.discards = Counter()
            case events.Drew(seat=seat) if seat in self.fresh:
                self.fresh[seat] += 1

    def blacks(self, state: State, seat: Seat) -> int:
        """Return how many cards of a hand are certainly black."""
        hand = len(state.hands[seat])
        return max(0, hand - self.fresh.get(seat, hand))

    def _note_fight(self, event: events.Fought) -> None:
        defender = event.target.seat
        cards = [card for card in (event.attack, event.defence) if isinstance(card, str)]
        self.discards.update(cards)
        if cards and event.defence is None:
            self.fresh[defender] = 0
        elif cards and defender in self.fresh:
            self.fresh[defender] -= 1


def determinize(seen: Observation, log: Iterable[Event], chance: random.Random) -> Iterator[State]:
    """Yield positions with plausible cards in place of the hidden ones.

    ``log`` are the events of the observation. An attack is made with a black card, and the player
    who answers it holds a red one.
    """
    state = load(seen.view, seen.seats, seen.params)
    memory = Memory.of(log)
    unseen = unseen_cards(state)
    while True:
        yield _deal(state, unseen, memory, chance) if unseen else state


def _deal(state: State, unseen: Sequence[Card], memory: Memory, chance: random.Random) -> State:
    """Deal the hidden cards, if need be ignoring the log."""
    dealt = None
    left = MAX_DEALS
    while dealt is None:
        stock = Stock(chance.sample(unseen, len(unseen)))
        dealt = _dealt(state, stock, memory if left > 0 else Memory.of(()))
        left -= 1
    return dealt


class Stock:
    """Cards in a random order, from which fitting ones are taken."""

    def __init__(self, cards: list[Card]) -> None:
        self._cards = cards
        self.is_short = False

    @property
    def blacks(self) -> int:
        """The number of remaining black cards."""
        return sum(card.is_black for card in self._cards)

    def fill(self, pile: Cards, fits: Callable[[Card], bool], most: int | None = None) -> Cards:
        """Fill ``most`` of a pile's hidden places with fitting cards."""
        places = hidden(pile)[:most]
        taken: list[Card] = []
        left: list[Card] = []
        for card in self._cards:
            (taken if len(taken) < len(places) and fits(card) else left).append(card)
        self._cards = left
        filled = list(pile)
        self.is_short |= len(taken) < len(places)
        for place, card in zip(places, taken, strict=False):
            filled[place] = card
        return tuple(filled)


def _dealt(state: State, stock: Stock, memory: Memory) -> State | None:
    """Return a position with the cards dealt. ``None`` if they don't fit.

    Cards with the fewest possible places are dealt first: the draw pile, then black cards.
    """
    blacks = [memory.blacks(state, seat) for seat in state.seats]
    kept = len(hidden(face_down(state))) + sum(
        len(hidden(hand)[:most]) for hand, most in zip(state.hands, blacks, strict=True)
    )
    draw = stock.fill(state.draw, _drawn_later(memory, stock.blacks - kept))
    attack_card = stock.fill(face_down(state), attrgetter("is_black"))
    hands = [
        stock.fill(hand, attrgetter("is_black"), most)
        for hand, most in zip(state.hands, blacks, strict=True)
    ]
    filled = [components.in_order(stock.fill(hand, lambda _: True)) for hand in hands]
    if stock.is_short:
        return None
    if attack := state.attack:
        if not components.red(filled[attack.target.seat]):
            return None
        state = replace(state, pending=replace(attack, card=attack_card[0]))
    return replace(state, hands=tuple(filled), draw=components.in_order(draw))


def _drawn_later(memory: Memory, blacks: int) -> Callable[[Card], bool]:
    """Return a predicate for cards in the draw pile: they were in it when it was refilled.

    At most ``blacks`` of the black ones fit, since the others are known to be elsewhere.
    """
    left = None if memory.refill is None else Counter(memory.refill)
    black = 0

    def may_be(card: Card) -> bool:
        nonlocal black
        is_gone = left is not None and not left[str(card)]
        if is_gone or (card.is_black and black >= blacks):
            return False
        if left is not None:
            left[str(card)] -= 1
        black += card.is_black
        return True

    return may_be
