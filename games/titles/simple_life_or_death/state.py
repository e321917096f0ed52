"""Positions as typed structs, derived facts, and seats' views."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from games.kernel.contract import Image, Params, Ranks, Seat
from games.kernel.decoding import check_params, decode
from games.kernel.errors import BrokenPosition
from games.kernel.language import gettext
from games.kernel.ranking import rank
from games.kernel.views import Json, View
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import (
    Board,
    Card,
    Cards,
    Die,
    Piece,
    Square,
)
from games.titles.simple_life_or_death.meta import CARDS, CLOCKWISE, POLYHEDRAL

Phase: TypeAlias = Literal["place", "act", "free", "land", "defend", "over"]
PLACE: Phase = "place"
ACT: Phase = "act"
FREE: Phase = "free"
LAND: Phase = "land"
DEFEND: Phase = "defend"
OVER: Phase = "over"
"""The phases: the first duty open, the second open, both done, a landing to choose, an attack to
answer, the match ended.
"""

DUEL = 2
MAX_ROUND = 10**6
"""More rounds than any match has."""

Left: TypeAlias = Annotated[int, Meta(ge=0, le=components.PIECES_PER_SIZE)]
Stock: TypeAlias = tuple[Left, Left, Left]
"""Small, medium and large pieces that aren't on the board yet."""

FULL_STOCK: Stock = (
    components.PIECES_PER_SIZE,
    components.PIECES_PER_SIZE,
    components.PIECES_PER_SIZE,
)
NO_STOCK: Stock = (0, 0, 0)

Stack: TypeAlias = Annotated[tuple[Piece, ...], Meta(min_length=1)]
"""The pieces on a square, from the bottom. Never empty."""

Pair: TypeAlias = tuple[Piece, Piece]
"""An attacker and its target."""

SquareName: TypeAlias = Annotated[Square, Meta(pattern=r"^a?[a-z][1-9][0-9]?\Z")]
EndName: TypeAlias = Annotated[Square, Meta(pattern=rf"^({components.OFF}|a?[a-z][1-9][0-9]?)\Z")]
Rank: TypeAlias = Annotated[int, Meta(ge=1)]
SeatNumber: TypeAlias = Annotated[Seat, Meta(ge=0)]

TERMS = ("width", "height", "order", "combat", "movement", "rounds")
"""Parameters of the match that its positions repeat."""


class PendingLanding(Struct, frozen=True, tag_field="kind", tag=LAND):
    """A piece that may stop at one of several ends, in the order of its path."""

    piece: Piece
    ends: Annotated[tuple[EndName, ...], Meta(min_length=2)]


class PendingAttack(Struct, frozen=True, tag_field="kind", tag=DEFEND):
    """An attack that waits for its answer. ``then`` is the phase to return to."""

    attacker: Piece
    target: Piece
    card: Card
    then: Phase


class State(
    View, frozen=True, dict=True, rename={"stacks": "board", "seats_in": "in", "ranks": "result"}
):
    """A position, as it is written and as it is played.

    ``seats_in`` says who has a piece left, on the board or in stock. ``attacked`` holds the pairs
    of this turn's attacks, sorted. ``first`` is the seat that began. ``ranks`` has a rank for each
    seat, or is ``None`` while the match runs.
    """

    width: int
    height: int
    order: str
    combat: str
    movement: str
    rounds: int
    stock: tuple[Stock, ...]
    stacks: dict[SquareName, Stack]
    trophies: tuple[tuple[Piece, ...], ...]
    hands: tuple[Annotated[Cards, Meta(max_length=components.HAND)], ...]
    draw: Cards
    discard: Cards
    seats_in: tuple[bool, ...]
    dropped: tuple[SeatNumber, ...]
    first: SeatNumber
    turn: SeatNumber
    round: Annotated[int, Meta(ge=1, le=MAX_ROUND)]
    phase: Phase
    attacked: tuple[Pair, ...] = ()
    pending: PendingLanding | PendingAttack | None = None
    ranks: Annotated[tuple[Rank, ...], Meta(min_length=2)] | None = None

    @property
    def board(self) -> Board:
        return Board(self.width, self.height)

    @property
    def has_cards(self) -> bool:
        """Whether cards rather than dice decide attacks."""
        return self.combat == CARDS

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(map(Seat, range(len(self.stock))))

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that have a piece left."""
        return tuple(seat for seat in self.seats if self.seats_in[seat])

    @property
    def eliminated(self) -> tuple[Seat, ...]:
        """The seats without a piece."""
        return tuple(seat for seat in self.seats if not self.seats_in[seat])

    @property
    def attack(self) -> PendingAttack | None:
        """The attack that waits for its answer."""
        return self.pending if isinstance(self.pending, PendingAttack) else None

    @property
    def landing(self) -> PendingLanding | None:
        """The landing that waits for a choice."""
        return self.pending if isinstance(self.pending, PendingLanding) else None

    @property
    def mover(self) -> Seat:
        """The seat to move, or that would be if the match had not ended."""
        return self.attack.target.seat if self.attack else self.turn

    @cached_property
    def squares(self) -> Mapping[Piece, Square]:
        """The square of every piece on the board."""
        return {piece: square for square, stack in self.stacks.items() for piece in stack}

    @property
    def weapons(self) -> Sequence[Card | None]:
        """The turn's seat's means of attack: black cards, or ``None`` if dice decide."""
        return components.black(self.hands[self.turn]) if self.has_cards else (None,)

    def dice_of(self, piece: Piece) -> tuple[Die | None, ...]:
        """Return the dice between which a piece chooses. Only ``None`` if it has no choice."""
        return components.DICE[piece.size] if self.movement == POLYHEDRAL else (None,)

    def next_seat(self, seat: Seat) -> Seat:
        """Return the seat whose turn would follow another's, eliminated or not."""
        return Seat((seat + (1 if self.order == CLOCKWISE else -1)) % len(self.stock))

    def pieces_of(self, seat: Seat) -> list[Piece]:
        """Return a seat's pieces on the board, small before large."""
        return [piece for piece in components.PIECES_OF[seat] if piece in self.squares]

    def carried(self, piece: Piece) -> Stack:
        """Return the pieces on top of a piece, lowest first."""
        stack = self.stacks[self.squares[piece]]
        return stack[stack.index(piece) + 1 :]

    def targets(self, piece: Piece) -> list[Piece]:
        """Return the opposing pieces in reach of a piece that it hasn't attacked this turn."""
        around = components.near(self.squares[piece])
        seat = piece.seat
        return [
            other
            for square, stack in self.stacks.items()
            if square in around
            for other in stack
            if other.seat != seat and (piece, other) not in self.attacked
        ]

    @property
    def has_targets(self) -> bool:
        """Whether the turn's seat has an attack left, whatever cards it holds."""
        return any(map(self.targets, self.pieces_of(self.turn)))


class SeatView(State, frozen=True):
    """A position as one seat or a spectator may see it, with squares in order of their columns."""


# --- Encoding and decoding --------------------------------------------------------------------


def open_view(state: State) -> SeatView:
    """Return a position with all cards face up."""
    stacks = {
        square: state.stacks[square]
        for square in sorted(state.stacks, key=components.PLACES.__getitem__)
    }
    return SeatView(**(asdict(state) | {"stacks": stacks}))


def view(state: State, viewer: Seat | None) -> SeatView:
    """Return a position with every card hidden that a seat, or a spectator, may not see."""
    seen = open_view(state)
    attack = state.attack
    if state.ranks is not None:
        return seen
    hands = [hand if seat == viewer else _hidden(hand) for seat, hand in enumerate(state.hands)]
    if attack and attack.attacker.seat != viewer:
        seen = replace(seen, pending=replace(attack, card=components.HIDDEN_CARD))
    return replace(seen, hands=tuple(hands), draw=_hidden(state.draw))


def images(view: State) -> Iterator[Image]:
    """Yield a position and its mirror images, without the number of the round."""
    position = view.dump()
    del position["round"]
    for squares, texts in _mirrors(view.board):
        image = position | {
            "board": {squares[square]: stack for square, stack in position["board"].items()}
        }
        if view.landing:
            ends = [squares.get(end, end) for end in view.landing.ends]
            image["pending"] = position["pending"] | {"ends": ends}
        yield Image(image, texts)


def exchanged(view: SeatView) -> Iterator[SeatView]:
    """Yield a position with the pieces and hands of each seat given to another, in order."""
    seats = len(view.stock)
    for step in range(1, seats):
        given = tuple(Seat((seat - step) % seats) for seat in range(seats))
        turned = {
            piece: components.PIECES_OF[to][number]
            for to, seat in enumerate(given)
            for number, piece in enumerate(components.PIECES_OF[seat])
        }
        yield _given(view, given, turned)


def _given(view: SeatView, given: Sequence[Seat], turned: Mapping[Piece, Piece]) -> SeatView:
    """Return a position in which each seat has what another had, and ``turned`` pieces."""
    pending = view.pending
    if isinstance(pending, PendingLanding):
        pending = replace(pending, piece=turned[pending.piece])
    elif pending:
        attacker, target = turned[pending.attacker], turned[pending.target]
        pending = replace(pending, attacker=attacker, target=target)
    return replace(
        view,
        stock=tuple(view.stock[seat] for seat in given),
        stacks={
            square: tuple(turned[piece] for piece in stack) for square, stack in view.stacks.items()
        },
        trophies=tuple(tuple(turned[piece] for piece in view.trophies[seat]) for seat in given),
        hands=tuple(view.hands[seat] for seat in given),
        seats_in=tuple(view.seats_in[seat] for seat in given),
        dropped=tuple(Seat(given.index(seat)) for seat in view.dropped),
        first=Seat(given.index(view.first)),
        turn=Seat(given.index(view.turn)),
        attacked=tuple(sorted((turned[one], turned[other]) for one, other in view.attacked)),
        pending=pending,
    )


@lru_cache(maxsize=16)
def _mirrors(board: Board) -> Sequence[tuple[Mapping[Square, Square], Mapping[str, str]]]:
    """Return for each symmetry the images of all squares, and of what moves say of the board.

    The texts begin with a blank: ``land`` has no direction in it, and in `` ne d10`` the last
    word is a die.
    """
    dice = ["", *(f" {die}" for size in components.DICE.values() for die in size)]
    found = []
    for turned in (False, True) if board.width == board.height else (False,):
        for across, up in product((1, -1), repeat=2):
            mirror = components.Mirror(board, turned, across, up)
            squares = {square: mirror.square(square) for square in board.squares}
            texts = {f" {square}": f" {image}" for square, image in squares.items()}
            for direction in components.Direction:
                image = mirror.direction(direction)
                texts |= {f" {direction}{die}": f" {image}{die}" for die in dice}
            found.append((squares, texts))
    return found


def load(data: Json, seats: int, params: Params) -> State:
    """Load a position from JSON.

    :raises BrokenPosition: it isn't a valid position for these seats and parameters.
    """
    state = decode(State, data)
    check_params(TERMS, state, params)
    each = (state.stock, state.trophies, state.hands, state.seats_in, state.ranks or state.stock)
    if any(len(values) != seats for values in each):
        message = gettext("A position of this match has a value for each of {seats} seats.")
        raise BrokenPosition(message.format(seats=seats))
    if max(state.first, state.turn, *state.dropped) >= seats:
        message = gettext("The seats of this match are 0 to {last}.")
        raise BrokenPosition(message.format(last=seats - 1))
    return state


def _hidden(cards: Cards) -> Cards:
    return (components.HIDDEN_CARD,) * len(cards)


def rank_all(state: State) -> Ranks:
    """Return the ranks by trophies of all who didn't drop out, followed by those who did."""
    return rank_last(state, tuple(seat for seat in state.seats if seat not in state.dropped))


def rank_last(state: State, last: tuple[Seat, ...]) -> Ranks:
    """Rank the last seats by trophies, and the rest as having lost before.

    After them come those that were eliminated, then those that dropped out. Source: the rule sheet,
    "Winning and Losing", and the rulings on its rules page.
    """
    return rank(list(map(len, state.trophies)), last, state.dropped)
