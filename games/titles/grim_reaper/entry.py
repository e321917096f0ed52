"""Why a click leads nowhere. What is offered stands with the phases."""

import re

from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.squares import PATTERN, Square
from games.titles.grim_reaper.state import State

NAMED = re.compile(PATTERN)


def explain(state: State, mark: str) -> str:
    """Return why no move begins with a square of the board; empty where births are asked for."""
    square = Square.parse(mark) if NAMED.fullmatch(mark) else None
    if state.is_birth or square is None or not (state.vacant | state.taken) >> square & 1:
        return ""
    if state.vacant >> square & 1:
        return "You have no life turns in reserve to place a piece."
    owner = state.piece(square).seat
    if owner != state.mover:
        return f"The piece on {mark} is {META.colours[owner].name}’s."
    return f"Your piece on {mark} has no vacant square beside it."
