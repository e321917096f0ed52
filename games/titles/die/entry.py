"""Move entry: the cells on which the mover may place."""

from games.kernel import completion
from games.kernel.contract import Seat
from games.kernel.options import Options
from games.titles.die.position import State
from games.titles.die.rules import DieRules

_RULES = DieRules()


def options(state: State, seat: Seat, typed: str) -> Options:
    """Return how what is typed may go on to a legal cell.

    :raises MalformedMove: no legal cell begins so.
    """
    cells = map(str, _RULES.moves(state, seat))
    return completion.complete(cells, typed, prompt="Place a stone: choose a cell.")
