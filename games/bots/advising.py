"""Find the best moves of a position with all hands open, for people who ask on a board."""

import random
import time
from collections.abc import Mapping
from typing import Any

from games.bots.appraising import MIN_VISITS, backed_up, in_the_open, shares
from games.bots.levels import LEVELS
from games.bots.questions import Advice, BestMove, Consultation
from games.bots.search import Node
from games.bots.solving import SEATS, Solver
from games.kernel import registry
from games.kernel.contract import Seat

SOLVING = 0.3
"""The share of the time that an exact solution may take."""


def advise(asked: Consultation) -> Advice:
    """Return the best moves of a position. More time gives better ones."""
    began = time.monotonic()
    chance = random.Random(asked.dump())  # noqa: S311 - what is imagined, not dice
    title = registry.get(asked.title, asked.rules_version)
    known = registry.heuristics(title).for_reviews()
    state = title.load(asked.position, asked.seats, asked.params)
    seat = title.actors(state)[0]
    if title.meta.observes:
        # Moves cost too much to be searched, and nobody can tell how they turn out.
        best = known.choose(state, seat, len(LEVELS) - 1, chance)
        return Advice(() if best is None else (BestMove(str(best), None),))
    solver, solved_by = Solver(title), began + SOLVING * asked.seconds
    if asked.seats == SEATS and (exact := solver.after_each(state, solved_by)):
        return Advice(_ranked(exact, seat, asked.best), exact=True)
    search, root = in_the_open(known, state, asked.seats, chance)
    search.simulate(root, 1)
    while root.visits < asked.simulations and time.monotonic() < began + asked.seconds:
        search.simulate(root, 1)
    return Advice(_most_tried(root, seat, asked.best))


def _ranked(chances: Mapping[str, float], seat: Seat, best: int) -> tuple[BestMove, ...]:
    """Return the best of all moves. ``chances`` are those of the first seat."""
    own = {move: chance if seat == 0 else 1 - chance for move, chance in chances.items()}
    moves = sorted(own, key=lambda move: -own[move])[:best]
    return tuple(BestMove(move, own[move]) for move in moves)


def _most_tried(root: Node, seat: Seat, best: int) -> tuple[BestMove, ...]:
    """Return the moves that a search tried most, the best first."""
    tried: list[tuple[Any, Node]] = sorted(root.children.items(), key=lambda one: -one[1].visits)
    first = tried[0][1].visits if tried else 0
    moves = [
        BestMove(str(move), shares(backed_up(child))[seat])
        for move, child in tried[:best]
        if child.visits >= min(MIN_VISITS, first)
    ]
    return tuple(sorted(moves, key=lambda one: -(one.chance or 0)))
