"""DIE, by Mark Steere: the first to have no stones left wins."""

from collections.abc import Sequence

from games.kernel.contract import Event, OpenTitle, Seat, Tally
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.titles.die import drawing, entry, moves, rules, story
from games.titles.die.meta import META
from games.titles.die.moves import Move
from games.titles.die.position import Position, State


class Die(OpenTitle[State, Move, Position]):
    """The game of DIE."""

    meta = META
    rules = rules.DieRules()

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
        """Return a line of the log."""
        return story.describe(event, viewer)

    def phrase(self, move: Move, view: Position, seat: Seat) -> str:
        """Return a placement in words."""
        return story.phrase(move)

    def tallies(self, view: Position, seat: Seat) -> Sequence[Tally]:
        """Return how many stones a seat has."""
        return story.tallies(view, seat)

    def reason(self, event: Event, viewer: Seat | None) -> str:
        """Return why a match ended."""
        return story.reason(event, viewer)

    def next_turn(self, state: State, seat: Seat) -> State | None:
        """Return the position with the seat to move, once both have stones on the board."""
        return rules.next_turn(state, seat)


TITLE = Die()
