"""Move entry: how the text typed so far may go on. What is offered stands with the phases."""

import re

from games.kernel.completion import folded
from games.kernel.contract import Seat
from games.kernel.errors import MalformedMove, quoted
from games.kernel.options import Options
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.phases import NOTHING
from games.titles.grim_reaper.rules import phase_of
from games.titles.grim_reaper.squares import PATTERN, Square
from games.titles.grim_reaper.state import State

NAMED = re.compile(PATTERN)


def options(state: State, seat: Seat, typed: str) -> Options:
    """Return how what is typed may go on to a legal move.

    :raises MalformedMove: no legal move begins so.
    """
    is_asked = not state.ranks and seat == state.mover
    found = phase_of(state).options(state, typed) if is_asked else NOTHING
    if folded(typed) and not found.next and not found.complete:
        raise MalformedMove(f"No move begins with {quoted(typed.strip())} here.")
    return found


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
