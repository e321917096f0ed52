"""Precary-Ice, by Eric Zuckerman: build higher than the others, before it falls."""

from collections.abc import Sequence

from games.kernel.contract import Event, OpenTitle, Seat, Tally
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.titles.precary_ice import drawing, entry, moves, story
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.moves import Place
from games.titles.precary_ice.position import Position
from games.titles.precary_ice.rules import PrecaryIceRules


class PrecaryIce(OpenTitle[Position, Place, Position]):
    """The game of Precary-Ice."""

    meta = META
    rules = PrecaryIceRules()

    def parse(self, text: str) -> Place:
        """Return the placement that a text stands for."""
        return moves.parse(text)

    def options(self, state: Position, seat: Seat, typed: str) -> Options:
        """Return how a text may go on to a placement."""
        return entry.options(state, seat, typed)

    def explain(self, state: Position, seat: Seat, typed: str, mark: str) -> str:
        """Return why a mark leads nowhere."""
        is_others = mark.startswith("tower-") and mark != f"tower-{seat}"
        said = "You place pieces on your own tower only." if is_others else ""
        return said or super().explain(state, seat, typed, mark)

    def draw(self, view: Position, recent: Sequence[Event]) -> Drawing:
        """Return the towers, the piece that was placed last outlined."""
        return drawing.draw(view, recent)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log."""
        return story.describe(event, viewer)

    def phrase(self, move: Place, view: Position, seat: Seat) -> str:
        """Return a placement in words."""
        return story.phrase(move, view, seat)

    def tallies(self, view: Position, seat: Seat) -> Sequence[Tally]:
        """Return the points of a seat, and how high its tower is."""
        return story.tallies(view, seat)

    def describe_setup(self, view: Position, viewer: Seat | None) -> str:
        """Return which pieces come first."""
        return story.describe_setup(view, viewer)

    def reason(self, event: Event, viewer: Seat | None) -> str:
        """Return the points that decided."""
        return story.reason(event, viewer)


TITLE = PrecaryIce()
