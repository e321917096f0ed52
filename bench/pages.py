"""Pages of a match and a board: how long each takes and how long it is, for any length of match."""

import random
from collections.abc import Iterator
from itertools import islice

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from bench import long_match, people
from bench.rows import Row
from bench.visits import Visits, bare_page, signed_in, visit
from config.server.server import spare_the_collector
from games.kernel import registry
from games.kernel.contract import AnyGame
from games.kernel.tree import ROOT
from games.matches.models import Match
from games.screen.entry import Typed
from games.study import services
from games.study.replaying import moment_of, played, set_up
from games.study.tree import MAX_NODES, Tree
from games.web.study.forms import standard
from games.web.study.page import BoardPage
from games.web.study.views import STEP

SECTION = "Pages of a match, in one process, PostgreSQL (p95; compressed as by a proxy)"
SIZE = 7
LENGTHS = (20, 600, 5_000)
STEPS = 20
LEAVES = 0.05
"""The probability that the next move on a board begins a variation."""

MOST_TIME, MOST_QUERIES = 25.0, 12
MOST_OF_A_STEP, LONGEST_STEP = 50.0, 40_000


def rows() -> Iterator[Row]:
    """Measure the page of a match and steps all over its record, for logs of several lengths.

    The garbage collector runs as in a web process.
    """
    spare_the_collector()
    users = people.make(2, "reader")
    client = signed_in(users[0])
    floor = visit(client, bare_page()).p95
    half = people.play_half(people.start(users, 5), (users[0], users[1]))
    yield _match_row(client, half, floor)
    for length in LENGTHS:
        match = people.start(users, SIZE, clock=None)
        long_match.lengthen(match.pk, length)
        match.refresh_from_db(fields=["version"])
        yield _match_row(client, match, floor)
        yield _step_row(client, match, floor)
    for title in registry.titles().values():
        # the physics of 500 moves takes a minute
        if not title.meta.observes:
            yield from _board_rows(client, users[0], title, floor)


def _match_row(client: Client, match: Match, floor: float) -> Row:
    seen = visit(client, match.get_absolute_url())
    reached = seen.p95 <= MOST_TIME and seen.queries <= MOST_QUERIES
    goal = f"≤ {MOST_TIME:.0f} ms and ≤ {MOST_QUERIES} queries"
    return _row(f"match of {match.version:,} entries", seen, floor, goal, reached=reached)


def _step_row(client: Client, match: Match, floor: float) -> Row:
    numbers = (step * match.version // STEPS for step in range(1, STEPS + 1))
    parts = (f"{match.get_absolute_url()}{number}/?part=record" for number in numbers)
    seen = visit(client, *parts)
    reached = seen.p95 <= MOST_OF_A_STEP and seen.size <= LONGEST_STEP
    goal = f"≤ {MOST_OF_A_STEP:.0f} ms and ≤ {LONGEST_STEP / 1000:.0f} kB"
    return _row(f"step, {match.version:,} entries", seen, floor, goal, reached=reached)


def _board_rows(client: Client, user: User, title: AnyGame, floor: float) -> Iterator[Row]:
    """Measure steps over a saved board with the maximum number of moves."""
    on, tree = f" on a board of {MAX_NODES} moves, {title.meta.name}", _bushy(title)
    board = services.save(user=user, tree=tree, name=title.meta.name, now=timezone.now())
    numbers = (step * MAX_NODES // STEPS for step in range(1, STEPS + 1))
    pages = [reverse("study", args=[board.key, number]) for number in numbers]
    key = BoardPage(tree, ROOT, Typed()).list_key
    seen = visit(client, *(f"{page}?part={STEP}&lines={key}" for page in pages))
    yield _of_board(f"step{on}", seen, floor)
    yield _of_board(f"page without script{on}", visit(client, *pages), floor)


def _of_board(name: str, seen: Visits, floor: float) -> Row:
    reached = seen.p95 <= MOST_OF_A_STEP
    return _row(name, seen, floor, f"≤ {MOST_OF_A_STEP:.0f} ms", reached=reached)


def _bushy(title: AnyGame) -> Tree:
    """Return a full tree of random moves, each after the last one or anywhere."""
    rng = random.Random(title.meta.slug)
    tree, at = set_up(standard(title)), ROOT
    while len(tree.nodes) < MAX_NODES:
        state = moment_of(tree, at).state
        actors = title.actors(state)
        if actors:
            moves = list(islice(title.moves(state, actors[0]), long_match.CANDIDATES))
            tree, at = played(tree, at, actors[0], [str(rng.choice(moves))])
        if not actors or rng.random() < LEAVES:
            at = rng.choice(tree.nodes).id
    return tree


def _row(what: str, seen: Visits, floor: float, goal: str, *, reached: bool) -> Row:
    name = f"{what}: {seen.in_short}, {seen.size / 1000:.1f} kB"
    return Row(name, seen.p95, "ms", floor, "ms, bare page", goal, reached)
