"""Dice Is Health, Strength, and Money: gather dice, win a trinket, be first back in the middle."""

from collections.abc import Sequence
from typing import Any

from games.kernel.contract import Event, OpenTitle, Seat
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.kernel.views import View
from games.titles.dice_is_health.board import draw
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.notation import parse
from games.titles.dice_is_health.options import options
from games.titles.dice_is_health.rules import DiceIsHealthRules
from games.titles.dice_is_health.story import tell


class DiceIsHealth(OpenTitle[Any, Any, View]):
    """Dice Is Health, Strength, and Money, as the registry finds it."""

    meta = META
    rules = DiceIsHealthRules()

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


TITLE = DiceIsHealth()
