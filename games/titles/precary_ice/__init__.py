"""Precary-Ice, by Eric Zuckerman: build higher than the others, before it falls."""

from games.kernel.contract import OpenGame, Seat
from games.titles.precary_ice import drawing, entry, moves, rules, state, story, validation
from games.titles.precary_ice.events import EVENTS, Completed, Fell, Released, Stood
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.moves import Place
from games.titles.precary_ice.state import State


class PrecaryIce(OpenGame[State, Place, State]):
    """The game of Precary-Ice."""

    meta = META
    events = EVENTS
    outcomes = (Released, Fell, Stood, Completed)

    parse = staticmethod(moves.parse)
    setup = staticmethod(rules.setup)
    moves = staticmethod(rules.moves)
    play = staticmethod(rules.play)
    drop = staticmethod(rules.drop)
    close = staticmethod(rules.close)
    load = staticmethod(state.load)
    validate = staticmethod(validation.validate)
    options = staticmethod(entry.options)
    draw = staticmethod(drawing.draw)
    describe = staticmethod(story.describe)
    headline = staticmethod(story.headline)
    phrase = staticmethod(story.phrase)
    tallies = staticmethod(story.tallies)
    describe_setup = staticmethod(story.describe_setup)
    ending_reason = staticmethod(story.ending_reason)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is, or in free pace all whose towers can grow."""
        return state.actors

    def view(self, state: State, viewer: Seat | None) -> State:
        """Return the state: nothing is hidden."""
        return state

    def explain(self, state: State, seat: Seat, typed: str, mark: str) -> str:
        """Return why a mark leads nowhere."""
        if mark.startswith("tower-") and mark != f"tower-{seat}":
            return "You place pieces on your own tower only."
        return super().explain(state, seat, typed, mark)


TITLE = PrecaryIce()
