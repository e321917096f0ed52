"""Heuristics for Grim Reaper: lives, couples, and how far a chain is from both edges."""

import random
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from math import exp
from typing import NamedTuple, TypeAlias

from games.kernel.contract import Seat
from games.kernel.dice import Dice
from games.kernel.heuristics import Heuristics, SampledDice
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.moves import Births, Child, Move, Pass, Placement, Walk
from games.titles.grim_reaper.phases.act import can_place, must_pass
from games.titles.grim_reaper.phases.births import Matching, extend, sets
from games.titles.grim_reaper.rules import PHASES
from games.titles.grim_reaper.squares import Square, Squares
from games.titles.grim_reaper.state import BLUE, RED, Sex, State
from games.titles.grim_reaper.transition import Transition

SETS = 120
"""Maximum number of sets of births considered."""

PIECE = 1.0
LIFE = 0.12
RESERVE = 0.25
COUPLE = 0.9
GAP = 1.1
OLD = 6
"""The values of a piece, of a life turn on the board (at most ``OLD`` a piece), of one in reserve
and of a birth square, and the cost of each missing square in a chain.
"""

SCALE = 5.0
"""An advantage of this size makes a win about three times as likely as a loss."""

PLAYOUT_CHOICES = 3
"""Number of placements and moves from which a playout chooses by a quick evaluation."""

USUAL_SIZE = 6
"""The board for which ``simulations`` are meant. On a larger one each takes longer."""

CAPPED = bytes(min(life, OLD) for life in range(256))
"""Maps remaining life turns to those that count."""

Act: TypeAlias = Placement | Walk


class Knowledge(Heuristics[State, Move]):
    """Short playouts in which both sides have as many births as possible."""

    simulations = (8, 40, 300, 4000)
    horizon = 4
    width = 80

    def candidates(self, state: State, seat: Seat, chance: random.Random) -> Sequence[Move]:
        """Return births, most children first, or the best placements and moves by evaluation."""
        if state.is_birth:
            return list(_births(state))
        if must_pass(state):
            return (Pass(),)
        moves = [*_placements(state), *_walks(state)]
        chance.shuffle(moves)
        return sorted(moves, key=lambda move: -_promise(state, seat, move))[: self.width]

    def effort(self, state: State, level: int) -> int:
        """Return fewer simulations on larger boards."""
        return self.simulations[level] * USUAL_SIZE**2 // state.size**2

    def advance(self, state: State, seat: Seat, move: Move, dice: SampledDice) -> State:
        """Return the position after a legal move, without checks and events."""
        if isinstance(move, Placement):
            return _placed(state, seat, move)
        return _walked(state, seat, move) if isinstance(move, Walk) else _played(state, move, dice)

    def playout_move(self, state: State, seat: Seat, chance: random.Random) -> Move:
        """Return the most births, or the best of a few placements and moves by evaluation."""
        if state.is_birth:
            return _bear(state, _most_births(state))
        if must_pass(state):
            return Pass()
        acts = [_any_act(state, seat, chance) for _ in range(PLAYOUT_CHOICES)]
        return max(acts, key=lambda move: _promise(state, seat, move))

    def evaluate(self, state: State, seats: int) -> Sequence[float]:
        """Return each seat's chance to win by its pieces and reserve."""
        red = 1 / (1 + exp(-_advantage(state, RED) / SCALE))
        return red, 1 - red


# --- Moves ------------------------------------------------------------------------------------


def _births(state: State) -> Iterator[Move]:
    """Yield births of as many children as possible, of the rarer sex, then a pass."""
    for chosen in sorted(islice(sets(state.birth_squares), SETS), key=len, reverse=True):
        yield _bear(state, chosen)
    yield Pass()


def _most_births(state: State) -> Sequence[Square]:
    """Return as many squares as can have births at once."""
    matching: Matching = {}
    for square in state.birth_squares:
        matching = extend(matching, square, state.birth_squares) or matching
    return sorted(matching.values())


def _bear(state: State, chosen: Sequence[Square]) -> Move:
    """Return births that balance the numbers of both sexes, or a pass."""
    own = state.sides[state.mover]
    surplus = (own & state.females).bit_count() - (own & ~state.females).bit_count()
    children: list[Child] = []
    for square in chosen:
        children.append(Child(square, Sex.MALE if surplus > 0 else Sex.FEMALE))
        surplus += -1 if surplus > 0 else 1
    return Births(tuple(children)) if children else Pass()


def _lives(state: State) -> Sequence[int]:
    """Return all, half and a quarter of the reserve, if these differ."""
    reserve = state.reserve
    return sorted({reserve, -(-reserve // 2), -(-reserve // 4)} - {0})


def _placements(state: State) -> Iterator[Act]:
    for life in _lives(state):
        for sex in Sex:
            for square in squares.each(state.vacant):
                yield Placement(sex, life, square)


def _walks(state: State) -> Iterator[Act]:
    for origin in squares.each(state.sides[state.mover]):
        near, far = state.reach(origin)
        for target in squares.each(near | far):
            yield Walk(origin, target)


def _any_act(state: State, seat: Seat, chance: random.Random) -> Act:
    """Return a move of any piece or, with a reserve, equally often a placement."""
    origins = [at for at in squares.each(state.sides[seat]) if any(state.reach(at))]
    if not origins or (can_place(state) and chance.randrange(2)):
        square = chance.choice(list(squares.each(state.vacant)))
        return Placement(chance.choice(list(Sex)), chance.choice(_lives(state)), square)
    origin = chance.choice(origins)
    near, far = state.reach(origin)
    return Walk(origin, chance.choice(list(squares.each(near | far))))


# --- What a move does -------------------------------------------------------------------------


def _placed(state: State, seat: Seat, move: Placement) -> State:
    added = squares.bit(move.square)
    reserves = list(state.reserves)
    reserves[seat] -= move.life
    return _acted(
        state,
        sides=_changed(state.sides, seat, added),
        females=state.females | (added if move.sex is Sex.FEMALE else 0),
        lives=_with(state.lives, move.square, move.life),
        reserves=(reserves[RED], reserves[BLUE]),
    )


def _walked(state: State, seat: Seat, move: Walk) -> State:
    origin = squares.bit(move.origin)
    target = squares.bit(move.target)
    is_female = bool(state.females & origin)
    lives = _with(state.lives, move.target, state.lives[move.origin])
    return _acted(
        state,
        sides=_changed(state.sides, seat, origin | target),
        females=state.females ^ (origin | target) if is_female else state.females,
        lives=_with(lives, move.origin, 0),
        reserves=state.reserves,
    )


def _acted(
    state: State,
    sides: tuple[Squares, Squares],
    females: Squares,
    lives: bytes,
    reserves: tuple[int, int],
) -> State:
    """Return the position of the next step, before which nobody ages."""
    return State(
        state.size,
        state.male_span,
        state.female_span,
        state.random_life,
        reserves,
        sides,
        females,
        lives,
        state.turn_number,
        state.step + 1,
        state.born,
        state.rip,
    )


def _played(state: State, move: Move, dice: Dice) -> State:
    transition = Transition(state, dice)
    PHASES[state.phase].play(transition, move)
    return transition.state


def _changed(
    sides: tuple[Squares, Squares], seat: Seat, changed: Squares
) -> tuple[Squares, Squares]:
    red, blue = sides
    return (red ^ changed, blue) if seat == RED else (red, blue ^ changed)


def _with(lives: bytes, square: Square, life: int) -> bytes:
    return lives[:square] + bytes((life,)) + lives[square + 1 :]


# --- How good it is ---------------------------------------------------------------------------


def _advantage(state: State, seat: Seat) -> float:
    """Return a seat's advantage over the other."""
    goods = _worth(state, seat) - _worth(state, Seat(1 - seat))
    shape = Shape(state.size, state.sides, state.females, state.born, state.vacant)
    return goods + shape.advantage(seat)


def _worth(state: State, seat: Seat) -> float:
    """Return the value of a seat's pieces, lives and reserve, wherever they are."""
    own = state.sides[seat]
    lives = state.lives.translate(CAPPED)
    on_board = sum([lives[square] for square in squares.each(own)])
    return PIECE * own.bit_count() + LIFE * on_board + RESERVE * state.reserves[seat]


def _promise(state: State, seat: Seat, move: Act) -> float:
    """Return the value of a placement or a move of a piece relative to a seat's others."""
    females = state.females
    removed = 0
    gained = 0.0
    if isinstance(move, Placement):
        added = squares.bit(move.square)
        gained = PIECE + LIFE * min(move.life, OLD) - RESERVE * move.life
        females |= added if move.sex is Sex.FEMALE else 0
    else:
        added = squares.bit(move.target)
        removed = squares.bit(move.origin)
        females ^= added | removed if females & removed else 0
    sides = _changed(state.sides, seat, added | removed)
    vacant = (state.vacant | removed) & ~added
    return gained + Shape(state.size, sides, females, state.born, vacant).advantage(seat)


class Shape(NamedTuple):
    """The squares of both seats' pieces, without their lives."""

    size: int
    sides: tuple[Squares, Squares]
    females: Squares
    born: Squares
    vacant: Squares

    def advantage(self, seat: Seat) -> float:
        """Return a seat's advantage in couples and chain."""
        own = self._couples(seat)
        other = self._couples(Seat(1 - seat))
        births = (own & ~other).bit_count() - (other & ~own).bit_count()
        return COUPLE * births - GAP * (self._gap(seat) - self._gap(Seat(1 - seat)))

    def _couples(self, seat: Seat) -> Squares:
        """Return the vacant squares between couples of a seat, contested or not."""
        parents = self.sides[seat] & ~self.born
        middles = 0
        women = parents & self.females
        men = parents & ~self.females
        if women and men:
            for step in squares.STEPS:
                middles |= (women << step) & (men >> step) | (women >> step) & (men << step)
        return middles & self.vacant

    def _gap(self, seat: Seat) -> int:
        return _gap(self.sides[seat], self.vacant, self.size, seat)


@lru_cache(100_000)
def _gap(own: Squares, vacant: Squares, size: int, seat: Seat) -> int:
    """Return the number of pieces missing in a chain. It is highest for a blocked chain."""
    start, goal = _edges(size, seat)
    reached = _flood(start & own, own)
    for missing in range(size + 1):
        if reached & goal:
            return missing
        more = (squares.beside(reached) | start) & vacant
        reached |= _flood(more, own | more)
    return size + 1


@cache
def _edges(size: int, seat: Seat) -> tuple[Squares, Squares]:
    if seat == RED:
        return squares.bottom(size), squares.bottom(size) << size - 1
    return squares.left(size), squares.left(size) << squares.STRIDE * (size - 1)


def _flood(start: Squares, within: Squares) -> Squares:
    reached = start
    before = 0
    while before != reached:
        before = reached
        reached |= squares.beside(reached) & within
    return reached
