"""Grim Reaper, by Wyon Stansfeld: two peoples that mate, give birth, age and die."""

from collections.abc import Sequence

from games.kernel.contract import Event, OpenTitle, Seat
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.titles.grim_reaper import drawing, entry, moves, story
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.moves import Move
from games.titles.grim_reaper.position import Position, State
from games.titles.grim_reaper.rules import GrimReaperRules


class GrimReaper(OpenTitle[State, Move, Position]):
    """The game of Grim Reaper."""

    meta = META
    rules = GrimReaperRules()

    def parse(self, text: str) -> Move:
        """Return the move that a text stands for."""
        return moves.parse(text)

    def options(self, state: State, seat: Seat, typed: str) -> Options:
        """Return how a text may go on to a legal move."""
        return entry.options(state, seat, typed)

    def draw(self, view: Position, recent: Sequence[Event]) -> Drawing:
        """Return the board, with what the last step did highlighted."""
        return drawing.draw(view, recent)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log, the same for every viewer."""
        return story.describe(event)


TITLE = GrimReaper()
