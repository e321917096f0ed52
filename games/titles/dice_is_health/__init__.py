"""Dice Is Health, Strength, and Money: gather dice, win a trinket, be first back in the middle."""

from collections.abc import Sequence

from games.kernel.contract import Event, OpenTitle, Seat
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.titles.dice_is_health import drawing, entry, moves, story
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.moves import Move
from games.titles.dice_is_health.position import State
from games.titles.dice_is_health.rules import PHASES, DiceIsHealthRules


class DiceIsHealth(OpenTitle[State, Move, State]):
    """Dice Is Health, Strength, and Money, as the registry finds it."""

    meta = META
    rules = DiceIsHealthRules()

    def parse(self, text: str) -> Move:
        """Return the move that a text stands for."""
        return moves.parse(text)

    def options(self, state: State, seat: Seat, typed: str) -> Options:
        """Return how a text may go on, as the phase says."""
        is_asked = seat in self.rules.actors(state)
        found = PHASES[state.phase].options(state, typed) if is_asked else entry.NOTHING
        return entry.checked(found, typed)

    def draw(self, view: State, recent: Sequence[Event]) -> Drawing:
        """Return the board, with the last move on it."""
        return drawing.draw(view, recent)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log, the same for every viewer."""
        return story.describe(event)


TITLE = DiceIsHealth()
