"""A move as it is being entered: what the board shows of it beside the position."""

from itertools import groupby
from typing import Any

from games.kernel.views import DictView, View
from games.titles.simple_life_or_death import movement
from games.titles.simple_life_or_death.moves import OFF, Go
from games.titles.simple_life_or_death.pieces import Piece
from games.titles.simple_life_or_death.position import State, view

AIM = "aim"
"""The field that a view has beside those of the position while a piece is in hand."""


def in_hand(state: State, piece: Piece) -> View:
    """Return the mover's view with a piece in hand, for which a direction is asked."""
    return _aimed(state, piece)


def on_its_way(state: State, go: Go) -> View:
    """Return the mover's view with a piece sent somewhere: with which results it stops where.

    As long as no die is named, all results of the larger one are shown: the smaller one's are
    among them.
    """
    if go.die is None:
        go = Go(go.piece, go.direction, state.terms.dice(go.piece.size)[-1])
    return _aimed(state, go.piece, direction=str(go.direction), ends=_ends(state, go))


def _aimed(state: State, piece: Piece, **more: Any) -> View:
    aim = {"piece": str(piece), "at": str(state.squares[piece]), **more}
    return DictView({**view(state, state.turn), AIM: aim})


def _ends(state: State, go: Go) -> list[list[str]]:
    """Return every square on which the piece may stop, with the results that bring it there."""
    totals: dict[str, list[int]] = {}
    for total, (ends, _) in movement.prospects(state, go).items():
        for end in ends:
            totals.setdefault(str(end or OFF), []).append(total)
    return [[name, _runs(sorted(found))] for name, found in totals.items()]


def _runs(numbers: list[int]) -> str:
    """Return numbers as in ``3–5, 8``."""
    spans = []
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        spans.append(f"{found[0]}–{found[-1]}" if len(found) > 1 else str(found[0]))
    return ", ".join(spans)
