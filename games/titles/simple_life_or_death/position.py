"""Positions as typed structs, what can be read off them, and what a seat may see of them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain, combinations
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from games.kernel.contract import Params, Ranks, Seat
from games.kernel.decoding import check_params, check_result, decode
from games.kernel.errors import BrokenPosition
from games.kernel.ranking import WON_BY, rank
from games.kernel.views import Json, View
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import (
    Board,
    Card,
    Cards,
    Direction,
    Piece,
    Square,
)
from games.titles.simple_life_or_death.meta import CARDS, CLOCKWISE

Phase: TypeAlias = Literal["place", "act", "free", "land", "defend", "over"]
PLACE: Phase = "place"
ACT: Phase = "act"
FREE: Phase = "free"
LAND: Phase = "land"
DEFEND: Phase = "defend"
OVER: Phase = "over"
"""The phases: the first duty open, the second open, both done, a landing to choose, an attack to
answer, the match ended."""

TWO = 2
MAX_ROUND = 10**6
"""More rounds than any match has."""

Left: TypeAlias = Annotated[int, Meta(ge=0, le=components.EACH)]
Stock: TypeAlias = tuple[Left, Left, Left]
"""Small, medium and large pieces that are not on the board yet."""

FULL_STOCK: Stock = (components.EACH, components.EACH, components.EACH)
NO_STOCK: Stock = (0, 0, 0)

Stack: TypeAlias = tuple[Piece, ...]
"""The pieces on a square, from the bottom; never none."""

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
    ends: tuple[EndName, ...]


class PendingAttack(Struct, frozen=True, tag_field="kind", tag=DEFEND):
    """An attack that waits for its answer; ``then`` is the phase to return to."""

    attacker: Piece
    target: Piece
    card: Card
    then: Phase


class Position(View, frozen=True, dict=True, rename={"stacks": "board", "seats_in": "in"}):
    """A position, as it is written and as it is played.

    ``seats_in`` says who has a piece left, on the board or in stock; ``attacked`` holds the pairs
    of this turn's attacks, sorted; ``first`` is the seat that began; ``result`` has a rank for
    each seat, or is ``None`` while the match runs.
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
    hands: tuple[Cards, ...]
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
    result: tuple[Rank, ...] | None = None

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self.width, self.height)

    @property
    def has_cards(self) -> bool:
        """Whether cards decide attacks, and not dice."""
        return self.combat == CARDS

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(map(Seat, range(len(self.stock))))

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that have a piece left."""
        return tuple(seat for seat in self.seats if self.seats_in[seat])

    @property
    def eliminated(self) -> tuple[Seat, ...]:
        """The seats that have none."""
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
    def actor(self) -> Seat:
        """The seat to move, or that would be if the match had not ended."""
        return self.attack.target.seat if self.attack else self.turn

    @cached_property
    def squares(self) -> Mapping[Piece, Square]:
        """Where every piece on the board stands."""
        return {piece: square for square, stack in self.stacks.items() for piece in stack}

    def next_seat(self, seat: Seat) -> Seat:
        """Return the seat whose turn would follow another's, in or not."""
        return Seat((seat + (1 if self.order == CLOCKWISE else -1)) % len(self.stock))

    def pieces_of(self, seat: Seat) -> list[Piece]:
        """Return the pieces that a seat has on the board, small before large."""
        return [piece for piece in components.PIECES_OF[seat] if piece in self.squares]

    def carried(self, piece: Piece) -> Stack:
        """Return the pieces that stand on a piece, lowest first."""
        stack = self.stacks[self.squares[piece]]
        return stack[stack.index(piece) + 1 :]

    def targets(self, piece: Piece) -> list[Piece]:
        """Return the opposing pieces in reach of a piece that it has not attacked this turn."""
        around, seat = components.near(self.squares[piece]), piece.seat
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


class SeatView(Position, frozen=True):
    """A position as one seat or a spectator may see it; squares in order of their columns."""


# --- Encoding and decoding --------------------------------------------------------------------


def open_view(state: Position) -> SeatView:
    """Return a position with all cards face up."""
    stacks = {
        square: state.stacks[square]
        for square in sorted(state.stacks, key=components.PLACES.__getitem__)
    }
    return SeatView(**(asdict(state) | {"stacks": stacks}))


def view(state: Position, viewer: Seat | None) -> SeatView:
    """Return a position with every card hidden that a seat, or a spectator, may not see."""
    shown, attack = open_view(state), state.attack
    if state.result is not None:
        return shown
    hands = [hand if seat == viewer else _hidden(hand) for seat, hand in enumerate(state.hands)]
    if attack and attack.attacker.seat != viewer:
        shown = replace(shown, pending=replace(attack, card=components.HIDDEN_CARD))
    return replace(shown, hands=tuple(hands), draw=_hidden(state.draw))


def load(data: Json, seats: int, params: Params) -> Position:
    """Return the position that JSON describes.

    :raises BrokenPosition: it has not the shape of a position of these seats and parameters.
    """
    state = decode(Position, data)
    check_params(TERMS, state, params)
    each = (state.stock, state.trophies, state.hands, state.seats_in, state.result or state.stock)
    if any(len(values) != seats for values in each):
        raise BrokenPosition(f"A position of this match has a value for each of {seats} seats.")
    if max(state.first, state.turn, *state.dropped) >= seats:
        raise BrokenPosition(f"The seats of this match are 0 to {seats - 1}.")
    return state


def _hidden(cards: Cards) -> Cards:
    return (components.HIDDEN_CARD,) * len(cards)


def rank_all(state: Position) -> Ranks:
    """Return the ranks by trophies of all who did not drop out; those who did come after."""
    return rank_last(state, tuple(seat for seat in state.seats if seat not in state.dropped))


def rank_last(state: Position, last: tuple[Seat, ...]) -> Ranks:
    """Return the ranks when the last seats are ranked by trophies, and the rest lost before.

    Behind them come those that went out, then those that dropped out.
    """
    return rank(list(map(len, state.trophies)), last, state.dropped)


# --- Validation -------------------------------------------------------------------------------


def validate(state: Position) -> None:
    """Check what holds in every position that a match can come to.

    :raises BrokenPosition: no match can have come to it.
    """
    for is_so, reason in chain(
        _pieces(state), _seats(state), _cards(state), _turn(state), _ending(state)
    ):
        if not is_so:
            raise BrokenPosition(reason)


Findings: TypeAlias = Iterator[tuple[bool, str]]
"""What has to hold in a position, each with the reason to refuse it otherwise."""


def _pieces(state: Position) -> Findings:
    """Yield what holds of the board, the stocks and the trophies."""
    for square, stack in state.stacks.items():
        yield square in state.board, f"{square} is not on the board."
        yield bool(stack), f"No stack is left without pieces, as on {square}."
    counts = Counter(chain(*state.stacks.values(), *state.trophies))
    for piece, count in counts.items():
        yield count == 1, f"{piece} is there twice."
        yield piece.seat < len(state.stock), f"{piece} is of no seat of this match."
        placed = components.EACH - state.stock[piece.seat][components.SIZES.index(piece.size)]
        yield piece.number <= placed, f"{piece} is still in stock."
    for seat, taken in enumerate(state.trophies):
        for piece in taken:
            yield piece.seat != seat, f"Nobody captures an own piece such as {piece}."


def _seats(state: Position) -> Findings:
    """Yield what holds of who is in, out, and has dropped out."""
    for seat, name in enumerate(map(components.name_of, state.seats)):
        has_piece = bool(state.pieces_of(Seat(seat)) or any(state.stock[seat]))
        is_in = state.seats_in[seat]
        yield is_in == has_piece, f"{name} is in as long as it has a piece, and no longer."
        yield is_in or not state.hands[seat], f"{name} is out and has cards."
    dropped = set(state.dropped)
    yield len(dropped) == len(state.dropped), "A seat drops out once."
    may_be_out = len(state.seats) > TWO and not dropped & set(state.still_in)
    yield not dropped or may_be_out, "A seat that has dropped out cannot be in."


def _cards(state: Position) -> Findings:
    """Yield what holds of the cards: they are those of the packs, wherever they are."""
    piles = (*state.hands, state.draw)
    ordered = all(pile == components.in_order(pile) for pile in piles)
    yield ordered, "Hands and the draw pile are in the order of a pack."
    few = all(len(hand) <= components.HAND for hand in state.hands)
    yield few, f"Nobody holds more than {components.HAND} cards."
    face_down = (state.attack.card,) if state.attack else ()
    found = Counter(chain(*piles, state.discard, face_down))
    wanted = Counter(components.packs(len(state.seats)) if state.has_cards else ())
    for card in components.in_order(found | wanted):
        count = wanted[card]
        yield found[card] == count, f"{card} is there {found[card]} times, not {count}."


def _turn(state: Position) -> Findings:
    """Yield what holds of the turn, and of what it waits for while the match runs."""
    pairs = state.attacked
    yield list(pairs) == sorted(set(pairs)), "attacked is sorted, each pair once."
    for own, other in pairs:
        is_possible = own.seat == state.turn != other.seat and state.phase != OVER
        is_possible = is_possible and {own, other} <= state.squares.keys()
        yield is_possible, f"{own} cannot have attacked {other} this turn."
    if state.result is not None:
        return
    yield len(state.still_in) >= TWO, "A match runs as long as two seats are in, and no longer."
    yield (
        state.seats_in[state.turn],
        f"It cannot be the turn of {components.name_of(state.turn)}, who is out.",
    )
    kinds = {LAND: PendingLanding, DEFEND: PendingAttack}
    is_due = isinstance(state.pending, kinds.get(state.phase, type(None)))
    yield is_due, f"In phase {state.phase} something else is pending."
    if state.attack:
        yield from _attack(state, state.attack)
    elif state.landing:
        yield from _landing(state, state.landing)
    else:
        yield from _duty(state, state.phase)
    is_idle = state.phase == FREE and not state.has_targets
    yield not is_idle, "A turn with nothing left to do has ended by itself."


def _duty(state: Position, phase: Phase) -> Findings:
    can_place = any(state.stock[state.turn])
    yield phase != PLACE or can_place, "Nobody places a piece without having one in stock."
    can_act = bool(state.pieces_of(state.turn))
    yield phase != ACT or can_act, "Whoever has no piece on the board places one first."


def _attack(state: Position, attack: PendingAttack) -> Findings:
    own, other = attack.attacker, attack.target
    is_declared = (own, other) in state.attacked
    yield is_declared, "An attack that is pending is also among those of the turn."
    is_near = state.squares[other] in components.near(state.squares[own])
    yield is_near, f"{other} is out of the reach of {own}."
    is_answerable = attack.card.is_black and bool(components.red(state.hands[other.seat]))
    yield is_answerable, "A black card waits for a defender who holds a red one."
    yield attack.then in (PLACE, ACT, FREE), f"No attack returns to phase {attack.then}."
    yield from _duty(state, attack.then)


def _landing(state: Position, landing: PendingLanding) -> Findings:
    """Yield that the ends lie on one line, in its order, on the board but for the last."""
    piece, ends = landing.piece, landing.ends
    is_moving = piece.seat == state.turn and piece in state.squares
    yield is_moving, f"{piece} is not moving."
    start = state.squares[piece]
    lines = [(*state.board.line(start, way), components.OFF) for way in Direction]
    is_line = any(ends == tuple(end for end in line if end in ends) for line in lines)
    names = ", ".join(ends) or "nothing"
    yield len(ends) >= TWO and is_line, f"{piece} cannot have a choice between {names}."


def _ending(state: Position) -> Findings:
    """Yield what holds of the result, and of a match that is over."""
    is_over = state.result is not None
    is_agreed = (state.phase == OVER) == is_over
    yield is_agreed, "A match has a result when it is over, and only then."
    in_time = not state.rounds or state.round <= state.rounds
    yield in_time, f"Round {state.round} of {state.rounds} is never played."
    if is_over:
        yield state.pending is None, "Nothing is pending after the end."
        check_result(state.result, None, _possible_ranks(state))


def _possible_ranks(state: Position) -> Iterator[Ranks]:
    """Yield the results with which a match can have ended in a position."""
    left = state.still_in
    if len(left) == 1:
        yield rank_last(state, left)
    elif left:
        yield rank_all(state)
        if len(state.seats) == TWO:
            yield from WON_BY
    else:
        out = [seat for seat in state.seats if seat not in state.dropped]
        for count in range(TWO, len(out) + 1):
            for last in combinations(out, count):
                yield rank_last(state, last)
