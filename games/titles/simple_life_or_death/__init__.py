"""Simple Life or Death, by Fred Poutre: the player with the last piece on the board wins."""

import random
from collections.abc import Collection, Iterator, Mapping

from games.kernel.contract import AnswerPolicy, Observation, Params, Seat, SecretGame
from games.kernel.many_players import ManyPlayers
from games.titles.simple_life_or_death import (
    assumptions,
    bot,
    drawing,
    editing,
    entry,
    moves,
    rules,
    state,
    story,
    validation,
)
from games.titles.simple_life_or_death.achievements import ACHIEVEMENTS, feats_of
from games.titles.simple_life_or_death.events import EVENTS, Attacked, Fought, Landed, Placed
from games.titles.simple_life_or_death.meta import CARDS, META
from games.titles.simple_life_or_death.moves import Move
from games.titles.simple_life_or_death.phases import attack
from games.titles.simple_life_or_death.state import SeatView, State


class SimpleLifeOrDeath(ManyPlayers, SecretGame[State, Move, SeatView]):
    meta = META
    events = EVENTS
    achievements = ACHIEVEMENTS
    outcomes = (Fought,)
    deeds = (Placed, Landed, Attacked)
    fights = (Attacked, Fought)

    parse = staticmethod(moves.parse)
    outcome_hidden = staticmethod(moves.outcome_hidden)
    setup = staticmethod(rules.setup)
    moves = staticmethod(rules.PHASES.moves)
    play = staticmethod(rules.play)
    leave = staticmethod(rules.leave)
    stop = staticmethod(rules.stop)
    ranking = staticmethod(state.rank_all)
    next_turn = staticmethod(rules.next_turn)
    view = staticmethod(state.view)
    open_view = staticmethod(state.open_view)
    load = staticmethod(state.load)
    images = staticmethod(state.images)
    exchanged = staticmethod(state.exchanged)
    editor = staticmethod(editing.editor)
    with_spaces = staticmethod(editing.with_spaces)
    validate = staticmethod(validation.validate)
    options = staticmethod(rules.PHASES.options)
    draw = staticmethod(drawing.draw)
    describe = staticmethod(story.describe)
    joined = staticmethod(story.joined)
    befalls = staticmethod(story.befalls)
    headline = staticmethod(story.headline)
    phrase = staticmethod(story.phrase)
    tallies = staticmethod(story.tallies)
    describe_setup = staticmethod(story.describe_setup)
    ending_reason = staticmethod(story.ending_reason)
    feats_of = staticmethod(feats_of)
    brief_section = staticmethod(story.brief_section)
    dice = staticmethod(story.dice)
    redact = staticmethod(story.redact)
    pending_question = staticmethod(attack.pending_question)
    unseen = staticmethod(assumptions.unseen)
    assume = staticmethod(assumptions.assume)

    def standing_orders(self, params: Params) -> Mapping[str, AnswerPolicy]:
        """Return the ways in which attacks may be answered for a player. Empty with dice."""
        return attack.STANDING_ORDERS if params["combat"] == CARDS else {}

    def determinize(self, seen: Observation, chance: random.Random) -> Iterator[State]:
        """Yield random positions that agree with what a seat has seen."""
        return bot.determinize(seen, map(self.read_event, seen.log), chance)

    def eliminated(self, state: State) -> Collection[Seat]:
        """Return the seats without pieces."""
        return state.eliminated

    def explain(self, state: State, seat: Seat, typed: str, mark: str) -> str:
        piece = entry.piece_at(state, mark)
        if not typed:
            explanation = rules.explain(state, seat, piece, mark)
        elif piece:
            explanation = self._refusal(state, seat, typed + piece)
        else:
            explanation = rules.explain_after(state, mark)
        return explanation or super().explain(state, seat, typed, mark)


TITLE = SimpleLifeOrDeath()
