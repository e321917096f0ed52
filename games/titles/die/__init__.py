"""DIE, by Mark Steere: the first to have no stones left wins."""

from collections.abc import Sequence

from games.kernel.contract import Event, OpenTitle, Seat
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.titles.die import drawing, entry, moves, story
from games.titles.die.meta import META
from games.titles.die.moves import Move
from games.titles.die.position import Position, State
from games.titles.die.rules import DieRules


class Die(OpenTitle[State, Move, Position]):
    """The game of DIE."""

    meta = META
    rules = DieRules()

    def parse(self, text: str) -> Move:
        """Return the cell that a text names."""
        return moves.parse(text)

    def options(self, state: State, seat: Seat, typed: str) -> Options:
        """Return the legal cells that a text may go on to."""
        return entry.options(state, seat, typed)

    def draw(self, view: Position, recent: Sequence[Event]) -> Drawing:
        """Return the board, the last stone and what it removed lit."""
        return drawing.draw(view, recent)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log, the same for every viewer."""
        return story.describe(event)


TITLE = Die()
