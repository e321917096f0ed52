"""Moves shown to the opponent per second: pairs of players at their pages, beside a bare consumer.

Both are measured in two arrangements: ``two`` has the players of a match at different web
processes, ``one`` has both at the same process. There are two web processes in either case, and
each serves half of the players. Site and floor play in turns.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import cycle, islice
from multiprocessing import get_context
from statistics import median

from django.utils import timezone

from accounts.models import User
from bench import pairs, people, scripts, site
from bench.models import Counter
from bench.options import chosen
from bench.pairs import Played, Side, Table
from bench.rows import percentile, short
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

PAIRS = (1, 25, 100)
MOST = 25
"""How many pairs play a game other than the usual one."""

SECONDS = chosen.seconds
ROUNDS = chosen.rounds or 3
SCRIPTS = 6
"""How many matches of a game are written; pairs play the same ones."""

MATCHES = 8
"""The most matches that a pair plays."""

USUAL = "die"
ENOUGH = 100_000


@dataclass(frozen=True)
class Arrangement:
    """At how many processes the two players of a match are, and the goals for 25 pairs of DIE.

    ``share`` is the least part of the floor's moves, ``core`` the most milliseconds a move.
    """

    processes: int
    share: float
    core: float


ARRANGEMENTS = (Arrangement(2, 0.35, 6.5), Arrangement(1, 0.45, 5.0))
SHARE_OF_OTHERS = 0.2
LATE = 3.0
"""The most that p95 may be, as a multiple of the floor's."""

SOON = 6.0
"""Milliseconds that half of the moves of a single pair may take."""


@dataclass(frozen=True)
class Turn:
    """A run of the site and one of the floor."""

    site: Played
    floor: Played


@dataclass(frozen=True)
class Line:
    """What was measured of one game with some pairs in one arrangement."""

    title: str
    pairs: int
    arrangement: Arrangement
    turns: Sequence[Turn]

    def cells(self) -> Sequence[str]:
        """Return the line as texts, one a column."""
        return (
            self.title,
            str(self.pairs),
            str(self.arrangement.processes),
            f"{short(self.site(_rate))} ({short(self.floor(_rate))})",
            f"{self.share:.2f}",
            f"{short(self.site(_cpu))} ({short(self.floor(_cpu))})",
            f"{short(self.site(_p50))} ({short(self.floor(_p50))})",
            f"{short(self.site(_p95))} ({short(self.floor(_p95))})",
            f"{self.lateness:.1f} ×",
            ", ".join(self._missed()),
        )

    def site(self, figure: Callable[[Played], float]) -> float:
        """Return the median of a figure of the site."""
        return median(figure(turn.site) for turn in self.turns)

    def floor(self, figure: Callable[[Played], float]) -> float:
        """Return the median of a figure of the floor."""
        return median(figure(turn.floor) for turn in self.turns)

    @property
    def share(self) -> float:
        """The site's moves as a part of the floor's: the median of the rounds' ratios."""
        return median(turn.site.rate / turn.floor.rate for turn in self.turns)

    @property
    def lateness(self) -> float:
        """The site's p95 as a multiple of the floor's: the median of the rounds' ratios."""
        return median(_p95(turn.site) / _p95(turn.floor) for turn in self.turns)

    def _missed(self) -> Iterator[str]:
        """Name the goals that are missed."""
        usual = self.title == USUAL
        share = self.arrangement.share if usual else SHARE_OF_OTHERS
        if self.pairs == 1:
            if usual and self.site(_p50) > SOON:
                yield f"p50 ≤ {SOON:g} ms"
            return
        if self.share < share:
            yield f"≥ {share:g}"
        if usual and self.site(_cpu) > self.arrangement.core:
            yield f"core ≤ {self.arrangement.core:g}"
        if usual and self.lateness > LATE:
            yield f"p95 ≤ {LATE:g} ×"


def _rate(played: Played) -> float:
    return played.rate


def _cpu(played: Played) -> float:
    return played.cpu


def _p50(played: Played) -> float:
    return percentile(played.times, 50)


def _p95(played: Played) -> float:
    return percentile(played.times, 95)


def rows() -> Iterator[Line]:
    """Measure the usual game by number of pairs, then every other game."""
    measured = _measured()
    people.make(2 * max(count for _, count in measured), "pair")
    floor = ("daphne", "-v", "0", "bench.floor:application", "-p")
    with site.servers(*floor, kill=True) as bare, site.web_processes() as web:
        for title, count in measured:
            for arrangement in ARRANGEMENTS:
                turns = _turns(title, count, arrangement, web, bare)
                yield Line(title, count, arrangement, turns)


def _measured() -> list[tuple[str, int]]:
    """Return the games to measure, each with a number of pairs."""
    counts = {title: chosen.pairs or [MOST] for title in registry.titles()}
    counts[USUAL] = chosen.pairs or list(PAIRS)
    titles = sorted(counts, key=lambda title: title != USUAL)
    games = [title for title in titles if not chosen.games or title in chosen.games]
    return [(title, count) for title in games for count in counts[title]]


def _turns(
    title: str,
    count: int,
    arrangement: Arrangement,
    web: Sequence[Server],
    bare: Sequence[Server],
) -> list[Turn]:
    """Let the floor and the site play in turns."""
    found = []
    for _ in range(ROUNDS):
        counted = _play(counters(count, seats(count, arrangement, bare)), bare, floor=True)
        played = _play(matches(title, seats(count, arrangement, web)), web)
        site.say(
            f"{title}, {count} pairs, {arrangement.processes} processes: {played.rate:.1f} moves/s"
            f" (floor {counted.rate:.1f}), core {played.cpu:.1f} ms (floor {counted.cpu:.1f}),"
            f" {played.failures} requests beside the socket"
        )
        found.append(Turn(played, counted))
    return found


def _play(
    tables: Sequence[Sequence[Table]], servers: Sequence[Server], *, floor: bool = False
) -> Played:
    """Play in a process of its own, which is not slowed by what this one keeps."""
    with ProcessPoolExecutor(1, get_context("spawn")) as hands:
        return hands.submit(pairs.play, tables, SECONDS, servers, floor=floor).result()


def seats(
    count: int, arrangement: Arrangement, servers: Sequence[Server]
) -> list[tuple[Server, Server]]:
    """Return the process of each player of each pair."""
    first, second = servers
    if arrangement.processes == 1:
        return list(islice(cycle([(first, first), (second, second)]), count))
    return [(first, second)] * count


def matches(title: str, at: Sequence[tuple[Server, Server]]) -> list[list[Table]]:
    """Start the matches of pairs, given the processes of their players."""
    users = list(User.objects.filter(username__startswith="pair-").order_by("pk")[: 2 * len(at)])
    written = [scripts.write(title, seed) for seed in range(SCRIPTS)]
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


def counters(count: int, at: Sequence[tuple[Server, Server]]) -> list[list[Table]]:
    """Return what so many pairs count, each one number without end."""
    made = Counter.objects.bulk_create(Counter(changed=timezone.now()) for _ in range(2 * count))
    moves = [(version % 2, "c3") for version in range(ENOUGH)]
    ids = [counter.pk for counter in made]
    found = []
    for first, second, servers in zip(ids[::2], ids[1::2], at, strict=True):
        sides = (Side(servers[0].port), Side(servers[1].port))
        found.append([Table(first, sides, moves), Table(second, sides, moves)])
    return found
