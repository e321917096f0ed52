"""Evaluate positions of ended matches, with all hands open, for reviews."""

import random
from collections.abc import Sequence
from itertools import repeat
from typing import Any

import msgspec

from games.bots.levels import LEVELS
from games.bots.questions import Appraisal, Appraised, Ply
from games.bots.search import Node, Search, TranspositionTable
from games.bots.solving import SEATS, Solver
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.heuristics import AnyHeuristics, first_place

MIN_BACKED_UP = 32
"""The number of visits from which a position's own value is better than the one before it."""

LONGEST_LINE = 6
"""Maximum number of moves in the line shown as the best."""

MIN_VISITS = 8
"""A line ends before a move that was tried fewer times, since it means little."""

TRIED = 20
"""An exact solution may try this many moves for each simulation, which costs less than that."""


def appraise(asked: Appraisal) -> Appraised:
    """Evaluate a position. The same question always has the same answer."""
    dumped = asked.dump()
    chance = random.Random(dumped)  # noqa: S311 - what is imagined, not dice
    # Read back: the order of the keys of a position would be a difference, too.
    asked = msgspec.json.decode(dumped, type=Appraisal)
    title = registry.get(asked.title, asked.rules_version)
    known = registry.heuristics(title).for_reviews()
    state = title.load(asked.position, asked.seats, asked.params)
    if ranks := title.result(state):
        return Appraised(first_place(ranks))
    seat = title.actors(state)[0]
    if title.meta.observes:
        return _by_eye(known, state, asked.seats, seat, chance)
    search = Search(
        TranspositionTable(title, known, asked.seats, seat, repeat(state), is_open=True), chance
    )
    root = Node(asked.seats, state)
    if asked.move:
        root.moves = [title.parse(asked.move)]
    search.simulate(root, asked.simulations)
    line, rolls = _line(search, root)
    solver, most = Solver(title), TRIED * asked.simulations
    exact = solver.chance(state, most) if asked.seats == SEATS and not asked.move else None
    if exact is None:
        return Appraised(shares(backed_up(root)), line, rolls)
    if exact == 1 - seat and (best := solver.winning_move(state, most)):
        is_same = line and line[0].move == best
        line = line if is_same else (Ply(seat, best),)
    return Appraised((exact, 1 - exact), line, rolls)


def backed_up(node: Node) -> Sequence[float]:
    """Return the values of a node's likeliest continuation, up to its first roll.

    Its own are averages that include moves which were tried only to find out that they are bad.
    After a roll they are averages over the faces, and the moves there belong to some of them.
    """
    while node.state is not None and node.children:
        best = max(node.children.values(), key=lambda child: child.visits)
        if best.visits < MIN_BACKED_UP:
            break
        node = best
    return node.values


def _by_eye(
    known: AnyHeuristics, state: Any, seats: int, seat: Seat, chance: random.Random
) -> Appraised:
    """Return how a position looks in a game whose moves cost too much to be searched."""
    best = known.choose(state, seat, len(LEVELS) - 1, chance)
    line = () if best is None else (Ply(seat, str(best)),)
    return Appraised(shares(known.evaluate(state, seats)), line, bool(line))


def _line(search: Search, root: Node) -> tuple[tuple[Ply, ...], bool]:
    """Return the moves that were tried most, and whether the last one rolls dice."""
    line: list[Ply] = []
    node = root
    while node.children and len(line) < LONGEST_LINE:
        move, child = max(node.children.items(), key=lambda item: item[1].visits)
        seat = search.actor(node.state)
        if seat is None or (line and child.visits < MIN_VISITS):
            break
        line.append(Ply(seat, str(move)))
        if child.state is None:
            return tuple(line), True
        node = child
    return tuple(line), False


def shares(values: Sequence[float]) -> tuple[float, ...]:
    """Normalise the values of seats so that they add up to 1."""
    whole = sum(values)
    return tuple(value / whole if whole else 1 / len(values) for value in values)
