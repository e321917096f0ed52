"""Grim Reaper, by Wyon Stansfeld: two peoples that mate, give birth, age and die."""

from collections.abc import Mapping, Sequence

from games.kernel.contract import AnswerPolicy, Event, OpenTitle, Params, Seat, Tally
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.titles.grim_reaper import drawing, entry, moves, rules, story
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.moves import Move
from games.titles.grim_reaper.position import Position, State


class GrimReaper(OpenTitle[State, Move, Position]):
    """The game of Grim Reaper."""

    meta = META
    rules = rules.GrimReaperRules()

    def parse(self, text: str) -> Move:
        """Return the move that a text stands for."""
        return moves.parse(text)

    def options(self, state: State, seat: Seat, typed: str) -> Options:
        """Return how a text may go on to a legal move."""
        return entry.options(state, seat, typed)

    def explain(self, state: State, seat: Seat, typed: str, mark: str) -> str:
        """Return why a mark leads nowhere."""
        said = "" if typed else entry.explain(state, mark)
        return said or super().explain(state, seat, typed, mark)

    def draw(self, view: Position, recent: Sequence[Event]) -> Drawing:
        """Return the board, with what the last step did highlighted."""
        return drawing.draw(view, recent)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log."""
        return story.describe(event, viewer)

    def phrase(self, move: Move, view: Position, seat: Seat) -> str:
        """Return a move in words."""
        return story.phrase(move, view)

    def tallies(self, view: Position, seat: Seat) -> Sequence[Tally]:
        """Return how many people a seat has, and its reserve."""
        return story.tallies(view, seat)

    def reason(self, event: Event, viewer: Seat | None) -> str:
        """Return why a match ended."""
        return story.reason(event, viewer)

    def brief_section(self, view: Position) -> str:
        """Return the heading of the rules in brief for a step."""
        return story.brief_section(view)

    def standing_orders(self, params: Params) -> Mapping[str, AnswerPolicy]:
        """Return the order to pass where nothing else can be done."""
        return rules.STANDING_ORDERS

    def next_turn(self, state: State, seat: Seat) -> State | None:
        """Return the position at the seat's next step, if the other does nothing until then."""
        return rules.next_turn(state, seat)


TITLE = GrimReaper()
