"""The lines of the table of moves, with their goals, and the processes of players."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from statistics import median
from typing import ClassVar

from bench.pairs import Played
from bench.rows import percentile, short
from bench.site import Server

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

USUAL = "die"


@dataclass(frozen=True)
class Arrangement:
    """At how many processes the two players of a match are, and the goals for 25 pairs of DIE.

    ``share`` is the minimum share of the floor's moves, ``core`` the maximum milliseconds per move.
    """

    processes: int
    share: float
    core: float


ARRANGEMENTS = (Arrangement(2, 0.35, 6.5), Arrangement(1, 0.45, 5.0))
SHARE_OF_OTHERS = 0.2
LATE = 3.0
"""Maximum p95, as a multiple of the floor's."""

SOON = 6.0
"""Maximum p50 of a single pair in milliseconds."""


@dataclass(frozen=True)
class Turn:
    """A run of the site and one of the floor."""

    site: Played
    floor: Played


@dataclass(frozen=True)
class Line:
    """The measurement of one game with some pairs in one arrangement."""

    headings: ClassVar[Sequence[str]] = HEADINGS

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
        """Yield the names of missed goals."""
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


def seats(count: int, processes: int, servers: Sequence[Server]) -> list[tuple[Server, Server]]:
    """Return the process of each player of each pair."""
    first, second = servers
    if processes == 1:
        return list(islice(cycle([(first, first), (second, second)]), count))
    return [(first, second)] * count
