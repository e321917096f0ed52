"""Heuristics: what bots know of a game beyond its rules.

A title may have a module ``bot.py`` with a subclass called ``Knowledge``, which is found like the
title itself. Bots search a game without one with these defaults.
"""

import random
from collections.abc import Sequence
from itertools import islice
from typing import Any, ClassVar, Generic, Self, TypeVar
from zlib import crc32

from games.kernel.contract import AnyGame, Ranks, Seat
from games.kernel.dice import Outcome, Watch
from games.kernel.trace import Trace

S = TypeVar("S")
M = TypeVar("M")

MAX_LISTED_MOVES = 300
"""Maximum number of legal moves considered in a position, if a game has no heuristics."""


class SampledDice:
    """Chance as a bot imagines it: numbers of its own, independent of those to come."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.drawn: list[Outcome] = []
        self.sides: list[int | None] = []
        self.traces: list[Trace] = []

    def roll(self, sides: int) -> int:
        face = self._chance.randint(1, sides)
        self.drawn.append(face)
        return face

    def observe(self, watch: Watch) -> Outcome:
        """Return an outcome computed with the imagined numbers."""
        outcome, _ = watch()
        self.drawn.append(outcome)
        return outcome


class Heuristics(Generic[S, M]):
    """Which moves are worth trying, how playouts continue, and how good a position is.

    All of it is pure: chance is an argument. ``simulations`` has the number for each level, the
    lowest first, and ``overlooked`` the share of its own moves that each level ignores. ``horizon``
    is how many moves a playout continues before it is evaluated. ``width`` bounds how many moves of
    a position are tried: at first ``narrow`` of them, and ``widening`` times √n more after n
    visits, the most promising first. ``exploration`` is the weight of the confidence bound. Without
    ``beyond_chance`` the tree of a game without secrets ends where dice are rolled, which suits
    games in which other numbers leave other moves. Playouts continue from there. A result is worth
    the share of the others that a seat beats, or, if ``counts_places`` is false, its share of the
    first place. ``review_horizons`` is for games in which a playout favours the seat whose turn is
    the last in it. That suits the choice of a move, but not the comparison of positions in which
    different seats are to move. Then reviews take the average after each of these numbers of moves.
    """

    simulations: ClassVar[Sequence[int]] = (16, 64, 256, 1024)
    overlooked: ClassVar[Sequence[float]] = (0.5, 0.25, 0.0, 0.0)
    horizon: ClassVar[int] = 60
    review_horizons: ClassVar[Sequence[int]] = ()
    width: ClassVar[int] = 60
    narrow: ClassVar[int] = 3
    widening: ClassVar[float] = 2.0
    exploration: ClassVar[float] = 0.7
    beyond_chance: ClassVar[bool] = True
    counts_places: bool = True
    horizons: Sequence[int] = ()

    def __init__(self, title: AnyGame) -> None:
        self.title = title

    def for_reviews(self) -> Self:
        """Change how playouts are counted so that chances of positions can be compared."""
        self.counts_places = False
        self.horizons = self.review_horizons
        return self

    def candidates(self, state: S, seat: Seat, chance: random.Random) -> Sequence[M]:
        """Return moves worth trying, the most promising first. Never empty for a seat to move.

        By default their order is arbitrary, and the same in all positions.
        """
        moves: list[M] = list(islice(self.title.moves(state, seat), MAX_LISTED_MOVES))
        return sorted(moves, key=lambda move: crc32(str(move).encode()))[: self.width]

    def playout_move(self, state: S, seat: Seat, chance: random.Random) -> M:
        """Return a move for a playout: quickly found, and not too bad."""
        moves: list[M] = list(islice(self.title.moves(state, seat), MAX_LISTED_MOVES))
        return chance.choice(moves)

    def effort(self, state: S, level: int) -> int:
        """Return how many simulations a level (from 0) makes from a position."""
        return self.simulations[level]

    def advance(self, state: S, seat: Seat, move: M, dice: SampledDice) -> S:
        after: S = self.title.play(state, seat, move, dice)[0]
        return after

    def playout(self, state: S, seats: int, chance: random.Random) -> Sequence[float]:
        """Return each seat's expected score, from 0 to 1, after a short playout."""
        dice = SampledDice(chance)
        found: list[Sequence[float]] = []
        made = 0
        for horizon in self.horizons or (self.horizon,):
            while made < horizon and (actors := self.title.actors(state)):
                move = self.playout_move(state, actors[0], chance)
                state = self.advance(state, actors[0], move, dice)
                made += 1
            found.append(self.value(state, seats))
        return [sum(values) / len(found) for values in zip(*found, strict=True)]

    def value(self, state: S, seats: int) -> Sequence[float]:
        """Return the result of a position for each seat, or how good it is while it runs."""
        ranks = self.title.result(state)
        if not ranks:
            return self.evaluate(state, seats)
        return score(ranks) if self.counts_places else first_place(ranks)

    def evaluate(self, state: S, seats: int) -> Sequence[float]:
        """Return how good a running position is for each seat, from 0 (lost) to 1 (won)."""
        return (0.5,) * seats

    def choose(self, state: S, seat: Seat, level: int, chance: random.Random) -> M | None:
        """Return the move of a level (from 0) if no search is needed. Otherwise ``None``."""
        return None


AnyHeuristics = Heuristics[Any, Any]


def score(ranks: Ranks) -> tuple[float, ...]:
    """Score ranks from 0 to 1: the share of the others that a seat beats.

    A tie counts as half.
    """
    others = len(ranks) - 1
    return tuple(
        sum(0.5 + 0.5 * ((rank < other) - (rank > other)) for other in ranks) / others
        - 0.5 / others
        for rank in ranks
    )


def first_place(ranks: Ranks) -> tuple[float, ...]:
    """Score ranks by each seat's share of the first place."""
    return tuple((rank == 1) / ranks.count(1) for rank in ranks)
