"""Moves shown to the opponent per second: pairs of players on their pages, beside a bare consumer.

The site is measured in two arrangements: the players of a match are at two web processes, or both
at one. There are two web processes in either case, and each serves half of the players. The floor
has the players of a pair at two processes. In each round the floor, then both arrangements play.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from statistics import median

from django.utils import timezone

from accounts.models import User
from bench import pairs, people, site
from bench.connections import Browser
from bench.models import Counter
from bench.options import chosen
from bench.pairs import Played, Table
from bench.rows import Row, short
from bench.site import Server
from games.kernel import registry

SECTION = "Moves shown to the opponent's page: medians of the rounds, the floor in brackets"
HEADINGS = (
    "game",
    "pairs",
    "processes of a match",
    "moves/s",
    "of the floor",
    "core ms a move",
    "p50 ms",
    "p95 ms",
    "p95 to the floor's",
    "missed goals",
)
PAIRS, PAIRS_OF_OTHERS = (1, 25, 100), (25,)
"""Numbers of pairs in DIE, and in other games."""

SECONDS = chosen.seconds or 5.0
ROUNDS = chosen.rounds or 3
SCRIPTS = 6
"""Number of prepared matches of a game, which all pairs play."""

MATCHES = 16
"""Maximum number of matches of a pair."""

ENOUGH = 100_000
"""Moves of the floor, more than a run makes."""

GOALS = {2: (0.35, 6.5), 1: (0.45, 5.0)}
"""For several pairs of DIE, by the processes of a match: the minimum share of the floor's moves,
and the maximum milliseconds of core per move."""

SHARE_OF_OTHERS = 0.2
LATE = 3.0
"""Maximum p95, as a multiple of the floor's."""

SOON = 6.0
"""Maximum p50 of a single pair in milliseconds."""


def rows() -> Iterator[Row]:
    """Measure DIE by number of pairs, then every other game."""
    others = sorted(set(registry.titles()) - {people.TITLE})
    measured = [
        (title, count)
        for title in (people.TITLE, *others)
        for count in chosen.pairs or (PAIRS if title == people.TITLE else PAIRS_OF_OTHERS)
        if not chosen.games or title in chosen.games
    ]
    people.make(2 * max(count for _, count in measured), "pair")
    with site.floors() as bare, site.web_processes() as web:
        for title, count in measured:
            rounds = [_round(title, count, web, bare) for _ in range(ROUNDS)]
            for processes, runs in zip(GOALS, zip(*rounds, strict=True), strict=True):
                yield line(title, count, processes, runs)


def _round(
    title: str, count: int, web: Sequence[Server], bare: Sequence[Server]
) -> list[tuple[Played, Played]]:
    """Let the floor play, then the site in each arrangement. Return pairs of site and floor."""
    floor = _play(counters(seats(count, 2, bare)), bare)
    found = []
    for processes in GOALS:
        played = _play(matches(title, seats(count, processes, web)), web)
        site.say(
            f"{title}, {count} pairs, processes {processes}: {played.rate:.1f} moves/s"
            f" (floor {floor.rate:.1f}), core {played.core:.1f} ms (floor {floor.core:.1f}),"
            f" {played.failures} requests beside the socket, load {os.getloadavg()[0]:.1f}"
        )
        found.append((played, floor))
    return found


def _play(tables: Sequence[Sequence[Table]], servers: Sequence[Server]) -> Played:
    """Play in a process of its own, without the load of this one."""
    with site.hands() as hands:
        return hands.submit(pairs.play, tables, SECONDS, servers).result()


def seats(count: int, processes: int, servers: Sequence[Server]) -> list[tuple[int, int]]:
    """Return the port of each player of each pair."""
    first, second = (server.port for server in servers)
    if processes == 1:
        return list(islice(cycle([(first, first), (second, second)]), count))
    return [(first, second)] * count


def matches(title: str, at: Sequence[tuple[int, int]]) -> list[list[Table]]:
    """Start the matches of pairs, given the ports of their players."""
    users = list(User.objects.filter(username__startswith="pair-").order_by("pk")[: 2 * len(at)])
    scripts = [people.script(title, seed) for seed in range(SCRIPTS)]
    found = []
    for pair, (one, other) in enumerate(at):
        both = users[2 * pair : 2 * pair + 2]
        browsers = (people.sign_in(both[0], one), people.sign_in(both[1], other))
        played = islice(cycle(scripts), pair, pair + MATCHES)
        found.append([Table(s.start(both).pk, browsers, s.moves) for s in played])
    return found


def counters(at: Sequence[tuple[int, int]]) -> list[list[Table]]:
    """Return the floor's counters of pairs, two each: a run never ends the first."""
    made = Counter.objects.bulk_create(Counter(changed=timezone.now()) for _ in at)
    moves = [(version % 2, "c3") for version in range(ENOUGH)]
    return [
        [Table(counter.pk, (Browser(one, ""), Browser(other, "")), moves)] * 2
        for counter, (one, other) in zip(made, at, strict=True)
    ]


def line(title: str, count: int, processes: int, runs: Sequence[tuple[Played, Played]]) -> Row:
    """Return the row of a game with some pairs, from runs of the site and of the floor."""
    site, floor = (
        Played(*map(median, zip(*each, strict=True))) for each in zip(*runs, strict=True)
    )
    share = median(ours.rate / bare.rate for ours, bare in runs)
    lateness = median(ours.p95 / bare.p95 for ours, bare in runs)
    usual = title == people.TITLE
    least, core = GOALS[processes] if usual else (SHARE_OF_OTHERS, float("inf"))
    if count == 1:
        missed = {f"p50 ≤ {SOON:g} ms": usual and site.p50 > SOON}
    else:
        missed = {
            f"≥ {least:g}": share < least,
            f"core ≤ {core:g}": site.core > core,
            f"p95 ≤ {LATE:g} ×": usual and lateness > LATE,
        }
    return (
        title,
        str(count),
        str(processes),
        f"{short(site.rate)} ({short(floor.rate)})",
        f"{share:.2f}",
        f"{short(site.core)} ({short(floor.core)})",
        f"{short(site.p50)} ({short(floor.p50)})",
        f"{short(site.p95)} ({short(floor.p95)})",
        f"{lateness:.1f} ×",
        ", ".join(goal for goal, is_missed in missed.items() if is_missed),
    )
