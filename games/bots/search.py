"""Monte Carlo tree search on what a seat can know: the moves of bots.

Each simulation draws a full position that agrees with what the seat has seen, walks down the tree
by upper confidence bounds, adds one move, plays some moves on, and counts the result, or how the
heuristics judge the position. Source: Cowling, Powley and Whitehouse, "Information Set Monte
Carlo Tree Search" (2012), with one tree for the seat that thinks. The tree has no nodes for
chance: dice are rolled anew in each simulation. A node whose moves lead through neither chance nor
secrets keeps its position.
"""

import random
from collections.abc import Sequence
from math import log, sqrt
from typing import Any

from games.bots.questions import Answer, Question
from games.kernel import registry
from games.kernel.contract import Observation, Seat
from games.kernel.dice import Outcome, Watch
from games.kernel.heuristics import score
from games.kernel.trace import Trace

EXPLORATION = 0.7
"""The weight of the confidence bound: square root of one half, for values from 0 to 1."""

WIDENING = 2.0
"""A node visited n times tries so many times √n of its moves, the most promising first."""

LEAST = 3
"""So many moves of a node are tried at first."""


class SampledDice:
    """Chance as a bot imagines it: numbers of its own, which say nothing of those to come."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.drawn: list[Outcome] = []
        self.sides: list[int | None] = []
        self.traces: list[Trace] = []

    def roll(self, sides: int) -> int:
        """Return a number 1…``sides``."""
        face = self._chance.randint(1, sides)
        self.drawn.append(face)
        return face

    def observe(self, watch: Watch) -> Outcome:
        """Return what happens by the numbers imagined so far."""
        outcome, _ = watch()
        self.drawn.append(outcome)
        return outcome


class Node:
    """What simulations found behind a move: how often, and the sum of values for each seat.

    ``state`` is the position if it is the same in all simulations, and ``moves`` the candidates
    there; ``offered`` counts how often the move could be made.
    """

    __slots__ = ("children", "moves", "offered", "state", "values", "visits")

    def __init__(self, seats: int, state: Any = None) -> None:
        self.state = state
        self.moves: Sequence[Any] | None = None
        self.children: dict[Any, Node] = {}
        self.visits = self.offered = 0
        self.values = [0.0] * seats

    def bound(self, seat: Seat) -> float:
        """Return the upper confidence bound of the value for a seat."""
        mean = self.values[seat] / self.visits
        return mean + EXPLORATION * sqrt(log(self.offered) / self.visits)


class Search:
    """A search for a move of one seat, from what it sees."""

    def __init__(self, seen: Observation, chance: random.Random) -> None:
        self._seen, self._seats, self._chance = seen, seen.seats, chance
        self._title = registry.get(seen.title, seen.rules_version)
        self._rules, self._heuristics = self._title.rules, registry.heuristics(self._title)

    def answer(self, level: int) -> Answer:
        """Return the best move of a level (from 0), and how the seat stands."""
        seat, state = self._seen.seat, self._draw()
        is_asked = seat in self._rules.actors(state)
        if is_asked and (found := self._heuristics.choose(state, seat, level, self._chance)):
            values = self._heuristics.evaluate(state, self._seats)
            return Answer(str(found), values[seat])
        if self._title.meta.observes and not is_asked:
            return Answer("", self._heuristics.evaluate(state, self._seats)[seat])
        root = self._run(state, level)
        best = max(root.children.items(), key=lambda item: item[1].visits) if is_asked else None
        return Answer(str(best[0]) if best else "", root.values[seat] / root.visits)

    def _run(self, state: Any, level: int) -> Node:
        """Return the root after all simulations; with secrets each draws another position."""
        is_open = not self._title.meta.has_secrets
        root = Node(self._seats, state if is_open else None)
        if is_open and (seat := self._actor(state)) is not None:
            root.moves = self._noticed(state, seat, self._heuristics.overlooked[level])
        for _ in range(self._heuristics.simulations[level]):
            self._simulate(root, state if is_open else self._draw())
        return root

    def _noticed(self, state: Any, seat: Seat, overlooked: float) -> Sequence[Any]:
        """Return the moves at the root without those that a weak player does not see."""
        found = self._heuristics.candidates(state, seat, self._chance)
        left = [move for move in found if self._chance.random() >= overlooked]
        return left or found[:1]

    def _draw(self) -> Any:
        return self._title.determinize(self._seen, self._chance)

    def _simulate(self, root: Node, state: Any) -> None:
        node, path = root, [root]
        while (seat := self._actor(state)) is not None:
            move, is_new = self._select(node, state, seat)
            state, node = self._step(node, state, seat, move)
            path.append(node)
            if is_new:
                break
        values = self._playout(state)
        for passed in path:
            passed.visits += 1
            passed.values = [a + b for a, b in zip(passed.values, values, strict=True)]

    def _actor(self, state: Any) -> Seat | None:
        """Return whose move is looked at: of several seats that may act, the one that thinks."""
        actors = self._rules.actors(state)
        return self._seen.seat if self._seen.seat in actors else next(iter(actors), None)

    def _select(self, node: Node, state: Any, seat: Seat) -> tuple[Any, bool]:
        """Return the move to follow from a node, and whether it is a new one."""
        moves = self._moves(node, state, seat)
        tried = [move for move in moves if move in node.children]
        wanted = LEAST + int(WIDENING * sqrt(node.visits))
        if len(tried) < min(wanted, len(moves)):
            return next(move for move in moves if move not in node.children), True
        for move in tried:
            node.children[move].offered += 1
        return max(tried, key=lambda move: node.children[move].bound(seat)), False

    def _moves(self, node: Node, state: Any, seat: Seat) -> Sequence[Any]:
        """Return the candidates of a position, which a node with a fixed position keeps."""
        if node.state is None:
            return self._heuristics.candidates(state, seat, self._chance)
        if node.moves is None:
            node.moves = self._heuristics.candidates(state, seat, self._chance)
        return node.moves

    def _step(self, node: Node, state: Any, seat: Seat, move: Any) -> tuple[Any, Node]:
        """Return the position and the node behind a move."""
        child = node.children.get(move)
        if child is not None and child.state is not None:
            return child.state, child
        dice = SampledDice(self._chance)
        after, _ = self._rules.play(state, seat, move, dice)
        if child is None:
            is_fixed = node.state is not None and not dice.drawn
            child = node.children[move] = Node(self._seats, after if is_fixed else None)
            child.offered = 1
        return after, child

    def _playout(self, state: Any) -> Sequence[float]:
        """Return the value of a position for each seat, after some moves more."""
        rules, heuristics, dice = self._rules, self._heuristics, SampledDice(self._chance)
        for _ in range(heuristics.horizon):
            actors = rules.actors(state)
            if not actors:
                break
            move = heuristics.playout_move(state, actors[0], self._chance)
            state, _ = rules.play(state, actors[0], move, dice)
        ranks = rules.result(state)
        return score(ranks) if ranks else heuristics.evaluate(state, self._seats)


def think(question: Question) -> Answer:
    """Return what a bot answers: always the same to the same question."""
    asked = question.dump()
    chance = random.Random(asked)  # noqa: S311 - what is imagined, not dice
    # Read back: the order of the keys of a view would be a difference, too.
    return Search(Question.load(asked).seen, chance).answer(question.level)
