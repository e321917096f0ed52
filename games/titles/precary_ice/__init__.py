"""Precary-Ice, by Eric Zuckerman: build higher than the others, before it falls."""

from collections.abc import Sequence
from typing import Any

from games.kernel.contract import Event, OpenTitle, Seat
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.kernel.views import View
from games.titles.precary_ice.board import draw
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.notation import parse
from games.titles.precary_ice.options import options
from games.titles.precary_ice.rules import PrecaryIceRules
from games.titles.precary_ice.story import tell


class PrecaryIce(OpenTitle[Any, Any, View]):
    """Precary-Ice, as the registry finds it."""

    meta = META
    rules = PrecaryIceRules()

    def parse(self, text: str) -> Any:
        """Return the move that a text stands for."""
        return parse(text)

    def options(self, state: Any, seat: Seat, typed: str) -> Options:
        """Return how a text may go on."""
        return options(state, seat, typed)

    def draw(self, view: View, recent: Sequence[Event]) -> Drawing:
        """Return the board as seen."""
        return draw(view, recent)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log."""
        return tell(event, viewer)


TITLE = PrecaryIce()
