"""Perft: counting the leaves of the move tree, by which two sets of rules can be compared."""

from typing import Any

from games.kernel.contract import AnyGame
from games.kernel.dice import no_dice


def perft(title: AnyGame, state: Any, depth: int) -> int:
    """Return the number of leaves of the move tree to a depth in moves.

    A finished game is a leaf at once; where several seats may move, the moves of all count.

    :raises ChanceError: a move draws: such a tree has no one number of leaves.
    """
    actors = title.actors(state)
    if depth == 0 or not actors:
        return 1
    return sum(
        perft(title, title.play(state, seat, move, no_dice())[0], depth - 1)
        for seat in actors
        for move in title.moves(state, seat)
    )
