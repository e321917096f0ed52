"""DIE, by Mark Steere: the first to have no stones left wins."""

from games.kernel.completion import complete
from games.kernel.contract import OpenGame, Seat
from games.kernel.options import Options
from games.kernel.two_players import TwoPlayers
from games.titles.die import drawing, editing, moves, rules, state, story
from games.titles.die.achievements import ACHIEVEMENTS, feats_of
from games.titles.die.events import EVENTS, Placed, Removed
from games.titles.die.meta import META
from games.titles.die.moves import Move
from games.titles.die.state import Position, State, position_of


class Die(TwoPlayers, OpenGame[State, Move, Position]):
    meta = META
    events = EVENTS
    achievements = ACHIEVEMENTS
    outcomes = (Removed,)
    deeds = (Placed,)
    fights = (Removed,)

    parse = staticmethod(moves.parse)
    setup = staticmethod(rules.setup)
    moves = staticmethod(rules.moves)
    play = staticmethod(rules.play)
    next_turn = staticmethod(rules.next_turn)
    load = staticmethod(state.load)
    images = staticmethod(state.images)
    exchanged = staticmethod(state.exchanged)
    editor = staticmethod(editing.editor)
    with_spaces = staticmethod(editing.with_spaces)
    validate = staticmethod(state.validate)
    draw = staticmethod(drawing.draw)
    describe = staticmethod(story.describe)
    befalls = staticmethod(story.befalls)
    headline = staticmethod(story.headline)
    joined = staticmethod(story.joined)
    phrase = staticmethod(story.phrase)
    tallies = staticmethod(story.tallies)
    ending_reason = staticmethod(story.ending_reason)
    feats_of = staticmethod(feats_of)

    def options(self, state: State, seat: Seat, typed: str) -> Options:
        """Return the legal cells that a text begins."""
        return complete(map(str, rules.moves(state, seat)), typed, prompt=rules.prompt(state))

    def view(self, state: State, viewer: Seat | None) -> Position:
        """Return the position, since nothing is hidden."""
        return position_of(state)


TITLE = Die()
