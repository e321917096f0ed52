"""Monte Carlo tree search on what a seat can know: the moves of bots.

Each simulation draws a full position that agrees with what the seat has seen, walks down the tree
by upper confidence bounds, adds one move, plays a few more moves, and counts the result, or the
heuristics' evaluation of the position. Source: Cowling, Powley and Whitehouse, "Information Set
Monte Carlo Tree Search" (2012), with one tree for the seat that thinks. The tree has no nodes for
chance: each simulation rolls the dice again. A node whose moves involve neither chance nor secrets
stores its position. Moves are added gradually, the most promising first: Coulom, "Computing Elo
Ratings of Move Patterns in the Game of Go" (2007), "progressive widening".
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from games.bots.questions import Answer, Question
from games.kernel import registry
from games.kernel.contract import AnyGame, Seat
from games.kernel.heuristics import AnyHeuristics, SampledDice

FORCED = 32
"""Maximum number of simulations for a seat that has only one legal move."""


class Node:
    """The results of simulations after a move: how many, and the sum of values for each seat.

    ``state`` is the position if it is the same in all simulations, and ``moves`` the candidates
    there, which are tried in their order. ``offered`` counts how often the move could be made.
    """

    __slots__ = ("children", "moves", "offered", "state", "values", "visits")

    def __init__(self, seats: int, state: Any = None) -> None:
        self.state = state
        self.moves: Sequence[Any] | None = None
        self.children: dict[Any, Node] = {}
        self.visits = self.offered = 0
        self.values = [0.0] * seats

    def add(self, values: Sequence[float]) -> None:
        self.visits += 1
        for seat, value in enumerate(values):
            self.values[seat] += value

    def best(self, seat: Seat, moves: Sequence[Any], exploration: float) -> Any:
        """Return the tried move with the highest upper confidence bound."""
        children = self.children
        best = moves[0]
        most = -1.0
        for move in moves:
            child = children[move]
            child.offered += 1
            visits = child.visits
            bound = child.values[seat] / visits + exploration * sqrt(log(child.offered) / visits)
            if bound > most:
                best = move
                most = bound
        return best


@dataclass(frozen=True)
class TranspositionTable:
    """The subject of a search: ``worlds`` are the positions that agree with what ``seat`` knows.

    If it ``is_open``, that is always the same one.
    """

    title: AnyGame
    known: AnyHeuristics
    seats: int
    seat: Seat
    worlds: Iterator[Any]
    is_open: bool


class Search:
    def __init__(self, table: TranspositionTable, chance: random.Random) -> None:
        self._table = table
        self._seats = table.seats
        self._chance = chance
        self._title = table.title
        self._heuristics = table.known
        self._worlds = table.worlds
        self._ends_at_chance = table.is_open and not table.known.beyond_chance
        self._noticed: dict[Any, bool] = {}
        self._overlooked = 0.0
        self._root: Node | None = None

    def answer(self, level: int) -> Answer:
        """Return the best move of a level (from 0), and how the seat stands."""
        seat = self._table.seat
        state = next(self._worlds)
        is_asked = seat in self._title.actors(state)
        if is_asked and (move := self._heuristics.choose(state, seat, level, self._chance)):
            values = self._heuristics.evaluate(state, self._seats)
            return Answer(str(move), values[seat])
        if self._title.meta.observes and not is_asked:
            return Answer("", self._heuristics.evaluate(state, self._seats)[seat])
        root = self._run(state, level)
        best = max(root.children.items(), key=lambda item: item[1].visits) if is_asked else None
        return Answer(str(best[0]) if best else "", root.values[seat] / root.visits)

    def _run(self, state: Any, level: int) -> Node:
        """Return the root after all simulations. With secrets each draws another position."""
        known = self._heuristics
        root = Node(self._seats, state if self._table.is_open else None)
        count = known.effort(state, level)
        self._root = root
        self._overlooked = known.overlooked[level]
        if self._table.is_open and (seat := self.actor(state)) is not None:
            root.moves = self._moves(root, state, seat)
            if len(root.moves) == 1:
                count = min(count, FORCED)
        self.simulate(root, count)
        return root

    def simulate(self, root: Node, count: int) -> None:
        """Add this many simulations to a tree."""
        for _ in range(count):
            self._simulate(root, next(self._worlds))

    def _moves(self, node: Node, state: Any, seat: Seat) -> Sequence[Any]:
        """Return the candidates, at the root without those that a weak player overlooks."""
        candidates = self._heuristics.candidates(state, seat, self._chance)
        if node is not self._root or not self._overlooked:
            return candidates
        for move in candidates:
            if move not in self._noticed:
                self._noticed[move] = self._chance.random() >= self._overlooked
        return [move for move in candidates if self._noticed[move]] or candidates[:1]

    def _simulate(self, root: Node, state: Any) -> None:
        node = root
        path = [root]
        while (seat := self.actor(state)) is not None:
            move, is_new = self._select(node, state, seat)
            state, node = self._step(node, state, seat, move)
            path.append(node)
            if is_new or (self._ends_at_chance and node.state is None):
                break
        values = self._heuristics.playout(state, self._seats, self._chance)
        for passed in path:
            passed.add(values)

    def actor(self, state: Any) -> Seat | None:
        """Return the seat whose move is searched: the thinking one, if several may act."""
        actors = self._title.actors(state)
        return self._table.seat if self._table.seat in actors else next(iter(actors), None)

    def _select(self, node: Node, state: Any, seat: Seat) -> tuple[Any, bool]:
        """Return the move to follow from a node, and whether it is a new one."""
        known = self._heuristics
        wanted = known.narrow + int(known.widening * sqrt(node.visits))
        if node.state is None:
            moves = self._moves(node, state, seat)
            tried: Sequence[Any] = [move for move in moves if move in node.children]
            if len(tried) < min(wanted, len(moves)):
                return next(move for move in moves if move not in node.children), True
            return node.best(seat, tried, known.exploration), False
        if node.moves is None:
            node.moves = known.candidates(state, seat, self._chance)
        if len(node.children) < min(wanted, len(node.moves)):
            return node.moves[len(node.children)], True
        return node.best(seat, node.moves[: len(node.children)], known.exploration), False

    def _step(self, node: Node, state: Any, seat: Seat, move: Any) -> tuple[Any, Node]:
        """Return the position and the node after a move."""
        child = node.children.get(move)
        if child is not None and child.state is not None:
            return child.state, child
        dice = SampledDice(self._chance)
        after = self._heuristics.advance(state, seat, move, dice)
        if child is None:
            is_fixed = node.state is not None and not dice.drawn
            child = node.children[move] = Node(self._seats, after if is_fixed else None)
            child.offered = 1
        return after, child


def think(question: Question) -> Answer:
    """Answer a question. The same question always has the same answer."""
    asked = question.dump()
    chance = random.Random(asked)  # noqa: S311 - what is imagined, not dice
    # Read back: the order of the keys of a view would be a difference, too.
    seen = Question.load(asked).seen
    title = registry.get(seen.title, seen.rules_version)
    known = registry.heuristics(title)
    worlds = title.determinize(seen, chance)
    is_open = not title.meta.has_secrets
    table = TranspositionTable(title, known, seen.seats, seen.seat, worlds, is_open)
    return Search(table, chance).answer(question.level)
