"""Precary-Ice, by Eric Zuckerman: build higher than the others, before it falls."""

from games.kernel.contract import OpenGame, Ranks, Seat
from games.kernel.language import gettext
from games.kernel.many_players import ManyPlayers
from games.titles.precary_ice import (
    drawing,
    editing,
    entry,
    moves,
    rules,
    state,
    story,
    validation,
)
from games.titles.precary_ice.achievements import ACHIEVEMENTS, feats_of
from games.titles.precary_ice.events import EVENTS, Completed, Fell, Released, RoundEnded, Stood
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.moves import Place
from games.titles.precary_ice.state import State


class PrecaryIce(ManyPlayers, OpenGame[State, Place, State]):
    meta = META
    events = EVENTS
    achievements = ACHIEVEMENTS
    outcomes = (Released, Fell, Stood, Completed)
    deeds = (RoundEnded,)

    parse = staticmethod(moves.parse)
    setup = staticmethod(rules.setup)
    moves = staticmethod(rules.moves)
    play = staticmethod(rules.play)
    leave = staticmethod(rules.leave)
    stop = staticmethod(rules.stop)
    load = staticmethod(state.load)
    exchanged = staticmethod(state.exchanged)
    editor = staticmethod(editing.editor)
    with_spaces = staticmethod(editing.with_spaces)
    validate = staticmethod(validation.validate)
    options = staticmethod(entry.options)
    draw = staticmethod(drawing.draw)
    describe = staticmethod(story.describe)
    befalls = staticmethod(story.befalls)
    news = staticmethod(story.news)
    headline = staticmethod(story.headline)
    phrase = staticmethod(story.phrase)
    tallies = staticmethod(story.tallies)
    describe_setup = staticmethod(story.describe_setup)
    ending_reason = staticmethod(story.ending_reason)
    feats_of = staticmethod(feats_of)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Return the seat to move, or in free pace all whose towers can grow."""
        return state.actors

    def ranking(self, state: State) -> Ranks:
        """Rank by points. A standing tower counts what its sheet says."""
        return state.ranking

    def view(self, state: State, viewer: Seat | None) -> State:
        """Return the state, since nothing is hidden."""
        return state

    def explain(self, state: State, seat: Seat, typed: str, mark: str) -> str:
        if mark.startswith("tower-") and mark != f"tower-{seat}":
            return gettext("You place pieces on your own tower only.")
        return super().explain(state, seat, typed, mark)


TITLE = PrecaryIce()
