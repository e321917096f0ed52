"""Late positions of Grim Reaper, composed at random: a chain nearly stands, reserves are used up.

Wins are searched in them for puzzles.
"""

import random
from collections.abc import Iterator
from typing import Literal

from games.kernel.contract import Seat
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.squares import Square
from games.titles.grim_reaper.state import (
    RED,
    Piece,
    Position,
    Sex,
    State,
    seat_at,
    state_of,
)

SIZE: Literal[6] = 6
COLUMNS = "abcdef"

MISSING = (1, 2)
EXTRA = (1, 3)
OPPONENTS = (2, 5)
"""Minimum and maximum number of squares missing in the chain, of other pieces of its owner, and of
the opponent's pieces.
"""

LIVES = (1, 2, 2, 3, 4, 6)
"""Life turns of a piece, each equally likely."""

SPAN = 10


def positions(chance: random.Random) -> Iterator[State]:
    """Yield positions without end. Some can't be reached in a match."""
    while True:
        yield _composed(chance)


def _composed(chance: random.Random) -> State:
    turn = chance.randint(6, 20)
    step = chance.choice([0, 0, 1])
    owner = seat_at(turn, step)
    chain = _chain(owner, chance)
    for _ in range(chance.randint(*MISSING)):
        chain.pop(chance.randrange(len(chain)))
    free = [square for square in squares.each(squares.board(SIZE)) if square not in chain]
    chance.shuffle(free)
    extra = [free.pop() for _ in range(chance.randint(*EXTRA))]
    others = [free.pop() for _ in range(chance.randint(*OPPONENTS))]
    pieces = {at: _piece(owner, chance) for at in (*chain, *extra)}
    pieces |= {at: _piece(Seat(1 - owner), chance) for at in others}
    return state_of(
        Position(
            size=SIZE,
            turn=turn,
            step=step,
            reserve=(0, 0),
            pieces={str(at): str(pieces[at]) for at in sorted(pieces)},
            born=(),
            rip=(),
            male_span=SPAN,
            female_span=SPAN,
            random_life=False,
        )
    )


def _chain(owner: Seat, chance: random.Random) -> list[Square]:
    """Return squares that join the two sides of an owner, going straight or aside at random."""
    line = chance.randrange(SIZE)
    chain: list[Square] = []
    for step in range(SIZE):
        chain.append(_square(owner, line, step))
        aside = line + chance.choice([-1, 0, 0, 0, 1])
        if step and aside != line and 0 <= aside < SIZE:
            line = aside
            chain.append(_square(owner, line, step))
    return chain


def _square(owner: Seat, line: int, step: int) -> Square:
    column, row = (line, step) if owner == RED else (step, line)
    return Square.parse(f"{COLUMNS[column]}{row + 1}")


def _piece(seat: Seat, chance: random.Random) -> Piece:
    return Piece(seat, chance.choice(list(Sex)), chance.choice(LIVES))
