"""Simple Life or Death, by Fred Poutre: whoever has the last piece on the board wins."""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence

from games.kernel.contract import (
    AnswerPolicy,
    Die,
    Event,
    Observation,
    Params,
    Seat,
    SecretTitle,
    Tally,
)
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.titles.simple_life_or_death import (
    bot,
    drawing,
    entry,
    moves,
    position,
    rules,
    story,
)
from games.titles.simple_life_or_death.meta import CARDS, META
from games.titles.simple_life_or_death.moves import Move
from games.titles.simple_life_or_death.phases import attack
from games.titles.simple_life_or_death.position import Position, SeatView


class SimpleLifeOrDeath(SecretTitle[Position, Move, SeatView]):
    """The game of Simple Life or Death."""

    meta = META
    rules = rules.SimpleLifeOrDeathRules()

    def parse(self, text: str) -> Move:
        """Return the move that a text stands for."""
        return moves.parse(text)

    def options(self, state: Position, seat: Seat, typed: str) -> Options:
        """Return how a text may go on."""
        return rules.options(state, seat, typed)

    def explain(self, state: Position, seat: Seat, typed: str, mark: str) -> str:
        """Return why a mark leads nowhere."""
        piece = entry.piece_at(state, mark)
        if piece and typed:
            said = self._refusal(state, seat, typed + piece)
        else:
            said = rules.explain(state, seat, piece, mark)
        return said or super().explain(state, seat, typed, mark)

    def draw(self, view: SeatView, recent: Sequence[Event]) -> Drawing:
        """Return the board as seen."""
        return drawing.draw(view, recent)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log."""
        return story.describe(event, viewer)

    def phrase(self, move: Move, view: SeatView, seat: Seat) -> str:
        """Return a move in words."""
        return story.phrase(move, view, seat)

    def tallies(self, view: SeatView, seat: Seat) -> Sequence[Tally]:
        """Return the pieces of a seat, and its trophies."""
        return story.tallies(view, seat)

    def describe_setup(self, view: SeatView, viewer: Seat | None) -> str:
        """Return how many cards everybody got, and who begins."""
        return story.describe_setup(view, viewer)

    def reason(self, event: Event, viewer: Seat | None) -> str:
        """Return why a match ended."""
        return story.reason(event, viewer)

    def brief_section(self, view: SeatView) -> str:
        """Return the heading of the rules in brief for a phase."""
        return story.brief_section(view)

    def redact(self, text: str, view: SeatView) -> str:
        """Return a move's text without the card that the viewer may not see."""
        return story.redact(text, view)

    def outcome_hidden(self, move: Move) -> bool:
        """Whether a hidden card has a say in what a move does."""
        return not moves.reveals_nothing(move)

    def open_view(self, state: Position) -> SeatView:
        """Return a position with all cards face up."""
        return position.open_view(state)

    def determinize(self, seen: Observation, chance: random.Random) -> Iterator[Position]:
        """Yield positions with the unseen cards dealt by chance."""
        return bot.determinize(seen, chance)

    def pending_question(self, view: SeatView, seat: Seat) -> str:
        """Return the question to who is attacked."""
        return attack.pending_question(view, seat)

    def standing_orders(self, params: Params) -> Mapping[str, AnswerPolicy]:
        """Return the ways in which attacks may be answered for a player; none with dice."""
        return attack.STANDING_ORDERS if params["combat"] == CARDS else {}

    def next_turn(self, state: Position, seat: Seat) -> Position | None:
        """Return the position at the seat's next turn, or after an attack that is not answered."""
        return rules.next_turn(state, seat)

    def dice(self, event: Event) -> Sequence[Die]:
        """Return the dice rolled in an event."""
        return story.dice(event)

    def eliminated(self, state: Position) -> Collection[Seat]:
        """Return the seats without pieces."""
        return state.eliminated


TITLE = SimpleLifeOrDeath()
