"""Decisions of Dice Is Health: the movement most likely to win within the turn, by enumeration.

All results of a movement are compared by the chances of the fights that may follow it. Nobody wins
in a turn in which they pay a die, so no payment is considered.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from games.kernel.contract import Params, Seat
from games.kernel.decisions import Answer, Decisions, clear
from games.kernel.dice import RecordedDice
from games.kernel.errors import BrokenPosition
from games.kernel.language import gettext_noop
from games.kernel.odds import chance_to_beat
from games.kernel.params import for_match
from games.titles.dice_is_health import events
from games.titles.dice_is_health.board import (
    DIE_SPACES,
    INNER,
    OUTER,
    SECTORS,
    SPACES,
    WALL_SPACES,
    Space,
    home,
)
from games.titles.dice_is_health.movement import Stage, outcomes
from games.titles.dice_is_health.moves import Done, Move
from games.titles.dice_is_health.phases.moving import _reached
from games.titles.dice_is_health.rules import PHASES
from games.titles.dice_is_health.state import DIE, MAX_DICE, PhaseName, Player, State
from games.titles.dice_is_health.transition import Transition

THEMES = ("one", "two")

SAME = 1e-9
"""Chances that differ by less are equal."""


class NextFight(Exception):
    """A fight whose winner isn't given. ``chance`` is that of its first side."""

    def __init__(self, chance: float) -> None:
        super().__init__(chance)
        self.chance = chance


class GivenFights(Transition):
    """A move in which the winners of the fights are given in advance.

    All other dice show 1: they don't matter within the turn.
    """

    def __init__(self, state: State, winners: Sequence[bool]) -> None:
        super().__init__(state, RecordedDice([]))
        self._winners = list(winners)

    def roll(self, count: int = 1) -> list[int]:
        return [1] * count

    def fight(self, first: int, second: int) -> list[tuple[events.Faces, events.Faces]]:
        """:raises NextFight: no winner is left."""
        if not first or not second:
            return []
        if not self._winners:
            own, other = (DIE,) * first, (DIE,) * second
            raise NextFight(float(chance_to_beat(own, other, rolls_again=True)))
        low, high = 1, 3 * DIE
        faces = (high, low) if self._winners.pop(0) else (low, high)
        return [((faces[0],) * first, (faces[1],) * second)]


class Questions(Decisions[State, Move]):
    question = gettext_noop("Which move has the best chance to win in this turn?")
    odds = gettext_noop(
        "The best choice wins in this turn in {best} of all cases, any other in at most {second}."
    )
    themes = {"one": gettext_noop("One monster"), "two": gettext_noop("Two monsters")}

    def positions(
        self, seats: int, chance: random.Random
    ) -> Iterator[tuple[State, Seat, dict[str, Any]]]:
        params = for_match(self.title, seats, {})
        while True:
            state = _composed(seats, chance)
            try:
                self.title.read_position(self.title.dump(state), seats, params)
            except BrokenPosition:
                continue
            yield state, state.turn, {}

    def answer(self, state: State, seat: Seat, params: Params) -> Answer | None:
        results = outcomes(Stage.of(state))
        if results is None:
            return None
        chances = {stage: chance_after(reached_state(state, stage), seat) for stage in results}
        most = max(chances.values())
        best = [stage for stage, chance in chances.items() if chance > most - SAME]
        others = [chance for chance in chances.values() if chance <= most - SAME]
        spaces = {stage.pieces[0][0] for stage in best}
        result = clear([most, *others]) if others and most else None
        if result is None or len(spaces) > 1:
            return None
        return Answer(str(results[best[0]]), *result, THEMES[len(state.monsters) - 1])

    def is_right(self, state: State, seat: Seat, right: Move, move: Move) -> bool:
        return abs(_chance_of(state, seat, right) - _chance_of(state, seat, move)) < SAME


def _chance_of(state: State, seat: Seat, move: Move) -> float:
    transition = GivenFights(state, ())
    PHASES[state.phase].play(transition, move)
    return chance_after(transition.state, seat)


def chance_after(state: State, seat: Seat) -> float:
    """Return the chance of a seat to win in its turn, after its movement."""
    return _chance_from(state, seat, {})


def _chance_from(state: State, seat: Seat, known: dict[bytes, float]) -> float:
    """Return that chance. ``known`` are those of positions that fights in another order reach."""
    if state.ranks is not None:
        return float(state.ranks[seat] == 1 and state.ranks.count(1) == 1)
    is_over = state.phase == PhaseName.MOVE or state.turn != seat
    if is_over or state.players[seat].dice < MAX_DICE:
        return 0.0
    key = msgspec.msgpack.encode(state)
    if key not in known:
        moves = [Done()] if state.phase == PhaseName.SPEND else PHASES[state.phase].moves(state)
        chances = [_chance_with(state, seat, move, (), known) for move in moves]
        known[key] = max(chances) if state.mover == seat else min(chances)
    return known[key]


def _chance_with(
    state: State, seat: Seat, move: Move, winners: tuple[bool, ...], known: dict[bytes, float]
) -> float:
    transition = GivenFights(state, winners)
    try:
        PHASES.play(transition, state.mover, move)
    except NextFight as fight:
        won = _chance_with(state, seat, move, (*winners, True), known)
        lost = _chance_with(state, seat, move, (*winners, False), known)
        return fight.chance * won + (1 - fight.chance) * lost
    return _chance_from(transition.state, seat, known)


def reached_state(state: State, stage: Stage) -> State:
    """Return the position after a movement, as the rules make it."""
    transition = GivenFights(_reached(state, stage), ())
    transition.change(phase=PhaseName.SPEND, roll=None)
    transition.pick_up(state.turn)
    transition.check_win()
    return transition.state


# --- Positions ------------------------------------------------------------------------------------


def _composed(seats: int, chance: random.Random) -> State:
    """Return a position in which a player with three dice lacks a trinket only."""
    turn = Seat(chance.randrange(seats))
    holder = chance.choice([seat for seat in range(seats) if seat != turn])
    players = []
    for seat in range(seats):
        at: Space = chance.choice((*INNER, *INNER, *OUTER))
        dice = MAX_DICE if seat == turn else chance.choice([0, 1, 1, 2, 2, 2])
        trinkets = int(seat == holder and chance.choice([True, True, True, False]))
        players.append(Player(at, home(seat, seats), dice, trinkets))
    taken = {player.at for player in players}
    free = [space for space in SPACES if space not in taken]
    monsters = tuple(chance.sample(free, chance.choice([1, 1, 2])))
    marked = [space for space in WALL_SPACES if space not in taken and space not in monsters]
    walls = {space: Seat(chance.randrange(seats)) for space in chance.sample(marked, 2)}
    low, median, high = sorted(chance.randint(1, DIE) for _ in range(3))
    count = len(DIE_SPACES) - sum(player.dice for player in players)
    lying = set(chance.sample(DIE_SPACES, count))
    return State(
        rounds=100,
        round=chance.randint(8, 40),
        fan=chance.randrange(SECTORS),
        players=tuple(players),
        dropped=(),
        monsters=monsters,
        pickups=tuple(space for space in DIE_SPACES if space in lying),
        walls={space: walls[space] for space in WALL_SPACES if space in walls},
        turn=turn,
        phase=PhaseName.MOVE,
        roll=(low, median, high),
        fought=(),
    )
