"""Positions: the table as it stands, as JSON, and as a seat may see it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from games.kernel.contract import Params, Position, Ranks, Seat
from games.kernel.views import DictView, Json, View
from games.titles.simple_life_or_death import pieces
from games.titles.simple_life_or_death.deck import Card, Cards
from games.titles.simple_life_or_death.meta import CARDS, CLOCKWISE, POLYHEDRAL, SIDES
from games.titles.simple_life_or_death.moves import OFF
from games.titles.simple_life_or_death.pieces import EACH, SIZES, Piece, Size, Stacks
from games.titles.simple_life_or_death.squares import Board, Square

PLACE, ACT, FREE, LAND, DEFEND, OVER = "place", "act", "free", "land", "defend", "over"
"""The phases: the first duty open, the second open, both done, a landing to choose, an attack to
answer, the match ended."""

HIDDEN = "??"
"""What stands for a hidden card in a view."""

Stock: TypeAlias = tuple[int, int, int]
"""Small, medium and large pieces that are not on the board yet."""

FULL_STOCK: Stock = (EACH, EACH, EACH)
NO_STOCK: Stock = (0, 0, 0)

DICE: Mapping[Size, tuple[int, ...]] = {
    Size.SMALL: (4, 6),
    Size.MEDIUM: (8, 10),
    Size.LARGE: (12, 20),
}
"""The polyhedral dice between which a piece chooses, by its size."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed for a match."""

    board: Board
    order: str
    combat: str
    movement: str
    rounds: int

    @classmethod
    def of(cls, params: Params) -> "Terms":
        """Return the terms by the parameters of a match."""
        board = Board(params["width"], params["height"])
        return cls(board, params["order"], params["combat"], params["movement"], params["rounds"])

    @property
    def has_cards(self) -> bool:
        """Whether cards decide attacks, and not dice."""
        return self.combat == CARDS

    @property
    def step(self) -> int:
        """How far on the next seat is: one up, or one down."""
        return 1 if self.order == CLOCKWISE else -1

    def dice(self, size: Size) -> tuple[int | None, ...]:
        """Return the dice between which a piece chooses; ``None`` alone where it has no choice."""
        return DICE[size] if self.movement == POLYHEDRAL else (None,)

    def rolls(self, size: Size, die: int | None) -> tuple[int, ...]:
        """Return the sides of each die that is rolled for a piece."""
        if die is not None:
            return (die,)
        return (SIDES[self.movement],) * (SIZES.index(size) + 1)


@dataclass(frozen=True, slots=True)
class Landing:
    """A piece that may stop at one of several ends of its way, in the order of the way."""

    piece: Piece
    ends: tuple[Square | None, ...]


@dataclass(frozen=True, slots=True)
class Duel:
    """An attack that waits for its answer; ``then`` is the phase to return to."""

    attacker: Piece
    target: Piece
    card: Card
    then: str


Pending: TypeAlias = Landing | Duel | None
Pair: TypeAlias = tuple[Piece, Piece]


@dataclass(frozen=True)
class State:
    """A position.

    ``seats_in`` says who has a piece left, on the board or in stock; ``attacked`` holds the
    pairs of this turn's attacks, attacker first; ``first`` is the seat that began.
    """

    terms: Terms
    stock: tuple[Stock, ...]
    stacks: Stacks
    trophies: tuple[tuple[Piece, ...], ...]
    hands: tuple[Cards, ...]
    draw: Cards
    discard: Cards
    seats_in: tuple[bool, ...]
    dropped: tuple[Seat, ...]
    first: Seat
    turn: Seat
    round: int
    phase: str
    attacked: frozenset[Pair] = frozenset()
    pending: Pending = None
    ranks: Ranks | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(map(Seat, range(len(self.stock))))

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that have a piece left."""
        return tuple(seat for seat in self.seats if self.seats_in[seat])

    @property
    def out(self) -> tuple[Seat, ...]:
        """The seats that have none."""
        return tuple(seat for seat in self.seats if not self.seats_in[seat])

    @property
    def actor(self) -> Seat:
        """The seat to move, or that would be if the match had not ended."""
        return self.pending.target.seat if isinstance(self.pending, Duel) else self.turn

    @cached_property
    def squares(self) -> Mapping[Piece, Square]:
        """Where every piece on the board stands."""
        return dict(pieces.each(self.stacks))

    def pieces_of(self, seat: Seat) -> tuple[Piece, ...]:
        """Return the pieces that a seat has on the board, small before large."""
        own = (piece for piece in self.squares if piece.seat == seat)
        return tuple(sorted(own, key=lambda piece: (SIZES.index(piece.size), piece.number)))

    def carried(self, piece: Piece) -> tuple[Piece, ...]:
        """Return the pieces that stand on a piece, lowest first."""
        stack = self.stacks[self.squares[piece]]
        return stack[stack.index(piece) + 1 :]

    def open_targets(self, piece: Piece) -> Iterator[Piece]:
        """Yield the opposing pieces in a piece's reach that it has not attacked this turn."""
        at = self.squares[piece]
        for square, stack in self.stacks.items():
            if square.is_beside(at):
                for other in stack:
                    if other.seat != piece.seat and (piece, other) not in self.attacked:
                        yield other

    @property
    def has_open_targets(self) -> bool:
        """Whether the turn's seat has an attack left, whatever cards it holds."""
        own = (piece for piece in self.squares if piece.seat == self.turn)
        return any(next(self.open_targets(piece), None) for piece in own)


def dump(state: State) -> Position:
    """Return a position as JSON."""
    terms = state.terms
    return {
        "width": terms.board.width,
        "height": terms.board.height,
        "order": terms.order,
        "combat": terms.combat,
        "movement": terms.movement,
        "rounds": terms.rounds,
        "stock": [list(stock) for stock in state.stock],
        "board": {str(at): list(map(str, state.stacks[at])) for at in sorted(state.stacks)},
        "trophies": [list(map(str, taken)) for taken in state.trophies],
        "hands": [list(map(str, hand)) for hand in state.hands],
        "draw": list(map(str, state.draw)),
        "discard": list(map(str, state.discard)),
        "in": list(state.seats_in),
        "dropped": list(state.dropped),
        "first": state.first,
        "turn": state.turn,
        "round": state.round,
        "phase": state.phase,
        "attacked": sorted([str(own), str(other)] for own, other in state.attacked),
        "pending": _dump_pending(state.pending),
        "result": list(state.ranks) if state.ranks else None,
    }


def view(state: State, viewer: Seat | None) -> View:
    """Return a position with every card hidden that a seat, or a spectator, may not see."""
    position = dump(state)
    if state.ranks is None:
        position["draw"] = _faces_down(position["draw"])
        position["hands"] = [
            hand if seat == viewer else _faces_down(hand)
            for seat, hand in enumerate(position["hands"])
        ]
        if isinstance(state.pending, Duel) and state.pending.attacker.seat != viewer:
            position["pending"]["card"] = HIDDEN
    return DictView(position)


def _faces_down(cards: list[str]) -> list[str]:
    return [HIDDEN] * len(cards)


def _dump_pending(pending: Pending) -> Json:
    if pending is None:
        return None
    if isinstance(pending, Landing):
        ends = [str(end or OFF) for end in pending.ends]
        return {"kind": LAND, "piece": str(pending.piece), "ends": ends}
    return {
        "kind": DEFEND,
        "attacker": str(pending.attacker),
        "target": str(pending.target),
        "card": str(pending.card),
        "then": pending.then,
    }
