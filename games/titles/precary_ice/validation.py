"""What holds in every position that a match can reach, for positions from outside."""

from collections.abc import Sequence
from itertools import pairwise

from games.kernel.contract import Ranks
from games.kernel.errors import BrokenPosition
from games.kernel.ranking import WON_BY
from games.titles.precary_ice.pieces import EACH, LETTERS, PIECES
from games.titles.precary_ice.state import TWO, State
from games.titles.precary_ice.tower import (
    BONUS_POINTS,
    FIRST,
    GONE,
    MAX_POINTS,
    NEW,
    Tower,
    reconstructed,
    told_by,
)


def validate(state: State) -> None:
    """Check that a match can have come to a state.

    Where the pieces of a tower lie is not asked: whatever they do, physics goes on from there.

    :raises BrokenPosition: none can; the sentence says why.
    """
    _check_dropped(state)
    _check_round(state)
    for seat, tower in enumerate(state.towers):
        if seat not in state.dropped:
            _check_tower(tower)
        elif tower != GONE:
            raise BrokenPosition(f"Seat {seat} has dropped out, and its tower is taken away.")
    _check_scores(state)
    if state.ranks is None:
        _check_turns(state)
    elif state.ranks not in _possible_results(state):
        raise BrokenPosition(f"The result cannot be {list(state.ranks)} with these points.")


def _check_dropped(state: State) -> None:
    dropped = state.dropped
    if state.in_ != tuple(seat not in dropped for seat in state.seats):
        raise BrokenPosition(f"in does not fit the seats that have dropped out: {list(dropped)}.")
    if len(set(dropped)) < len(dropped):
        raise BrokenPosition(f"Nobody drops out twice: {list(dropped)}.")
    if dropped and len(state.towers) == TWO:
        raise BrokenPosition("Of two players nobody drops out: the other one wins.")
    left = len(state.still_in)
    if left == 0 or (left == 1 and state.ranks is None):
        raise BrokenPosition("The match is over when all but one have dropped out.")


def _check_round(state: State) -> None:
    if state.round > state.last_round:
        raise BrokenPosition(f"There are {state.last_round} rounds, not {state.round}.")
    first = state.round - 1
    seats = len(state.towers)
    passed = (state.starter - first) % seats
    if any((first + step) % seats not in state.dropped for step in range(passed)):
        raise BrokenPosition(f"Round {state.round} is not begun by seat {state.starter}.")


def _check_tower(tower: Tower) -> None:
    counts = tuple(EACH - tower.letters.count(letter) for letter in LETTERS)
    if counts != tower.left:
        raise BrokenPosition(f"Beside {tower.letters} there are {counts} left, not {tower.left}.")
    if _letters_on_sheet(tower) not in _possible_letters(tower):
        raise BrokenPosition(f"The sheet {list(tower.sheet)} is not that of {tower.letters}.")
    if tower.done != (tower.fallen or not tower.sizes):
        raise BrokenPosition("A tower is done when it has fallen or all pieces are placed.")
    if tower.done and (tower.next or tower.die):
        raise BrokenPosition("No piece is due for a tower that is done.")
    _check_next(tower)


def _letters_on_sheet(tower: Tower) -> str:
    """Return the sizes of the pieces that the sheet counts."""
    is_rewarded = not tower.sizes and not tower.fallen
    sheet = tower.sheet[:-1] if is_rewarded else tower.sheet
    points = {1, 2, 3}
    if is_rewarded and tower.sheet[-1:] != tuple(total + BONUS_POINTS for total in sheet[-1:]):
        raise BrokenPosition(f"The bonus is missing on the sheet {list(tower.sheet)}.")
    if sheet[:1] != NEW.sheet or not {b - a for a, b in pairwise(sheet)} <= points:
        raise BrokenPosition(f"{list(tower.sheet)} is no sheet: it counts pieces from 6 on.")
    return reconstructed(sheet)


def _possible_letters(tower: Tower) -> Sequence[str]:
    """Return what the sheet may count: the last piece of a heap may not have been written."""
    if not tower.fallen:
        return (tower.letters,)
    return (tower.letters, tower.letters[:-1]) if len(tower.pieces) > len(FIRST) else ()


def _check_next(tower: Tower) -> None:
    if tower.next is None:
        if tower.die is not None:
            raise BrokenPosition("The die tells a piece, but none is due.")
        return
    if (tower.die is None) != (len(tower.sizes) == 1):
        raise BrokenPosition("The die is rolled when there are two or three sizes left.")
    if tower.next != told_by(tower.sizes, tower.die):
        raise BrokenPosition(f"A {tower.die} does not tell {tower.next} of {tower.sizes}.")


def _check_scores(state: State) -> None:
    first = state.round - 1
    lengths = {len(state.scores[seat]) for seat in state.still_in}
    if len(lengths) != 1 or not lengths <= {first, first + _is_played_out(state)}:
        raise BrokenPosition(f"Scores are those of the rounds before round {state.round}.")
    if any(len(state.scores[seat]) > first for seat in state.dropped):
        raise BrokenPosition("Who has dropped out has no score of this round.")
    least = NEW.total
    most = sum(EACH * piece.points for piece in PIECES.values())
    allowed = {*range(least, most + 1), MAX_POINTS}
    if any(not set(scores) <= allowed for scores in state.scores):
        raise BrokenPosition(f"A score is {least} to {most}, or {MAX_POINTS} with the bonus.")


def _is_played_out(state: State) -> bool:
    is_last = state.round == state.last_round
    return state.ranks is not None and is_last and not state.builders


def _check_turns(state: State) -> None:
    if not state.builders:
        raise BrokenPosition("The round is over when all towers are done.")
    if (state.turn is None) != state.is_free:
        raise BrokenPosition(f"turn is a seat, and null in free pace: not {state.turn!r}.")
    if not set(state.actors) <= set(state.builders):
        raise BrokenPosition(f"Seat {state.turn} has no tower to build on.")
    for seat, tower in enumerate(state.towers):
        if (tower.next is not None) != (seat in state.actors):
            raise BrokenPosition(f"Seat {seat}: a piece is due for those who are to move.")


def _possible_results(state: State) -> Sequence[Ranks]:
    """Return the results that the match can have ended with."""
    written = len(state.scores[state.still_in[0]])
    if len(state.towers) == TWO and written < state.round:
        return (state.ranking, *WON_BY)
    return (state.ranking,)
