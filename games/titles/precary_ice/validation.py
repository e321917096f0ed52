"""Invariants of reachable positions, to check positions from outside."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.kernel.contract import Ranks
from games.kernel.decoding import check_faults
from games.kernel.errors import quoted
from games.kernel.language import gettext
from games.kernel.many_players import dropped_faults
from games.kernel.ranking import WON_BY
from games.titles.precary_ice.meta import name_of
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
            yield gettext("Seat {seat} has dropped out, and its tower is taken away.").format(
                seat=seat
            )
    yield from _score_faults(state)
    if state.ranks is None:
        yield from _turn_faults(state)
    elif state.ranks not in _possible_results(state):
        message = gettext("The result cannot be {result} with these points.")
        yield message.format(result=list(state.ranks))


def _dropped_faults(state: State) -> Iterator[str]:
    dropped = state.dropped
    if state.in_ != tuple(seat not in dropped for seat in state.seats):
        message = gettext("in does not fit the seats that have dropped out: {seats}.")
        yield message.format(seats=list(dropped))
    yield from dropped_faults(len(state.towers), dropped)
    if len(state.still_in) == 1 and state.ranks is None:
        yield gettext("The match is over when all but one have dropped out.")


def _round_faults(state: State) -> Iterator[str]:
    if state.round > state.last_round:
        message = gettext("There are {count} rounds, not {given}.")
        yield message.format(count=state.last_round, given=state.round)
    first = state.round - 1
    seats = len(state.towers)
    passed = (state.starter - first) % seats
    if any((first + step) % seats not in state.dropped for step in range(passed)):
        message = gettext("Round {round} is not begun by seat {seat}.")
        yield message.format(round=state.round, seat=state.starter)


def _tower_faults(tower: Tower) -> Iterator[str]:
    counts = tuple(PIECES_PER_SIZE - tower.letters.count(letter) for letter in LETTERS)
    if counts != tower.left:
        message = gettext("Beside {pieces} there are {counts} left, not {given}.")
        yield message.format(pieces=tower.letters, counts=counts, given=tower.left)
    yield from _sheet_faults(tower)
    if tower.done != (tower.fallen or not tower.sizes):
        yield gettext("A tower is done when it has fallen or all pieces are placed.")
    if tower.done and (tower.next or tower.die):
        yield gettext("No piece is due for a tower that is done.")
    yield from _next_piece_faults(tower)


def _sheet_faults(tower: Tower) -> Iterator[str]:
    """Yield faults of the sheet, which counts the pieces of the tower."""
    is_rewarded = not tower.sizes and not tower.fallen
    sheet = tower.sheet[:-1] if is_rewarded else tower.sheet
    if is_rewarded and tower.sheet[-1:] != tuple(total + BONUS_POINTS for total in sheet[-1:]):
        message = gettext("The bonus is missing on the sheet {sheet}.")
        yield message.format(sheet=list(tower.sheet))
    if sheet[:1] != NEW.sheet or not {b - a for a, b in pairwise(sheet)} <= {1, 2, 3}:
        message = gettext("{sheet} is no sheet: it counts pieces from 6 on.")
        yield message.format(sheet=list(tower.sheet))
    if reconstructed(sheet) not in _possible_letters(tower):
        message = gettext("The sheet {sheet} is not that of {pieces}.")
        yield message.format(sheet=list(tower.sheet), pieces=tower.letters)


def _possible_letters(tower: Tower) -> Sequence[str]:
    """Return the pieces that the sheet may count: the last one of a heap may be unwritten."""
    if not tower.fallen:
        return (tower.letters,)
    return (tower.letters, tower.letters[:-1]) if len(tower.pieces) > len(FIRST_PIECES) else ()


def _next_piece_faults(tower: Tower) -> Iterator[str]:
    if tower.next is None:
        if tower.die is not None:
            yield gettext("The die tells a piece, but none is due.")
    elif (tower.die is None) != (len(tower.sizes) == 1):
        yield gettext("The die is rolled when there are two or three sizes left.")
    elif tower.next != told_by(tower.sizes, tower.die):
        message = gettext("A {die} does not tell {piece} of {sizes}.")
        yield message.format(die=tower.die, piece=tower.next, sizes=tower.sizes)


def _score_faults(state: State) -> Iterator[str]:
    first = state.round - 1
    lengths = {len(state.scores[seat]) for seat in state.still_in}
    if len(lengths) != 1 or not lengths <= {first, first + _is_played_out(state)}:
        message = gettext("Scores are those of the rounds before round {round}.")
        yield message.format(round=state.round)
    if any(len(state.scores[seat]) > first for seat in state.dropped):
        yield gettext("Who has dropped out has no score of this round.")
    least = NEW.total
    most = sum(PIECES_PER_SIZE * piece.points for piece in PIECES.values())
    allowed = {*range(least, most + 1), MAX_POINTS}
    if any(not set(scores) <= allowed for scores in state.scores):
        message = gettext("A score is {least} to {most}, or {bonus} with the bonus.")
        yield message.format(least=least, most=most, bonus=MAX_POINTS)


def _is_played_out(state: State) -> bool:
    is_last = state.round == state.last_round
    return state.ranks is not None and is_last and not state.builders


def _turn_faults(state: State) -> Iterator[str]:
    if not state.builders:
        yield gettext("The round is over when all towers are done.")
    if (state.turn is None) != state.is_free:
        message = gettext("turn is a seat, and null in free pace: not {turn}.")
        yield message.format(turn=quoted(state.turn))
    if state.turn is not None and state.turn not in state.builders:
        message = gettext("{player} can’t be to move: the tower is finished or has fallen.")
        yield message.format(player=name_of(state.turn))
    for seat, tower in enumerate(state.towers):
        if (tower.next is not None) != (seat in state.actors):
            message = gettext("Seat {seat}: a piece is due for those who are to move.")
            yield message.format(seat=seat)


def _possible_results(state: State) -> Sequence[Ranks]:
    """Return the possible results of the match."""
    written = len(state.scores[state.still_in[0]])
    if len(state.towers) == DUEL and written < state.round:
        return (state.ranking, *WON_BY)
    return (state.ranking,)
