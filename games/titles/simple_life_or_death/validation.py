"""Invariants of reachable positions, to check positions from outside."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

from games.kernel.contract import Ranks
from games.kernel.decoding import check_faults, check_result
from games.kernel.language import gettext
from games.kernel.many_players import dropped_faults
from games.kernel.ranking import WON_BY
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import (
    Direction,
)
from games.titles.simple_life_or_death.state import (
    ACT,
    DEFEND,
    DUEL,
    FREE,
    LAND,
    OVER,
    PLACE,
    PendingAttack,
    PendingLanding,
    State,
    rank_all,
    rank_last,
)


def validate(state: State) -> None:
    """:raises BrokenPosition: no match can have reached the state."""
    check_faults(_faults(state))


def _faults(state: State) -> Iterator[str]:
    """Yield impossible facts. Later checks rely on earlier ones."""
    yield from _piece_faults(state)
    yield from _seat_faults(state)
    yield from _card_faults(state)
    yield from _attacked_faults(state)
    yield from _end_faults(state) if state.ranks else _turn_faults(state)


def _piece_faults(state: State) -> Iterator[str]:
    """Yield faults of the rounds, the board, the stocks and the trophies."""
    if 0 < state.rounds < state.round:
        yield gettext("Round {round} of {rounds} is never played.").format(
            round=state.round, rounds=state.rounds
        )
    for square in state.stacks:
        if square not in state.board:
            yield gettext("{square} is not on the board.").format(square=square)
    counts = Counter(chain(*state.stacks.values(), *state.trophies))
    for piece, count in counts.items():
        if count != 1:
            yield gettext("{piece} is there twice.").format(piece=piece)
        if piece.seat >= len(state.stock):
            yield gettext("{piece} is of no seat of this match.").format(piece=piece)
        left = state.stock[piece.seat][components.SIZES.index(piece.size)]
        if piece.number + left > components.PIECES_PER_SIZE:
            yield gettext("{piece} is still in stock.").format(piece=piece)
    for seat, taken in enumerate(state.trophies):
        own = [piece for piece in taken if piece.seat == seat]
        if own:
            yield gettext("Nobody captures own pieces such as {pieces}.").format(
                pieces=", ".join(own)
            )


def _seat_faults(state: State) -> Iterator[str]:
    """Yield faults of the remaining, eliminated and dropped-out seats."""
    for seat in state.seats:
        name = components.name_of(seat)
        is_in = state.seats_in[seat]
        has_piece = bool(state.pieces_of(seat) or any(state.stock[seat]))
        if is_in != has_piece:
            yield gettext("{player} is in as long as it has a piece, and no longer.").format(
                player=name
            )
        if not is_in and state.hands[seat]:
            yield gettext("{player} is out and has cards.").format(player=name)
    yield from dropped_faults(len(state.seats), state.dropped)
    if set(state.dropped) & set(state.still_in):
        yield gettext("A seat that has dropped out cannot be in.")


def _card_faults(state: State) -> Iterator[str]:
    """Yield faults of the cards, which must be those of the packs, wherever they are."""
    for pile in (*state.hands, state.draw):
        if pile != components.in_order(pile):
            yield gettext("Hands and the draw pile are in the order of a pack.")
    face_down = (state.attack.card,) if state.attack else ()
    counts = Counter(chain(*state.hands, state.draw, state.discard, face_down))
    wanted = Counter(components.packs(len(state.seats)) if state.has_cards else ())
    for card in counts | wanted:
        count = wanted[card]
        if counts[card] != count:
            yield gettext("{card} is there {count} times, not {wanted}.").format(
                card=card, count=counts[card], wanted=count
            )


def _attacked_faults(state: State) -> Iterator[str]:
    """Yield faults of the attacks of this turn."""
    pairs = state.attacked
    on_board = state.squares.keys()
    if pairs != tuple(sorted(set(pairs))):
        yield gettext("attacked is sorted, each pair once.")
    if pairs and state.ranks:
        yield gettext("Nobody attacks after the end.")
    for own, other in pairs:
        is_possible = own.seat == state.turn != other.seat and {own, other} <= on_board
        if not is_possible:
            yield gettext("{attacker} cannot have attacked {target} this turn.").format(
                attacker=own, target=other
            )


def _turn_faults(state: State) -> Iterator[str]:
    """Yield faults of the turn, and of its pending decision, while the match runs."""
    phase = state.phase
    landing = state.landing
    attack = state.attack
    mover = state.turn
    if phase == OVER:
        yield gettext("A match that is over has a result.")
    if len(state.still_in) <= 1:
        yield gettext("A match runs as long as two seats are in, and no longer.")
    if not state.seats_in[mover]:
        yield gettext("Seat {seat} is out: it cannot be its turn.").format(seat=mover)
    is_due = (phase == LAND, phase == DEFEND) == (bool(landing), bool(attack))
    if not is_due:
        yield gettext("In phase {phase} something else is pending.").format(phase=phase)
    if landing:
        yield from _landing_faults(state, landing)
    if attack:
        yield from _attack_faults(state, attack)
    duty = attack.then if attack else phase
    can_place = any(state.stock[mover])
    can_act = bool(state.pieces_of(mover))
    if duty == PLACE and not can_place:
        yield gettext("Nobody places a piece without having one in stock.")
    if duty == ACT and not can_act:
        yield gettext("A player without a piece on the board places one first.")
    if phase == FREE and not state.has_targets:
        yield gettext("A turn with nothing left has ended by itself.")


def _attack_faults(state: State, attack: PendingAttack) -> Iterator[str]:
    pair = (attack.attacker, attack.target)
    card = attack.card
    if pair not in state.attacked:
        yield gettext("A pending attack is also among those of the turn.")
    own, other = (state.squares[piece] for piece in pair)
    if other not in components.near(own):
        yield gettext("{target} is out of the reach of {attacker}.").format(
            target=pair[1], attacker=pair[0]
        )
    can_answer = card.is_black and any(held.is_red for held in state.hands[pair[1].seat])
    if not can_answer:
        yield gettext("A black card waits for a defender who holds a red one.")
    if attack.then not in (PLACE, ACT, FREE):
        yield gettext("No attack returns to phase {phase}.").format(phase=attack.then)


def _landing_faults(state: State, landing: PendingLanding) -> Iterator[str]:
    """Yield faults of the ends: they are on one line, in its order, only the last off the board."""
    piece = landing.piece
    ends = landing.ends
    if piece not in state.pieces_of(state.turn):
        yield gettext("{piece} is not moving.").format(piece=piece)
    start = state.squares[piece]
    lines = [(*state.board.line(start, way), components.OFF) for way in Direction]
    is_line = any(ends == tuple(end for end in line if end in ends) for line in lines)
    if not is_line:
        yield gettext("{piece} cannot have a choice between {ends}.").format(
            piece=piece, ends=", ".join(ends)
        )


def _end_faults(state: State) -> Iterator[str]:
    """Yield faults of a match that is over."""
    if state.phase != OVER:
        yield gettext("A match has a result when it is over, and only then.")
    if state.pending is not None:
        yield gettext("Nothing is pending after the end.")
    check_result(state.ranks, None, _possible_ranks(state))


def _possible_ranks(state: State) -> Iterator[Ranks]:
    """Yield the possible results of a match in a position."""
    left = state.still_in
    if len(left) == 1:
        yield rank_last(state, left)
    elif left:
        yield rank_all(state)
        yield from WON_BY if len(state.seats) == DUEL else ()
    else:
        out = [seat for seat in state.seats if seat not in state.dropped]
        for count in range(2, len(out) + 1):
            yield from (rank_last(state, last) for last in combinations(out, count))
