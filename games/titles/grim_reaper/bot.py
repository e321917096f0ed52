"""What bots know of Grim Reaper: lives, couples, and how far a chain is from both edges."""

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from math import exp

from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.kernel.heuristics import Heuristics
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.moves import Births, Child, Move, Pass, Placement, Walk
from games.titles.grim_reaper.phases.act import must_pass
from games.titles.grim_reaper.phases.births import sets
from games.titles.grim_reaper.position import BLUE, RED, Sex, State
from games.titles.grim_reaper.squares import Squares

SETS = 120
"""So many sets of births are looked at."""

PIECE, LIFE, RESERVE, COUPLE, GAP, OLD = 1.0, 0.12, 0.25, 0.9, 1.1, 6
"""What a piece, a life turn on the board (of ``OLD`` at most a piece), one in reserve, and a birth
square are worth, and what each square that is missing in a chain costs."""

SCALE = 5.0
"""An advantage of so much makes a win about three times as likely as a loss."""


USUAL_SIZE = 6
"""The board for which ``simulations`` are meant: on a larger one each takes longer."""


class Knowledge(Heuristics[State, Move]):
    """Short playouts in which everybody bears as many children as possible."""

    simulations = (8, 40, 300, 4000)
    horizon = 4
    width = 80

    def candidates(self, state: State, seat: Seat, chance: random.Random) -> Sequence[Move]:
        """Return births, the most children first; or the best placements and moves by a look."""
        if state.is_birth:
            return list(_births(state))
        found = list(_acts(state))
        chance.shuffle(found)
        return sorted(found, key=lambda move: -self._promise(state, seat, move))[: self.width]

    def effort(self, state: State, level: int) -> int:
        """Return fewer simulations on larger boards."""
        return self.simulations[level] * USUAL_SIZE**2 // state.size**2

    def playout_move(self, state: State, seat: Seat, chance: random.Random) -> Move:
        """Return the most births, or else any placement or move."""
        if state.is_birth:
            return next(_births(state))
        return chance.choice(list(_acts(state)))

    def evaluate(self, state: State, seats: int) -> Sequence[float]:
        """Return how likely each seat wins by what it has on the board and in reserve."""
        red = 1 / (1 + exp((_worth(state, BLUE) - _worth(state, RED)) / SCALE))
        return red, 1 - red

    def _promise(self, state: State, seat: Seat, move: Move) -> float:
        after = self.rules.play(state, seat, move, no_dice())[0]
        return float(_worth(after, seat) - _worth(after, Seat(1 - seat)))


def _births(state: State) -> Iterator[Move]:
    """Yield births of as many children as possible, of the sex that is rarer; then a pass."""
    found = sorted(islice(sets(state.birth_squares), SETS), key=len, reverse=True)
    for chosen in found:
        yield Births(tuple(map(Child, chosen, _sexes(state, len(chosen)))))
    yield Pass()


def _sexes(state: State, count: int) -> Sequence[Sex]:
    """Return the sexes of so many children that make the numbers of both as equal as possible."""
    own = state.sides[state.mover]
    surplus = (own & state.females).bit_count() - (own & ~state.females).bit_count()
    sexes: list[Sex] = []
    for _ in range(count):
        sexes.append(Sex.MALE if surplus > 0 else Sex.FEMALE)
        surplus += -1 if surplus > 0 else 1
    return sexes


def _acts(state: State) -> Iterator[Move]:
    """Yield placements with all, half or a quarter of the reserve, and every move; or a pass."""
    if must_pass(state):
        yield Pass()
        return
    reserve = state.reserve
    for life in sorted({reserve, -(-reserve // 2), -(-reserve // 4)} - {0}):
        for sex in Sex:
            for square in squares.each(state.vacant):
                yield Placement(sex, life, square)
    for origin in squares.each(state.sides[state.mover]):
        near, far = state.reach(origin)
        for target in squares.each(near | far):
            yield Walk(origin, target)


def _worth(state: State, seat: Seat) -> float:
    own = state.sides[seat]
    lives = sum(min(state.lives[square], OLD) for square in squares.each(own))
    births = len(state.couples[seat].keys() - state.couples[1 - seat].keys())
    return (
        PIECE * own.bit_count()
        + LIFE * lives
        + RESERVE * state.reserves[seat]
        + COUPLE * births
        - GAP * _gap(state, seat)
    )


def _gap(state: State, seat: Seat) -> int:
    """Return how many pieces more make a chain; more than any does where it is blocked."""
    own, vacant, size = state.sides[seat], state.vacant, state.size
    start, goal = _edges(size, seat)
    reached = _flood(start & own, own)
    for missing in range(size + 1):
        if reached & goal:
            return missing
        more = (squares.beside(reached) | start) & vacant
        reached |= _flood(more, own | more)
    return size + 1


def _edges(size: int, seat: Seat) -> tuple[Squares, Squares]:
    if seat == RED:
        return squares.bottom(size), squares.bottom(size) << size - 1
    return squares.left(size), squares.left(size) << squares.STRIDE * (size - 1)


def _flood(start: Squares, within: Squares) -> Squares:
    reached, before = start, 0
    while before != reached:
        before = reached
        reached |= squares.beside(reached) & within
    return reached
