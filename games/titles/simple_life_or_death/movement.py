"""Where a moving piece can come to: its ends, for one roll and for every roll of its dice."""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from games.titles.simple_life_or_death.moves import Go
from games.titles.simple_life_or_death.pieces import Piece
from games.titles.simple_life_or_death.position import State
from games.titles.simple_life_or_death.squares import Direction, Square

Ends: TypeAlias = tuple[Square | None, ...]
"""Squares on which a piece may stop, in the order of its way; ``None`` is off the board."""


def ends(state: State, piece: Piece, direction: Direction, steps: int) -> Ends:
    """Return where a piece may stop that goes so many steps.

    Off the board it is gone. It stops on the first piece of another colour, may stop on every
    piece of its own, and stops at the latest when its steps are used up.
    """
    found: list[Square | None] = []
    square = state.squares[piece]
    for left in reversed(range(steps)):
        square = square.step(direction)
        if square not in state.terms.board:
            return (*found, None)
        stack = state.stacks.get(square, ())
        if not left or any(other.seat != piece.seat for other in stack):
            return (*found, square)
        if stack:
            found.append(square)
    return tuple(found)


@cache
def chances(sides: Sequence[int]) -> dict[int, float]:
    """Return how likely each sum of some dice is."""
    likely = {0: 1.0}
    for count in sides:
        longer: dict[int, float] = {}
        for total, share in likely.items():
            for face in range(1, count + 1):
                longer[total + face] = longer.get(total + face, 0.0) + share / count
        likely = longer
    return likely


def prospects(state: State, go: Go) -> dict[int, tuple[Ends, float]]:
    """Return for every sum that the dice can give where it may end, and how likely it is."""
    sides = state.terms.rolls(go.piece.size, go.die)
    return {
        total: (ends(state, go.piece, go.direction, total), share)
        for total, share in chances(sides).items()
    }
