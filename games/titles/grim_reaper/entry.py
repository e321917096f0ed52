"""Move entry: how the text typed so far may go on. What is offered stands with the phases."""

from games.kernel.completion import folded
from games.kernel.contract import Seat
from games.kernel.errors import MalformedMove, quoted
from games.kernel.options import Options
from games.titles.grim_reaper.phases import NOTHING
from games.titles.grim_reaper.position import State
from games.titles.grim_reaper.rules import phase_of


def options(state: State, seat: Seat, typed: str) -> Options:
    """Return how what is typed may go on to a legal move.

    :raises MalformedMove: no legal move begins so.
    """
    is_asked = not state.ranks and seat == state.mover
    found = phase_of(state).options(state, typed) if is_asked else NOTHING
    if folded(typed) and not found.next and not found.complete:
        raise MalformedMove(f"No move begins with {quoted(typed.strip())} here.")
    return found
