"""Evaluate positions of ended matches, with all hands open, for reviews."""

import random
from collections.abc import Sequence
from itertools import repeat
from typing import Any

import msgspec
from msgspec import structs

from games.bots.levels import LEVELS
from games.bots.questions import Appraisal, Appraised, Ply
from games.bots.search import Node, Search, TranspositionTable
from games.bots.solving import SEATS, Solver
from games.kernel import registry
from games.kernel.heuristics import AnyHeuristics, SampledDice, first_place

BEST = len(LEVELS) - 1

MIN_BACKED_UP = 32
"""The number of visits from which a position's own value is better than the one before it."""

LONGEST_LINE = 6
"""Maximum number of moves in the line shown as the best."""

MIN_VISITS = 8
"""A line ends before a move that was tried fewer times, since it means little."""

TRIAL = 20
"""One trial of a move that is observed costs as much as this many simulations."""

MIN_TRIALS = 20
"""Fewer trials say less than the heuristics' evaluation."""

TRIED = 20
"""An exact solution may try this many moves for each simulation, which costs less than that."""


def appraise(asked: Appraisal) -> Appraised:
    """Evaluate a position. The same question always has the same answer."""
    # Read back: the order of the keys of a position would be a difference.
    asked = msgspec.json.decode(asked.dump(), type=Appraisal)
    # The same dice for all moves of a position, since moves are compared.
    seed = structs.replace(asked, move="").dump()
    chance = random.Random(seed)  # noqa: S311 - what is imagined, not dice
    title = registry.get(asked.title, asked.rules_version)
    known = registry.heuristics(title).for_reviews()
    state = title.load(asked.position, asked.seats, asked.params)
    if ranks := title.result(state):
        return Appraised(first_place(ranks))
    seat = title.actors(state)[0]
    if title.meta.observes:
        return _by_eye(known, state, asked, chance)
    search, root = in_the_open(known, state, asked.seats, chance)
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


def in_the_open(
    known: AnyHeuristics, state: Any, seats: int, chance: random.Random
) -> tuple[Search, Node]:
    """Return a search of a position with all hands open, and its root."""
    seat = known.title.actors(state)[0]
    table = TranspositionTable(known.title, known, seats, seat, repeat(state), is_open=True)
    return Search(table, chance), Node(seats, state)


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


def _by_eye(known: AnyHeuristics, state: Any, asked: Appraisal, chance: random.Random) -> Appraised:
    """Return how a position looks in a game whose moves cost too much to be searched.

    With enough simulations a move is tried some times: the one asked about, or the best. In each
    trial all others then make a best move, which shows what they are up against.
    """
    seat = known.title.actors(state)[0]
    best = known.choose(state, seat, BEST, chance)
    move = known.title.parse(asked.move) if asked.move else best
    trials = asked.simulations // TRIAL
    if move is None or trials < MIN_TRIALS:
        values = known.evaluate(state, asked.seats)
    else:
        root = Node(asked.seats)
        for _ in range(trials):
            after = _after_a_lap(known, state, move, chance)
            root.add(known.value(after, asked.seats))
        values = root.values
    line = () if best is None else (Ply(seat, str(best)),)
    return Appraised(shares(values), line, bool(line))


def _after_a_lap(known: AnyHeuristics, state: Any, move: Any, chance: random.Random) -> Any:
    """Return a position after a move, and one of each other seat."""
    seat = known.title.actors(state)[0]
    moved = set()
    while move is not None:
        state = known.advance(state, seat, move, SampledDice(chance))
        moved.add(seat)
        waiting = [actor for actor in known.title.actors(state) if actor not in moved]
        if not waiting:
            break
        seat = waiting[0]
        move = known.choose(state, seat, BEST, chance)
    return state


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
