"""What holds in every position that a match can come to."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from games.kernel.contract import Ranks, Seat
from games.kernel.errors import BrokenPosition
from games.titles.simple_life_or_death import deck, turns
from games.titles.simple_life_or_death.deck import Card
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.moves import OFF
from games.titles.simple_life_or_death.pieces import EACH, SIZES, Piece
from games.titles.simple_life_or_death.position import (
    ACT,
    DEFEND,
    FREE,
    LAND,
    OVER,
    PLACE,
    Duel,
    Landing,
    Pair,
    State,
)
from games.titles.simple_life_or_death.squares import Board, Direction, Square

TWO = 2


def check(state: State) -> None:
    """Check a position.

    :raises BrokenPosition: no match can have come to it.
    """
    _check_pieces(state)
    _check_seats(state)
    _check_cards(state)
    for pair in state.attacked:
        _check_pair(state, pair)
    if state.terms.rounds and state.round > state.terms.rounds:
        raise BrokenPosition(f"Round {state.round} of {state.terms.rounds} is never played.")
    if (state.phase == OVER) != (state.ranks is not None):
        raise BrokenPosition("A match has a result when it is over, and only then.")
    if state.ranks is None:
        _check_phase(state)
    else:
        _check_end(state, state.ranks)


# --- Pieces and seats ---------------------------------------------------------------------------


def _check_pieces(state: State) -> None:
    for square, stack in state.stacks.items():
        if square not in state.terms.board:
            raise BrokenPosition(f"{square} is not on the board.")
        if not stack:
            raise BrokenPosition(f"No stack is left without pieces, as on {square}.")
    seen: set[Piece] = set()
    for piece in (*chain(*state.stacks.values()), *chain(*state.trophies)):
        if piece in seen:
            raise BrokenPosition(f"{piece} is there twice.")
        seen.add(piece)
        _check_placed(state, piece)
    for seat, taken in enumerate(state.trophies):
        if own := [piece for piece in taken if piece.seat == seat]:
            raise BrokenPosition(f"Nobody captures an own piece such as {own[0]}.")


def _check_placed(state: State, piece: Piece) -> None:
    """Check that a piece has come out of the stock: the lowest numbers of a size do so first."""
    if piece.seat not in state.seats:
        raise BrokenPosition(f"{piece} is of no seat of this match.")
    placed = EACH - state.stock[piece.seat][SIZES.index(piece.size)]
    if piece.number > placed:
        raise BrokenPosition(f"{piece} is still in stock.")


def _check_seats(state: State) -> None:
    on_board = {piece.seat for piece in state.squares}
    for seat in state.seats:
        if state.seats_in[seat] != (seat in on_board or any(state.stock[seat])):
            raise BrokenPosition(f"{_name(seat)} is in as long as it has a piece, and no longer.")
        if state.hands[seat] and not state.seats_in[seat]:
            raise BrokenPosition(f"{_name(seat)} is out and has cards.")
    if len(set(state.dropped)) != len(state.dropped):
        raise BrokenPosition("A seat drops out once.")
    if any(state.seats_in[seat] for seat in state.dropped) or (
        state.dropped and len(state.seats) == TWO
    ):
        raise BrokenPosition("A seat that has dropped out cannot be in.")


# --- Cards --------------------------------------------------------------------------------------


def _check_cards(state: State) -> None:
    for pile in (*state.hands, state.draw):
        if list(pile) != sorted(pile):
            raise BrokenPosition("Hands and the draw pile are in the order of a pack.")
    if any(len(hand) > deck.HAND for hand in state.hands):
        raise BrokenPosition(f"Nobody holds more than {deck.HAND} cards.")
    found = Counter(chain(*state.hands, state.draw, state.discard, _face_down(state)))
    wanted = Counter(deck.packs(len(state.seats)) if state.terms.has_cards else ())
    for card in sorted(found.keys() | wanted.keys()):
        if found[card] != wanted[card]:
            raise BrokenPosition(f"{card} is there {found[card]} times, not {wanted[card]}.")


def _face_down(state: State) -> list[Card]:
    return [state.pending.card] if isinstance(state.pending, Duel) else []


# --- The turn -----------------------------------------------------------------------------------


def _check_phase(state: State) -> None:
    """Check that a running match waits for what it says."""
    if len(state.still_in) < TWO:
        raise BrokenPosition("A match runs as long as two seats are in, and no longer.")
    if not state.seats_in[state.turn]:
        raise BrokenPosition(f"It cannot be the turn of {_name(state.turn)}, who is out.")
    kinds = {LAND: Landing, DEFEND: Duel}
    if not isinstance(state.pending, kinds.get(state.phase, type(None))):
        raise BrokenPosition(f"In phase {state.phase} something else is pending.")
    if isinstance(state.pending, Landing):
        _check_landing(state, state.pending)
    elif isinstance(state.pending, Duel):
        _check_duel(state, state.pending)
    else:
        _check_duty(state, state.phase)
    if state.phase == FREE and not state.has_open_targets:
        raise BrokenPosition("A turn with nothing left to do has ended by itself.")


def _check_duty(state: State, phase: str) -> None:
    if phase == PLACE and not any(state.stock[state.turn]):
        raise BrokenPosition("Nobody places a piece without having one in stock.")
    if phase == ACT and not state.pieces_of(state.turn):
        raise BrokenPosition("Whoever has no piece on the board places one first.")


def _check_pair(state: State, pair: Pair) -> None:
    attacker, target = pair
    is_possible = attacker.seat == state.turn != target.seat and state.phase != OVER
    if not is_possible or not {attacker, target} <= state.squares.keys():
        raise BrokenPosition(f"{attacker} cannot have attacked {target} this turn.")


def _check_duel(state: State, duel: Duel) -> None:
    pair = (duel.attacker, duel.target)
    if pair not in state.attacked:
        raise BrokenPosition("An attack that is pending is also among those of the turn.")
    at, near = (state.squares[piece] for piece in pair)
    if not at.is_beside(near):
        raise BrokenPosition(f"{duel.target} is out of the reach of {duel.attacker}.")
    if not duel.card.is_black or not deck.red(state.hands[duel.target.seat]):
        raise BrokenPosition("A black card waits for a defender who holds a red one.")
    _check_duty(state, duel.then)


def _check_landing(state: State, landing: Landing) -> None:
    """Check that the ends lie on one line, in its order, on the board but for the last."""
    piece, ends = landing.piece, landing.ends
    if piece.seat != state.turn or piece not in state.squares:
        raise BrokenPosition(f"{piece} is not on its way.")
    lines = [_line(state.terms.board, state.squares[piece], way) for way in Direction]
    if len(ends) < TWO or not any(_is_part(ends, line) for line in lines):
        names = ", ".join(str(end or OFF) for end in ends)
        raise BrokenPosition(f"{piece} cannot have a choice between {names or 'nothing'}.")


def _line(board: Board, start: Square, direction: Direction) -> list[Square | None]:
    return [*board.line(start, direction), None]


def _is_part(ends: Sequence[Square | None], line: Sequence[Square | None]) -> bool:
    on_line = [square for square in line if square in ends]
    return on_line == list(ends)


# --- The end ------------------------------------------------------------------------------------


def _check_end(state: State, ranks: Ranks) -> None:
    if state.pending is not None:
        raise BrokenPosition("Nothing is pending after the end.")
    if ranks not in _possible_ranks(state):
        raise BrokenPosition(f"The result cannot be {list(ranks)} in this position.")


def _possible_ranks(state: State) -> Iterator[Ranks]:
    """Yield the results with which a match can have ended in a position."""
    left = state.still_in
    if len(left) == 1:
        yield turns.rank_last(state, left)
    elif left:
        yield turns.rank_all(state)
        if len(state.seats) == TWO:
            yield from ((1, 2), (2, 1))
    else:
        out = [seat for seat in state.seats if seat not in state.dropped]
        for count in range(TWO, len(out) + 1):
            for last in combinations(out, count):
                yield turns.rank_last(state, last)


def _name(seat: Seat) -> str:
    return META.colours[seat].name
