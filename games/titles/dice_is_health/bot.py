"""Heuristics for Dice Is Health: what a player still lacks, and how far away it is.

A turn has up to billions of movement texts, but few outcomes. Of many random movements one is kept
for each outcome. Reviews enumerate the outcomes, so that they miss no movement.
"""

import random
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from math import exp
from typing import Any, Self

from msgspec import structs

from games.kernel.contract import Seat
from games.kernel.heuristics import Heuristics
from games.titles.dice_is_health.board import INNER, NEIGHBOURS, Space, distances
from games.titles.dice_is_health.decisions import chance_after, reached_state
from games.titles.dice_is_health.movement import Stage, outcomes
from games.titles.dice_is_health.moves import (
    Attack,
    Challenge,
    Done,
    Fight,
    Move,
    Movement,
    Wall,
    Walls,
)
from games.titles.dice_is_health.state import MAX_DICE, PhaseName, Player, State

MADE_UP = 120
"""Random movements tried for a position. More rarely reach a new outcome."""

PLAYOUT_CHOICES = 15
"""Random movements from which a playout chooses the best."""

OUTCOMES = 40
MAX_LISTED_MOVES = 60
DIE = 1.0
TRINKET = 1.6
STEP = 0.12
"""The value of a die and of a trinket, and the cost of each step to what is missing."""

FIGHTING_DICE = 2
"""With at least this many dice a fight is worthwhile."""


class Knowledge(Heuristics[State, Move]):
    """Playouts of a few turns, with random movements."""

    simulations = (4, 24, 240, 1600)
    overlooked = (0.92, 0.6, 0.3, 0.0)
    horizon = 3
    review_horizons = (2, 4)
    exploration = 0.25
    width = OUTCOMES
    narrow = 2
    widening = 0.8
    beyond_chance = False
    is_thorough = False

    def for_reviews(self) -> Self:
        """Consider all outcomes of movements, and step away from fights to the best space."""
        self.is_thorough = True
        return super().for_reviews()

    def candidates(self, state: State, seat: Seat, chance: random.Random) -> Sequence[Move]:
        """Return a movement for each outcome, the best first by evaluation, or other moves."""
        if state.phase != PhaseName.MOVE:
            return sorted(islice(self.title.moves(state, seat), MAX_LISTED_MOVES), key=_eagerness)
        if self.is_thorough and (movements := outcomes(Stage.of(state))):
            return self._enumerated(state, seat, movements)
        by_outcome: dict[object, tuple[Movement, Stage]] = {}
        for _ in range(MADE_UP):
            move, stage = _made_up(state, chance)
            by_outcome.setdefault((stage.fan, tuple(at for at, _ in stage.pieces)), (move, stage))
        by_promise = partial(self._promise, state, seat)
        best_first = sorted(by_outcome.values(), key=by_promise, reverse=True)
        return [move for move, _ in best_first[: self.width]]

    def playout_move(self, state: State, seat: Seat, chance: random.Random) -> Move:
        """Return a random movement. Fight if that is wise, and spend nothing."""
        if state.phase == PhaseName.MOVE:
            made_up = (_made_up(state, chance) for _ in range(PLAYOUT_CHOICES))
            return max(made_up, key=partial(self._promise, state, seat))[0]
        moves: list[Move] = list(islice(self.title.moves(state, seat), MAX_LISTED_MOVES))
        if state.phase == PhaseName.SPEND:
            return Done()
        if state.phase in (PhaseName.FIGHT, PhaseName.CHALLENGE):
            wanted = state.player.dice >= FIGHTING_DICE
            return next(move for move in moves if isinstance(move, Done) != wanted)
        if state.phase == PhaseName.GO and self.is_thorough:
            return max(moves, key=partial(_worth_of_step, state))
        return chance.choice(moves)

    def evaluate(self, state: State, seats: int) -> Sequence[float]:
        """Return each seat's chance to be the first who has everything and is back."""
        worth = [exp(_worth_at(state, player, state.fan)) for player in state.players]
        return [one / sum(worth) for one in worth]

    def _enumerated(
        self, state: State, seat: Seat, movements: Mapping[Stage, Movement]
    ) -> Sequence[Movement]:
        """Return the best movement for each situation, the best first."""
        outlook = {stage: self._outlook(state, seat, stage) for stage in movements}
        by_situation: dict[object, Movement] = {}
        for stage in sorted(movements, key=outlook.__getitem__, reverse=True):
            by_situation.setdefault(_situation(state, seat, stage), movements[stage])
        return list(by_situation.values())[: self.width]

    def _outlook(self, state: State, seat: Seat, stage: Stage) -> float:
        """Estimate the chance to win after a movement, in the turn or later."""
        reached = reached_state(state, stage)
        at_once = chance_after(reached, seat)
        player = reached.players[seat]
        if player.at in reached.monsters and player.dice < FIGHTING_DICE:
            weaker = structs.replace(player, dice=player.dice - 1)
            players = (*reached.players[:seat], weaker, *reached.players[seat + 1 :])
            reached = structs.replace(reached, players=players)
        later = self.evaluate(reached, len(reached.players))[seat]
        return at_once + (1 - at_once) * later

    def _promise(self, state: State, seat: Seat, made_up: tuple[Movement, Stage]) -> float:
        """Return the value of a movement for its seat, without the dice rolled afterwards."""
        _, stage = made_up
        (at, _), *monsters = stage.pieces
        player = state.players[seat]
        takes = at in state.pickups and player.dice < MAX_DICE
        lost = at in [monster for monster, _ in monsters] and player.dice < FIGHTING_DICE
        dice = player.dice + takes - lost
        return _worth_at(state, Player(at, player.home, dice, player.trinkets), stage.fan)


def _situation(state: State, seat: Seat, stage: Stage) -> object:
    """Return what matters of an outcome: the mover's space, the fan, and who meets monsters."""
    (own, _), *monsters = stage.pieces
    spaces = [own if other == seat else state.players[other].at for other in state.still_in]
    near = NEIGHBOURS[stage.fan]
    meetings = [
        (number, at == space)
        for at, _ in monsters
        for number, space in enumerate(spaces)
        if at == space or space in near[at]
    ]
    return own, stage.fan, tuple(sorted(meetings))


def _worth_of_step(state: State, move: Any) -> float:
    """Return the value of a step away from a fight for the player who chooses it."""
    seat: int = state.pending.piece
    there = structs.replace(state.players[seat], at=move.space)
    worth = _worth_at(state, there, state.fan)
    return worth if state.mover == seat else -worth


def _made_up(state: State, chance: random.Random) -> tuple[Movement, Stage]:
    """Return a movement of random steps, and its final stage."""
    stage = Stage.of(state)
    words = []
    while not stage.is_whole:
        step = chance.choice(list(stage.steps))
        words.append(str(step))
        stage = stage.after(step)
    return Movement(" ".join(words)), stage


def _eagerness(move: Move) -> int:
    """Return the priority of a move in its phase: fights, then nothing, then payments."""
    if isinstance(move, Fight | Challenge | Attack):
        return 0
    if isinstance(move, Walls):
        return -len(move.spaces)
    return 2 if isinstance(move, Wall) else 1


def _worth_at(state: State, player: Player, fan: int) -> float:
    """Return the value of possessions minus the way to what is missing. Low after dropping out."""
    if player.at is None:
        return -9.0
    held = DIE * player.dice + TRINKET * min(player.trinkets, 1)
    far = distances(player.at, fan)
    return held - STEP * min((far[space] for space in _goals(state, player)), default=0)


def _goals(state: State, player: Player) -> Sequence[Space]:
    """Return a player's destinations: dice, then monsters, then the centre."""
    if player.dice < MAX_DICE:
        return state.pickups
    return INNER if player.trinkets else state.monsters
