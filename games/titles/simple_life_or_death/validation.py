"""What holds in every position that a match can reach, for positions from outside."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from typing import TypeAlias

from games.kernel.contract import Ranks
from games.kernel.decoding import check_result
from games.kernel.errors import BrokenPosition
from games.kernel.ranking import WON_BY
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import (
    Direction,
)
from games.titles.simple_life_or_death.state import (
    ACT,
    DEFEND,
    FREE,
    LAND,
    OVER,
    PLACE,
    TWO,
    PendingAttack,
    PendingLanding,
    State,
    rank_all,
    rank_last,
)


def validate(state: State) -> None:
    """Check what holds in every position that a match can come to.

    :raises BrokenPosition: no match can have come to it.
    """
    checks = (_pieces, _seats, _cards, _attacked, _ending if state.ranks else _turn)
    for holds, fault in chain.from_iterable(check(state) for check in checks):
        if not holds:
            raise BrokenPosition(fault)


Findings: TypeAlias = Iterator[tuple[bool, str]]
"""What has to hold in a position, each with the fault if it does not."""


def _pieces(state: State) -> Findings:
    """Yield what holds of the rounds, the board, the stocks and the trophies."""
    late = 0 < state.rounds < state.round
    yield not late, f"Round {state.round} of {state.rounds} is never played."
    for square in state.stacks:
        yield square in state.board, f"{square} is not on the board."
    counts = Counter(chain(*state.stacks.values(), *state.trophies))
    for piece, count in counts.items():
        yield count == 1, f"{piece} is there twice."
        yield piece.seat < len(state.stock), f"{piece} is of no seat of this match."
        left = state.stock[piece.seat][components.SIZES.index(piece.size)]
        yield piece.number + left <= components.EACH, f"{piece} is still in stock."
    for seat, taken in enumerate(state.trophies):
        own = [piece for piece in taken if piece.seat == seat]
        yield not own, f"Nobody captures own pieces such as {', '.join(own)}."


def _seats(state: State) -> Findings:
    """Yield what holds of who is in, out, and has dropped out."""
    for seat in state.seats:
        name = components.name_of(seat)
        is_in = state.seats_in[seat]
        has_piece = bool(state.pieces_of(seat) or any(state.stock[seat]))
        yield is_in == has_piece, f"{name} is in as long as it has a piece, and no longer."
        yield is_in or not state.hands[seat], f"{name} is out and has cards."
    dropped = set(state.dropped)
    yield len(dropped) == len(state.dropped), "A seat drops out once."
    yield not dropped & set(state.still_in), "A seat that has dropped out cannot be in."
    yield not dropped or len(state.seats) > TWO, "Of two seats none has dropped out."


def _cards(state: State) -> Findings:
    """Yield what holds of the cards: they are those of the packs, wherever they are."""
    for pile in (*state.hands, state.draw):
        is_ordered = pile == components.in_order(pile)
        yield is_ordered, "Hands and the draw pile are in the order of a pack."
    face_down = (state.attack.card,) if state.attack else ()
    found = Counter(chain(*state.hands, state.draw, state.discard, face_down))
    wanted = Counter(components.packs(len(state.seats)) if state.has_cards else ())
    for card in found | wanted:
        count = wanted[card]
        yield found[card] == count, f"{card} is there {found[card]} times, not {count}."


def _attacked(state: State) -> Findings:
    """Yield what holds of the attacks of this turn."""
    pairs = state.attacked
    on_board = state.squares.keys()
    yield pairs == tuple(sorted(set(pairs))), "attacked is sorted, each pair once."
    yield not (pairs and state.ranks), "Nobody attacks after the end."
    for own, other in pairs:
        is_possible = own.seat == state.turn != other.seat and {own, other} <= on_board
        yield is_possible, f"{own} cannot have attacked {other} this turn."


def _turn(state: State) -> Findings:
    """Yield what holds of the turn, and of what it waits for, while the match runs."""
    phase = state.phase
    landing = state.landing
    attack = state.attack
    mover = state.turn
    yield phase != OVER, "A match that is over has a result."
    yield len(state.still_in) >= TWO, "A match runs as long as two seats are in, and no longer."
    yield state.seats_in[mover], f"Seat {mover} is out: it cannot be its turn."
    is_due = (phase == LAND, phase == DEFEND) == (bool(landing), bool(attack))
    yield is_due, f"In phase {phase} something else is pending."
    if landing:
        yield from _landing(state, landing)
    if attack:
        yield from _attack(state, attack)
    duty = attack.then if attack else phase
    can_place = any(state.stock[mover])
    can_act = bool(state.pieces_of(mover))
    yield duty != PLACE or can_place, "Nobody places a piece without having one in stock."
    yield duty != ACT or can_act, "Whoever has no piece on the board places one first."
    yield phase != FREE or state.has_targets, "A turn with nothing left has ended by itself."


def _attack(state: State, attack: PendingAttack) -> Findings:
    pair = (attack.attacker, attack.target)
    card = attack.card
    yield pair in state.attacked, "A pending attack is also among those of the turn."
    own, other = (state.squares[piece] for piece in pair)
    yield other in components.near(own), f"{pair[1]} is out of the reach of {pair[0]}."
    can_answer = card.is_black and any(held.is_red for held in state.hands[pair[1].seat])
    yield can_answer, "A black card waits for a defender who holds a red one."
    yield attack.then in (PLACE, ACT, FREE), f"No attack returns to phase {attack.then}."


def _landing(state: State, landing: PendingLanding) -> Findings:
    """Yield that the ends lie on one line, in its order, on the board but for the last."""
    piece = landing.piece
    ends = landing.ends
    yield piece in state.pieces_of(state.turn), f"{piece} is not moving."
    start = state.squares[piece]
    lines = [(*state.board.line(start, way), components.OFF) for way in Direction]
    is_line = any(ends == tuple(end for end in line if end in ends) for line in lines)
    yield is_line, f"{piece} cannot have a choice between {', '.join(ends)}."


def _ending(state: State) -> Findings:
    """Yield what holds of a match that is over."""
    yield state.phase == OVER, "A match has a result when it is over, and only then."
    yield state.pending is None, "Nothing is pending after the end."
    check_result(state.ranks, None, _possible_ranks(state))


def _possible_ranks(state: State) -> Iterator[Ranks]:
    """Yield the results with which a match can have ended in a position."""
    left = state.still_in
    if len(left) == 1:
        yield rank_last(state, left)
    elif left:
        yield rank_all(state)
        yield from WON_BY if len(state.seats) == TWO else ()
    else:
        out = [seat for seat in state.seats if seat not in state.dropped]
        for count in range(TWO, len(out) + 1):
            yield from (rank_last(state, last) for last in combinations(out, count))
