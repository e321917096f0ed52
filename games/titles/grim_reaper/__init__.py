"""Grim Reaper, by Wyon Stansfeld: two peoples that mate, give birth, age and die."""

from collections.abc import Mapping

from games.kernel.contract import AnswerPolicy, OpenGame, Params, Seat
from games.kernel.two_players import TwoPlayers
from games.titles.grim_reaper import drawing, editing, moves, rules, state, story
from games.titles.grim_reaper.achievements import ACHIEVEMENTS, feats_of
from games.titles.grim_reaper.events import EVENTS, Born, Moved, Placed
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.moves import Move
from games.titles.grim_reaper.state import Position, State, position_of


class GrimReaper(TwoPlayers, OpenGame[State, Move, Position]):
    meta = META
    events = EVENTS
    achievements = ACHIEVEMENTS
    deeds = (Placed, Moved, Born)

    parse = staticmethod(moves.parse)
    setup = staticmethod(rules.setup)
    moves = staticmethod(rules.PHASES.moves)
    play = staticmethod(rules.play)
    next_turn = staticmethod(rules.next_turn)
    load = staticmethod(state.load)
    images = staticmethod(state.images)
    exchanged = staticmethod(state.exchanged)
    editor = staticmethod(editing.editor)
    with_spaces = staticmethod(editing.with_spaces)
    validate = staticmethod(state.validate)
    options = staticmethod(rules.PHASES.options)
    draw = staticmethod(drawing.draw)
    describe = staticmethod(story.describe)
    befalls = staticmethod(story.befalls)
    headline = staticmethod(story.headline)
    phrase = staticmethod(story.phrase)
    tallies = staticmethod(story.tallies)
    ending_reason = staticmethod(story.ending_reason)
    feats_of = staticmethod(feats_of)
    brief_section = staticmethod(story.brief_section)

    def view(self, state: State, viewer: Seat | None) -> Position:
        """Return the position, since nothing is hidden."""
        return position_of(state)

    def explain(self, state: State, seat: Seat, typed: str, mark: str) -> str:
        explanation = "" if typed else rules.explain(state, mark)
        return explanation or super().explain(state, seat, typed, mark)

    def standing_orders(self, params: Params) -> Mapping[str, AnswerPolicy]:
        """Return the order to pass if nothing else is possible."""
        return rules.STANDING_ORDERS


TITLE = GrimReaper()
