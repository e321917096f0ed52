"""Dice Is Health, Strength, and Money: gather dice, win a trinket, be first back in the middle."""

from games.kernel.contract import OpenGame, Ranks, Seat
from games.kernel.language import gettext
from games.kernel.many_players import ManyPlayers
from games.titles.dice_is_health import (
    drawing,
    editing,
    moves,
    rules,
    state,
    story,
    validation,
)
from games.titles.dice_is_health.achievements import ACHIEVEMENTS, feats_of
from games.titles.dice_is_health.events import EVENTS, Duelled, Fought, Moved, Sent
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.moves import Move
from games.titles.dice_is_health.phases import moving
from games.titles.dice_is_health.state import PhaseName, State


class DiceIsHealth(ManyPlayers, OpenGame[State, Move, State]):
    meta = META
    events = EVENTS
    achievements = ACHIEVEMENTS
    outcomes = (Fought, Duelled)
    deeds = (Moved,)
    fights = (Fought, Duelled, Sent)

    parse = staticmethod(moves.parse)
    setup = staticmethod(rules.setup)
    moves = staticmethod(rules.PHASES.moves)
    play = staticmethod(rules.play)
    leave = staticmethod(rules.leave)
    stop = staticmethod(rules.stop)
    load = staticmethod(state.load)
    images = staticmethod(state.images)
    editor = staticmethod(editing.editor)
    with_spaces = staticmethod(editing.with_spaces)
    validate = staticmethod(validation.validate)
    options = staticmethod(rules.options)
    draw = staticmethod(drawing.draw)
    describe = staticmethod(story.describe)
    befalls = staticmethod(story.befalls)
    cause = staticmethod(story.cause)
    headline = staticmethod(story.headline)
    phrase = staticmethod(story.phrase)
    tallies = staticmethod(story.tallies)
    describe_setup = staticmethod(story.describe_setup)
    ending_reason = staticmethod(story.ending_reason)
    feats_of = staticmethod(feats_of)
    brief_section = staticmethod(story.brief_section)

    def ranking(self, state: State) -> Ranks:
        """Rank all who are still in as equals."""
        return state.ranking(state.still_in)

    def view(self, state: State, viewer: Seat | None) -> State:
        """Return the state, since nothing is hidden."""
        return state

    def explain(self, state: State, seat: Seat, typed: str, mark: str) -> str:
        if state.phase == PhaseName.MOVE:
            explanation = moving.explain(state, typed, mark)
        elif text := rules.fight_text(state, mark):
            explanation = self._refusal(state, seat, text)
        else:
            mark = rules.space_of(state, mark)
            explanation = "" if typed else gettext(rules.NOT_NOW.get(state.phase, ""))
        return explanation or super().explain(state, seat, typed, mark)


TITLE = DiceIsHealth()
