"""Exact chances of positions near the end of a match, over all moves and dice."""

import time
from collections.abc import Sequence
from math import inf
from typing import Any

import msgspec

from games.kernel.contract import AnyGame, Seat
from games.kernel.dice import Outcome, Watch
from games.kernel.heuristics import first_place
from games.kernel.trace import Trace

SEATS = 2
"""Games for more are not solved: what is best for one depends on what others want."""


MOST_TIMED = 200_000
"""Maximum number of moves that are tried before a deadline, since solved positions take memory."""


class TooMany(Exception):
    """The solution takes more moves than are allowed."""


class Unrolled(Exception):
    """A move rolls more dice than were given. ``sides`` are those of the next one."""

    def __init__(self, sides: int) -> None:
        super().__init__(sides)
        self.sides = sides


class GivenDice:
    """Dice with given outcomes."""

    def __init__(self, faces: Sequence[int]) -> None:
        self._left = list(faces)
        self.drawn: list[Outcome] = []
        self.sides: list[int | None] = []
        self.traces: list[Trace] = []

    def roll(self, sides: int) -> int:
        """:raises Unrolled: no outcome is left."""
        if not self._left:
            raise Unrolled(sides)
        face = self._left.pop(0)
        self.drawn.append(face)
        return face

    def observe(self, watch: Watch) -> Outcome:
        raise NotImplementedError("what is observed can't be enumerated")


class Solver:
    """Solves positions of a game for ``SEATS``.

    Solved positions are kept, so later ones of the same match take less.
    """

    def __init__(self, title: AnyGame) -> None:
        self._title = title
        self._known: dict[Any, float] = {}
        self._left = 0
        self._deadline = inf

    def chance(self, state: Any, most: int) -> float | None:
        """Return the first seat's chance to win with best play by both.

        :param most: maximum number of moves that are tried.
        :return: ``None`` if that isn't enough.
        """
        self._left = most
        try:
            return self._solved(state)
        except (TooMany, RecursionError):
            return None

    def winning_move(self, state: Any, most: int) -> str:
        """Return a move with which the player to move surely wins. Empty if there is none.

        ``state`` has been solved.
        """
        seat = self._title.actors(state)[0]
        self._left = most
        for move in self._title.moves(state, seat):
            try:
                if self._after(state, seat, move, ()) == 1.0 - seat:
                    return str(move)
            except TooMany:
                break
        return ""

    def after_each(self, state: Any, deadline: float) -> dict[str, float] | None:
        """Return the first seat's chance after each move, with best play by both afterwards.

        :param deadline: when to give up, of ``time.monotonic``.
        :return: ``None`` if there wasn't time enough.
        """
        self._left, self._deadline = MOST_TIMED, deadline
        seat = self._title.actors(state)[0]
        try:
            moves = self._title.moves(state, seat)
            return {str(move): self._after(state, seat, move, ()) for move in moves}
        except (TooMany, RecursionError):
            return None

    def _solved(self, state: Any) -> float:
        if ranks := self._title.result(state):
            return first_place(ranks)[0]
        key = self._key(state)
        if key not in self._known:
            self._known[key] = self._best(state)
        return self._known[key]

    def _best(self, state: Any) -> float:
        seat = self._title.actors(state)[0]
        better, value, most = (max, 0.0, 1.0) if seat == 0 else (min, 1.0, 0.0)
        for move in self._title.moves(state, seat):
            value = better(value, self._after(state, seat, move, ()))
            if value == most:
                break
        return value

    def _after(self, state: Any, seat: Seat, move: Any, faces: tuple[int, ...]) -> float:
        """Return the chance after a move, on average over the dice that aren't given."""
        self._left -= 1
        if self._left < 0 or time.monotonic() > self._deadline:
            raise TooMany
        try:
            after, _ = self._title.play(state, seat, move, GivenDice(faces))
        except Unrolled as die:
            rolled = [(*faces, face) for face in range(1, die.sides + 1)]
            return sum(self._after(state, seat, move, given) for given in rolled) / die.sides
        return self._solved(after)

    def _key(self, state: Any) -> Any:
        """Return something hashable that equals that of equal positions only."""
        try:
            hash(state)
        except TypeError:
            return msgspec.json.encode(self._title.dump(state), order="sorted")
        return state
