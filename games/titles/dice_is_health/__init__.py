"""Dice Is Health, Strength, and Money: gather dice, win a trinket, be first back in the middle."""

from collections.abc import Sequence

from games.kernel.contract import Event, OpenTitle, Seat, Tally
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.titles.dice_is_health import drawing, entry, moves, story
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.moves import Move
from games.titles.dice_is_health.phases import moving
from games.titles.dice_is_health.position import PhaseName, State
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

    def explain(self, state: State, seat: Seat, typed: str, mark: str) -> str:
        """Return why a mark leads nowhere."""
        said = moving.out_of_reach(state, typed, mark) if state.phase == PhaseName.MOVE else ""
        return said or super().explain(state, seat, typed, mark)

    def draw(self, view: State, recent: Sequence[Event]) -> Drawing:
        """Return the board, with the last move on it."""
        return drawing.draw(view, recent)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log."""
        return story.describe(event, viewer)

    def phrase(self, move: Move, view: State, seat: Seat) -> str:
        """Return a move in words."""
        return story.phrase(move, view)

    def tallies(self, view: State, seat: Seat) -> Sequence[Tally]:
        """Return the dice and trinkets of a seat."""
        return story.tallies(view, seat)

    def describe_setup(self, view: State, viewer: Seat | None) -> str:
        """Return where fan and monster start, and the first roll."""
        return story.describe_setup(view, viewer)

    def reason(self, event: Event, viewer: Seat | None) -> str:
        """Return why a match ended."""
        return story.reason(event, viewer)

    def brief_section(self, view: State) -> str:
        """Return the heading of the rules in brief for a phase."""
        return story.brief_section(view)


TITLE = DiceIsHealth()
