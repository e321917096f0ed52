"""Grim Reaper, by Wyon Stansfeld: two peoples that mate, give birth, age and die."""

from collections.abc import Sequence
from typing import Any

from games.kernel.contract import Event, OpenTitle, Seat
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.kernel.views import View
from games.titles.grim_reaper.board import draw
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.notation import parse
from games.titles.grim_reaper.options import options
from games.titles.grim_reaper.rules import GrimReaperRules
from games.titles.grim_reaper.story import tell


class GrimReaper(OpenTitle[Any, Any, View]):
    """Grim Reaper, as the registry finds it."""

    meta = META
    rules = GrimReaperRules()

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


TITLE = GrimReaper()
