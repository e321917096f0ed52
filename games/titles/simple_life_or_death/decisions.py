"""Decisions of Simple Life or Death: the move most likely to win within the turn, by enumeration.

Dice decide the fights, and all pieces are on the board, so nothing is hidden. An attack costs
nothing, so every possible attack is made.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from games.kernel.contract import Params, Seat
from games.kernel.decisions import Answer, Decisions, clear
from games.kernel.dice import RecordedDice
from games.kernel.errors import BrokenPosition
from games.kernel.language import gettext_noop
from games.kernel.odds import chance_to_beat
from games.kernel.params import for_match
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import Piece, Square
from games.titles.simple_life_or_death.meta import ONE_D12, TWO_D6
from games.titles.simple_life_or_death.moves import Attack, Go, Land, Move
from games.titles.simple_life_or_death.phases.act import Moving, ends, sides
from games.titles.simple_life_or_death.rules import play
from games.titles.simple_life_or_death.state import ACT, FREE, LAND, NO_STOCK, State

FIGHTS: Mapping[str, tuple[tuple[int, ...], list[int], list[int]]] = {
    TWO_D6: ((6, 6), [6, 6, 1, 1], [1, 1, 6, 6]),
    ONE_D12: ((12,), [12, 1], [1, 12]),
}
"""For each kind of combat the dice of a side, and rolls with which the attacker wins and loses."""

STACKS = (2, 4)
"""Minimum and maximum number of the mover's stacks."""

HEIGHTS = (1, 1, 1, 2, 2, 3)
"""Heights of its stacks, each equally likely."""

SIDE = 16
LETTERS = "abcdefghijklmnop"

THEMES = ("one", "two")

FAR = 9
"""Maximum distance of a stack from the opponent's piece, along and across."""


class Questions(Decisions[State, Move]):
    question = gettext_noop("Which move has the best chance to win in this turn?")
    odds = gettext_noop(
        "The best choice wins in this turn in {best} of all cases, any other in at most {second}."
    )
    remark = gettext_noop("You have no attack left until a piece has moved.")
    themes = {
        "one": gettext_noop("One opponent left"),
        "two": gettext_noop("Two opponents left"),
    }

    def positions(
        self, seats: int, chance: random.Random
    ) -> Iterator[tuple[State, Seat, dict[str, Any]]]:
        while True:
            combat = chance.choice([TWO_D6, ONE_D12])
            state = _composed(seats, combat, chance)
            params = {"combat": combat}
            if state is None:
                continue
            try:
                full = for_match(self.title, seats, params)
                self.title.read_position(self.title.dump(state), seats, full)
            except BrokenPosition:
                continue
            yield state, state.turn, params

    def answer(self, state: State, seat: Seat, params: Params) -> Answer | None:
        if state.has_targets:
            return None
        moves = [move for move in Moving().moves(state) if isinstance(move, Go)]
        chances = {move: _chance_of(state, seat, move) for move in moves}
        result = clear(list(chances.values()))
        if result is None:
            return None
        best = max(moves, key=chances.__getitem__)
        return Answer(str(best), *result, THEMES[len(state.still_in) - 2])

    def is_right(self, state: State, seat: Seat, right: Move, move: Move) -> bool:
        return move == right


def _chance_of(state: State, seat: Seat, move: Go) -> float:
    """Return the chance to win in this turn after a move of a piece."""
    (faces,) = sides(state, move)
    by_ends: dict[tuple[Square, ...], int] = {}
    face_of: dict[tuple[Square, ...], int] = {}
    for face in range(1, faces + 1):
        stops = ends(state, move, face)
        by_ends[stops] = by_ends.get(stops, 0) + 1
        face_of[stops] = face
    total = 0.0
    for stops, count in by_ends.items():
        after, _ = play(state, seat, move, RecordedDice([face_of[stops]]))
        total += count * _chance(after, seat)
    return total / faces


def _chance(state: State, seat: Seat) -> float:
    """Return the chance to win in this turn after the roll of a movement."""
    if state.ranks is not None:
        return float(state.ranks[seat] == 1 and state.ranks.count(1) == 1)
    if state.turn != seat:
        return 0.0
    if state.phase == LAND and state.landing:
        return max(
            _chance(play(state, seat, Land(end), RecordedDice([]))[0], seat)
            for end in state.landing.ends
        )
    if state.phase != FREE:
        return 0.0
    attack = next(
        Attack(piece, target) for piece in state.pieces_of(seat) for target in state.targets(piece)
    )
    dice, wins, loses = FIGHTS[state.combat]
    won = float(chance_to_beat(dice, dice))
    after_win, _ = play(state, seat, attack, RecordedDice(wins))
    after_loss, _ = play(state, seat, attack, RecordedDice(loses))
    return won * _chance(after_win, seat) + (1 - won) * _chance(after_loss, seat)


# --- Positions ------------------------------------------------------------------------------------


def _composed(seats: int, combat: str, chance: random.Random) -> State | None:
    """Return a late position in which an opponent has a piece left. ``None`` if it is unsuitable.

    The mover has already attacked all pieces in reach.
    """
    mover = Seat(chance.randrange(seats))
    others = [seat for seat in range(seats) if seat != mover]
    chance.shuffle(others)
    alive = others[: chance.choice([1, 1, 2])]
    column, row = (chance.randrange(SIDE) for _ in "xy")
    own = list(components.PIECES_OF[mover])
    chance.shuffle(own)
    stacks: dict[Square, tuple[Piece, ...]] = {}
    for _ in range(chance.randint(*STACKS)):
        square = _square(column, row, FAR, chance)
        if square is None or square in stacks:
            return None
        count = chance.choice(HEIGHTS)
        stacks[square] = tuple(own.pop() for _ in range(count))
    for seat in alive:
        square = _square(column, row, 1, chance)
        if square is None:
            return None
        piece = chance.choice(components.PIECES_OF[seat])
        stacks[square] = (*stacks.get(square, ()), piece)
    ordered = {at: stacks[at] for at in sorted(stacks, key=components.PLACES.__getitem__)}
    state = State(
        width=SIDE,
        height=SIDE,
        order="clockwise",
        combat=combat,
        movement="polyhedral",
        rounds=0,
        stock=(NO_STOCK,) * seats,
        stacks=ordered,
        trophies=((),) * seats,
        hands=((),) * seats,
        draw=(),
        discard=(),
        seats_in=tuple(seat == mover or seat in alive for seat in range(seats)),
        dropped=(),
        first=Seat(0),
        turn=mover,
        round=chance.randint(17, 40),
        phase=ACT,
    )
    attacked = sorted(
        (piece, target) for piece in state.pieces_of(mover) for target in state.targets(piece)
    )
    return replace(state, attacked=tuple(attacked))


def _square(column: int, row: int, most: int, chance: random.Random) -> Square | None:
    """Return a square near another. ``None`` if it would be off the board."""
    x = column + chance.randint(-most, most)
    y = row + chance.randint(-most, most)
    if not (0 <= x < SIDE and 0 <= y < SIDE):
        return None
    return Square(f"{LETTERS[x]}{y + 1}")
