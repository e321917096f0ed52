"""Moves shown to the opponent per second: pairs of players on their pages, beside a bare consumer.

The site is measured in two arrangements: the players of a match are at two web processes, or both
at one. There are two web processes in either case, and each serves half of the players. The floor
has the players of a pair at two processes. In each round the floor, then both arrangements play.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import cycle, islice

from django.utils import timezone

from accounts.models import User
from bench import pairs, people, scripts, site
from bench.lines import ARRANGEMENTS, USUAL, Line, Turn, seats
from bench.models import Counter
from bench.options import chosen
from bench.pairs import Played, Side, Table
from bench.scripts import Script
from bench.site import Server
from games.kernel import registry

SECTION = "Moves shown to the opponent's page: medians of the rounds, the floor in brackets"
PAIRS = (1, 25, 100)
MOST = 25
"""Number of pairs in games other than the usual one."""

SECONDS = chosen.seconds or 5.0
ROUNDS = chosen.rounds or 3
SCRIPTS = 6
"""Number of prepared matches of a game, which all pairs play."""

MATCHES = 16
"""Maximum number of matches of a pair."""

ENOUGH = 100_000


def rows() -> Iterator[Line]:
    """Measure the usual game by number of pairs, then every other game."""
    measured = _measured()
    people.make(2 * max(count for _, count in measured), "pair")
    floor = ("daphne", "-v", "0", "bench.floor:application", "-p")
    with site.servers(*floor, kill=True) as bare, site.web_processes() as web:
        for title, count in measured:
            rounds = [_round(title, count, web, bare) for _ in range(ROUNDS)]
            for arrangement, turns in zip(ARRANGEMENTS, zip(*rounds, strict=True), strict=True):
                yield Line(title, count, arrangement, turns)


def _measured() -> list[tuple[str, int]]:
    """Return the games to measure, each with a number of pairs."""
    counts = {title: chosen.pairs or [MOST] for title in registry.titles()}
    counts[USUAL] = chosen.pairs or list(PAIRS)
    titles = sorted(counts, key=lambda title: title != USUAL)
    games = [title for title in titles if not chosen.games or title in chosen.games]
    return [(title, count) for title in games for count in counts[title]]


def _round(title: str, count: int, web: Sequence[Server], bare: Sequence[Server]) -> list[Turn]:
    """Let the floor play, then the site in each arrangement."""
    counted = _play(counters(seats(count, 2, bare)), bare, floor=True)
    found = []
    for arrangement in ARRANGEMENTS:
        played = _play(matches(title, seats(count, arrangement.processes, web)), web)
        site.say(
            f"{title}, {count} pairs, processes {arrangement.processes}: {played.rate:.1f} moves/s"
            f" (floor {counted.rate:.1f}), core {played.cpu:.1f} ms (floor {counted.cpu:.1f}),"
            f" {played.failures} requests beside the socket, load {os.getloadavg()[0]:.1f}"
        )
        found.append(Turn(played, counted))
    return found


def _play(
    tables: Sequence[Sequence[Table]], servers: Sequence[Server], *, floor: bool = False
) -> Played:
    """Play in a process of its own, without the load of this one."""
    with site.hands() as hands:
        return hands.submit(pairs.play, tables, SECONDS, servers, floor=floor).result()


def matches(title: str, at: Sequence[tuple[Server, Server]]) -> list[list[Table]]:
    """Start the matches of pairs, given the processes of their players."""
    return seated([scripts.write(title, seed) for seed in range(SCRIPTS)], at)


def seated(written: Sequence[Script], at: Sequence[tuple[Server, Server]]) -> list[list[Table]]:
    """Start the matches of some scripts for each pair."""
    users = list(User.objects.filter(username__startswith="pair-").order_by("pk")[: 2 * len(at)])
    found = []
    for offset, servers in enumerate(at):
        pair = users[2 * offset : 2 * offset + 2]
        one, other = (
            Side(server.port, person.cookies, person.token)
            for server, person in zip(servers, map(people.sign_in, pair), strict=True)
        )
        played = islice(cycle(written), offset, offset + MATCHES)
        found.append([Table(scripts.start(s, pair).pk, (one, other), s.moves) for s in played])
    return found


def counters(at: Sequence[tuple[Server, Server]]) -> list[list[Table]]:
    """Return the floor's counters of pairs, given their processes: each an endless number."""
    made = Counter.objects.bulk_create(Counter(changed=timezone.now()) for _ in range(2 * len(at)))
    moves = [(version % 2, "c3") for version in range(ENOUGH)]
    ids = [counter.pk for counter in made]
    found = []
    for first, second, servers in zip(ids[::2], ids[1::2], at, strict=True):
        sides = (Side(servers[0].port), Side(servers[1].port))
        found.append([Table(first, sides, moves), Table(second, sides, moves)])
    return found
