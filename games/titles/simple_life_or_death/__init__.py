"""Simple Life or Death, by Fred Poutre: whoever has the last piece on the board wins."""

from collections.abc import Collection, Mapping, Sequence

from games.kernel.contract import AnswerPolicy, Die, Event, Params, Seat, SecretTitle
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.kernel.views import DictView, View
from games.titles.simple_life_or_death.board import draw
from games.titles.simple_life_or_death.defence import call, orders
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.moves import Move, foresee
from games.titles.simple_life_or_death.notation import parse, redact
from games.titles.simple_life_or_death.options import options
from games.titles.simple_life_or_death.position import State
from games.titles.simple_life_or_death.rules import SimpleLifeOrDeathRules
from games.titles.simple_life_or_death.story import dice, tell


class SimpleLifeOrDeath(SecretTitle[State, Move, View]):
    """Simple Life or Death, as the registry finds it."""

    meta = META
    rules = SimpleLifeOrDeathRules()

    def parse(self, text: str) -> Move:
        """Return the move that a text stands for."""
        return parse(text)

    def options(self, state: State, seat: Seat, typed: str) -> Options:
        """Return how a text may go on."""
        return options(state, seat, typed)

    def draw(self, view: View, recent: Sequence[Event]) -> Drawing:
        """Return the board as seen."""
        return draw(view, recent)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log."""
        return tell(event, viewer)

    def redact(self, text: str, view: View) -> str:
        """Return a move's text without the card that the viewer may not see."""
        return redact(text, view)

    def outcome_hidden(self, move: Move) -> bool:
        """Whether a hidden card has a say in what a move does."""
        return not foresee(move)

    def open_view(self, state: State) -> View:
        """Return a position with all cards face up."""
        return DictView(self.rules.dump(state))

    def pending_question(self, view: View, seat: Seat) -> str:
        """Return the question to who is attacked."""
        return call(view, seat)

    def standing_orders(self, params: Params) -> Mapping[str, AnswerPolicy]:
        """Return the ways in which attacks may be answered for a player."""
        return orders(params)

    def dice(self, event: Event) -> Sequence[Die]:
        """Return the dice rolled in an event."""
        return dice(event)

    def eliminated(self, state: State) -> Collection[Seat]:
        """Return the seats without pieces."""
        return state.out


TITLE = SimpleLifeOrDeath()
