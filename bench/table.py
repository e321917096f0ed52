"""From hand to eyes: pairs of players at their pages, beside a bare consumer.

``ROUNDS`` says how often each is measured, ``GAMES`` which games (all, unless they are named).
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import cycle, islice
from multiprocessing import get_context
from statistics import median

from django.utils import timezone

from accounts.models import User
from bench import pairs, people, scripts, site
from bench.models import Counter
from bench.pairs import Played, Side, Table
from bench.rows import Row, percentile
from bench.site import Server
from games.kernel import registry

SECTION = "From hand to eyes: a move counts when the opponent's page holds the new board"

PAIRS = (1, 25, 100)
MOST = 25
"""The pairs by which every game is measured."""

SECONDS = 5.0
ROUNDS = int(os.environ.get("ROUNDS", "3"))
GAMES = os.environ.get("GAMES", "").split()
SCRIPTS = 6
"""How many matches of a game are written; pairs play the same ones."""

MATCHES = 8
"""How many matches a pair plays at most."""

USUAL = "die"
ENOUGH = 100_000
GOAL, DEFECT = 0.5, 0.2
LATE, LATE_ALONE = 3.0, 4.0
CPU = 2.5


@dataclass(frozen=True)
class Turn:
    """A run of the site and one of the floor."""

    site: Played
    floor: Played


def rows() -> Iterator[Row]:
    """Measure the usual game by number of pairs, then every other game."""
    people.make(2 * max(PAIRS), "pair")
    floor = ("daphne", "-v", "0", "bench.floor:application", "-p")
    with site.servers(*floor, kill=True) as bare, site.web_processes() as web:
        for title, count in _measured():
            turns = _turns(title, count, web, bare)
            yield from _rows(f"{title}, {count} pairs", turns, alone=count == 1)


def _measured() -> list[tuple[str, int]]:
    others = [title for title in registry.titles() if title != USUAL]
    found = [*((USUAL, count) for count in PAIRS), *((title, MOST) for title in others)]
    return [(title, count) for title, count in found if not GAMES or title in GAMES]


def _turns(title: str, count: int, web: Sequence[Server], bare: Sequence[Server]) -> list[Turn]:
    """Let site and floor be played by turns."""
    found = []
    for _ in range(ROUNDS):
        counted = _play(counters(count, bare), bare, floor=True)
        played = _play(matches(title, count, web), web)
        site.say(
            f"{title}, {count} pairs: {played.rate:.1f} moves/s, floor {counted.rate:.1f}/s,"
            f" {played.cpu:.1f} ms of core, {played.failures} requests beside the socket"
        )
        found.append(Turn(played, counted))
    return found


def _play(
    tables: Sequence[Sequence[Table]], servers: Sequence[Server], *, floor: bool = False
) -> Played:
    """Play in a process of its own, which is not slowed by what this one keeps."""
    with ProcessPoolExecutor(1, get_context("spawn")) as hands:
        return hands.submit(pairs.play, tables, SECONDS, servers, floor=floor).result()


def matches(title: str, count: int, web: Sequence[Server]) -> list[list[Table]]:
    """Start the matches of so many pairs."""
    users = list(User.objects.filter(username__startswith="pair-").order_by("pk")[: 2 * count])
    written = [scripts.write(title, seed) for seed in range(SCRIPTS)]
    found = []
    for pair, offset in zip(zip(users[::2], users[1::2], strict=True), range(count), strict=True):
        one, other = (
            Side(server.port, person.cookies, person.token)
            for server, person in zip(web, map(people.sign_in, pair), strict=True)
        )
        chosen = islice(cycle(written), offset, offset + MATCHES)
        found.append([Table(scripts.start(s, pair).pk, (one, other), s.moves) for s in chosen])
    return found


def counters(count: int, bare: Sequence[Server]) -> list[list[Table]]:
    """Return what so many pairs count, each one number without end."""
    made = Counter.objects.bulk_create(Counter(changed=timezone.now()) for _ in range(2 * count))
    sides = (Side(bare[0].port), Side(bare[1].port))
    moves = [(version % 2, "c3") for version in range(ENOUGH)]
    ids = [counter.pk for counter in made]
    return [
        [Table(first, sides, moves), Table(second, sides, moves)]
        for first, second in zip(ids[::2], ids[1::2], strict=True)
    ]


def _rows(what: str, turns: Sequence[Turn], *, alone: bool = False) -> Iterator[Row]:
    """Show how many moves a second, how long they took, and what they cost."""
    ratio = median(turn.site.rate / turn.floor.rate for turn in turns)
    rate, floor = (median(getattr(turn, name).rate for turn in turns) for name in ("site", "floor"))
    goal = f"≥ {GOAL} ×, below {DEFECT} a defect"
    yield Row(what, rate, "/s", floor, "/s, bare consumer", goal, ratio >= GOAL, ratio)
    most = LATE_ALONE if alone else LATE
    for percent, limit in ((50, None), (95, most)):
        here, there = (_percentile(turns, name, percent) for name in ("site", "floor"))
        said = f"≤ {limit:g} ×" if limit else ""
        reached = here <= limit * there if limit else None
        yield Row(f"  seen, p{percent}", here, "ms", there, "ms", said, reached)
    cpu, bare = (median(getattr(turn, name).cpu for turn in turns) for name in ("site", "floor"))
    said = f"≤ {CPU} ms"
    yield Row("  core of the web processes", cpu, "ms a move", bare, "ms", said, cpu <= CPU)


def _percentile(turns: Sequence[Turn], which: str, percent: int) -> float:
    """Return a percentile of the times of all turns, of ``site`` or ``floor``."""
    times = [time for turn in turns for time in getattr(turn, which).times]
    return percentile(times, percent)
