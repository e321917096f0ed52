"""Invariants of reachable positions, to check positions from outside."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.kernel.contract import Ranks
from games.kernel.decoding import check_faults
from games.kernel.many_players import dropped_faults
from games.kernel.ranking import WON_BY
from games.titles.precary_ice.pieces import LETTERS, PIECES, PIECES_PER_SIZE
from games.titles.precary_ice.state import DUEL, State
from games.titles.precary_ice.tower import (
    BONUS_POINTS,
    FIRST_PIECES,
    MAX_POINTS,
    NEW,
    REMOVED_TOWER,
    Tower,
    reconstructed,
    told_by,
)


def validate(state: State) -> None:
    """Check that a match can have reached a state.

    The places of a tower's pieces aren't checked: physics continues from any.

    :raises BrokenPosition: such a position can't occur. The sentence says why.
    """
    check_faults(_faults(state))


def _faults(state: State) -> Iterator[str]:
    """Yield impossible facts. Later checks rely on earlier ones."""
    yield from _dropped_faults(state)
    yield from _round_faults(state)
    for seat, tower in enumerate(state.towers):
        if seat not in state.dropped:
            yield from _tower_faults(tower)
        elif tower != REMOVED_TOWER:
            yield f"Seat {seat} has dropped out, and its tower is taken away."
    yield from _score_faults(state)
    if state.ranks is None:
        yield from _turn_faults(state)
    elif state.ranks not in _possible_results(state):
        yield f"The result cannot be {list(state.ranks)} with these points."


def _dropped_faults(state: State) -> Iterator[str]:
    dropped = state.dropped
    if state.in_ != tuple(seat not in dropped for seat in state.seats):
        yield f"in does not fit the seats that have dropped out: {list(dropped)}."
    yield from dropped_faults(len(state.towers), dropped)
    if len(state.still_in) == 1 and state.ranks is None:
        yield "The match is over when all but one have dropped out."


def _round_faults(state: State) -> Iterator[str]:
    if state.round > state.last_round:
        yield f"There are {state.last_round} rounds, not {state.round}."
    first = state.round - 1
    seats = len(state.towers)
    passed = (state.starter - first) % seats
    if any((first + step) % seats not in state.dropped for step in range(passed)):
        yield f"Round {state.round} is not begun by seat {state.starter}."


def _tower_faults(tower: Tower) -> Iterator[str]:
    counts = tuple(PIECES_PER_SIZE - tower.letters.count(letter) for letter in LETTERS)
    if counts != tower.left:
        yield f"Beside {tower.letters} there are {counts} left, not {tower.left}."
    yield from _sheet_faults(tower)
    if tower.done != (tower.fallen or not tower.sizes):
        yield "A tower is done when it has fallen or all pieces are placed."
    if tower.done and (tower.next or tower.die):
        yield "No piece is due for a tower that is done."
    yield from _next_piece_faults(tower)


def _sheet_faults(tower: Tower) -> Iterator[str]:
    """Yield faults of the sheet, which counts the pieces of the tower."""
    is_rewarded = not tower.sizes and not tower.fallen
    sheet = tower.sheet[:-1] if is_rewarded else tower.sheet
    if is_rewarded and tower.sheet[-1:] != tuple(total + BONUS_POINTS for total in sheet[-1:]):
        yield f"The bonus is missing on the sheet {list(tower.sheet)}."
    if sheet[:1] != NEW.sheet or not {b - a for a, b in pairwise(sheet)} <= {1, 2, 3}:
        yield f"{list(tower.sheet)} is no sheet: it counts pieces from 6 on."
    if reconstructed(sheet) not in _possible_letters(tower):
        yield f"The sheet {list(tower.sheet)} is not that of {tower.letters}."


def _possible_letters(tower: Tower) -> Sequence[str]:
    """Return the pieces that the sheet may count: the last one of a heap may be unwritten."""
    if not tower.fallen:
        return (tower.letters,)
    return (tower.letters, tower.letters[:-1]) if len(tower.pieces) > len(FIRST_PIECES) else ()


def _next_piece_faults(tower: Tower) -> Iterator[str]:
    if tower.next is None:
        if tower.die is not None:
            yield "The die tells a piece, but none is due."
    elif (tower.die is None) != (len(tower.sizes) == 1):
        yield "The die is rolled when there are two or three sizes left."
    elif tower.next != told_by(tower.sizes, tower.die):
        yield f"A {tower.die} does not tell {tower.next} of {tower.sizes}."


def _score_faults(state: State) -> Iterator[str]:
    first = state.round - 1
    lengths = {len(state.scores[seat]) for seat in state.still_in}
    if len(lengths) != 1 or not lengths <= {first, first + _is_played_out(state)}:
        yield f"Scores are those of the rounds before round {state.round}."
    if any(len(state.scores[seat]) > first for seat in state.dropped):
        yield "Who has dropped out has no score of this round."
    least = NEW.total
    most = sum(PIECES_PER_SIZE * piece.points for piece in PIECES.values())
    allowed = {*range(least, most + 1), MAX_POINTS}
    if any(not set(scores) <= allowed for scores in state.scores):
        yield f"A score is {least} to {most}, or {MAX_POINTS} with the bonus."


def _is_played_out(state: State) -> bool:
    is_last = state.round == state.last_round
    return state.ranks is not None and is_last and not state.builders


def _turn_faults(state: State) -> Iterator[str]:
    if not state.builders:
        yield "The round is over when all towers are done."
    if (state.turn is None) != state.is_free:
        yield f"turn is a seat, and null in free pace: not {state.turn!r}."
    if not set(state.actors) <= set(state.builders):
        yield f"Seat {state.turn} has no tower to build on."
    for seat, tower in enumerate(state.towers):
        if (tower.next is not None) != (seat in state.actors):
            yield f"Seat {seat}: a piece is due for those who are to move."


def _possible_results(state: State) -> Sequence[Ranks]:
    """Return the possible results of the match."""
    written = len(state.scores[state.still_in[0]])
    if len(state.towers) == DUEL and written < state.round:
        return (state.ranking, *WON_BY)
    return (state.ranking,)
