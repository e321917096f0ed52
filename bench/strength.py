"""``python -m bench strength [game | game/level-level …]``: how strong the levels of bots are.

Each level plays the one below it, the lowest and the highest play at random as well; seats
alternate. ``die`` stands for all pairs of a game, ``die/expert-random`` for one of them. What has
taken least time so far plays next: what is soon decided does not wait for what is not. A sequential
test (Wald, 1945) ends a pair as soon as either of two hypotheses is much likelier than the other:
that the odds of the stronger are ``APART`` times those of the goal, or as many times smaller; after
at most ``MOST`` matches. Results are kept in a file, match by match, so that what was
broken off goes on; a pair whose players or settings have changed starts again. It works in one
process, so that one core is all that it takes.
"""

import hashlib
import math
import os
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from games.bots import search
from games.bots.levels import LEVELS
from games.bots.questions import Question, told
from games.bots.search import think
from games.kernel import heuristics, registry
from games.kernel import params as parameters
from games.kernel.contract import AnyGame, Event, Observation, Params, Seat
from games.kernel.heuristics import SampledDice, score

MOST = int(os.environ.get("MATCHES", "200"))
MINUTES = float(os.environ.get("MINUTES", "120"))
"""No match is begun after so long; the next run goes on."""

LONGEST = 400
"""Moves after which a match is closed, and counts as it is ranked then."""

LISTED = 5_000
APART = 1.6
"""How far the hypotheses are from the goal, as a ratio of odds."""

MISTAKEN = 0.05
"""How often either verdict may be mistaken."""

Z = 1.96
"""Intervals are of so many standard deviations: 95 %, not corrected for looking several times."""

PRESETS: dict[str, dict[str, Any]] = {
    "precary-ice": {"rounds": 2},
    "die": {"size": 4},
    "simple-life-or-death": {"rounds": 6},
}
"""Smaller settings than the usual ones, by game."""

CLEAR = {"die", "grim-reaper", "precary-ice"}
"""Games in which chance leaves the highest level all but no loss against random play."""

RESULTS = Path(__file__).with_suffix(".json")
"""What was played so far, on whatever machine: it takes more hours than most have at once."""

RANDOM = None
LOWEST, HIGHEST = LEVELS[0].number, LEVELS[-1].number

Levels = tuple[int | None, int | None]


class Pair(NamedTuple):
    """Two levels (``None`` plays at random), and the share of points that the first is to win."""

    levels: Levels
    goal: float


def pairs(slug: str) -> Iterator[Pair]:
    """Yield the pairs of a game, those that take least time first."""
    yield Pair((LOWEST, RANDOM), 0.6)
    for level in LEVELS[1:]:
        yield Pair((level.number, level.number - 1), 0.65)
    yield Pair((HIGHEST, RANDOM), 0.95 if slug in CLEAR else 0.85)


class Played(msgspec.Struct):
    """What was played of a pair: by which code, the points of the first, and CPU s of each side."""

    code: str
    points: list[float] = []
    seconds: tuple[float, float] = (0.0, 0.0)
    moves: tuple[int, int] = (0, 0)
    slowest: tuple[float, float] = (0.0, 0.0)


Kept = dict[str, Played]


def main(names: Sequence[str]) -> int:
    """Play what is missing, and print a line for each pair; return how many miss their goals."""
    runs = [run for name in names or registry.titles() for run in runs_of(name)]
    for run in finished(runs, time.monotonic() + 60 * MINUTES):
        print(run.line, flush=True)
    return sum(run.verdict == "missed" for run in runs)


def runs_of(name: str) -> list["Run"]:
    """Return the runs that a name stands for: ``die`` or ``die/expert-random``."""
    slug, _, levels = name.partition("/")
    return [run for run in map(partial(Run, slug), pairs(slug)) if levels in ("", run.levels)]


def finished(runs: Sequence["Run"], until: float) -> Iterator["Run"]:
    """Play until a time of :func:`time.monotonic`; yield each run when it ends, the open ones last.

    A match that has begun is played to its end.
    """
    waiting = list(runs)
    while waiting:
        run = min(waiting, key=attrgetter("seconds"))
        if run.verdict != "open" or time.monotonic() >= until:
            waiting.remove(run)
            yield run
        else:
            run.play()


class Run:
    """The matches of a pair, with what was kept of them before."""

    def __init__(self, slug: str, pair: Pair) -> None:
        self._slug, self._pair = slug, pair
        self._name, code = f"{slug} {pair.levels}", digest(slug)
        found = kept().get(self._name)
        self.found = found if found and found.code == code else Played(code)

    @property
    def levels(self) -> str:
        """The names of both levels, as in ``expert-random``."""
        return "-".join(map(_name, self._pair.levels))

    @property
    def seconds(self) -> float:
        """The CPU time of all moves so far."""
        return sum(self.found.seconds)

    @property
    def verdict(self) -> str:
        """Whether the goal is ``reached`` or ``missed``, or it is ``open``."""
        return verdict(self.found.points, self._pair.goal)

    @property
    def line(self) -> str:
        """The results so far in words."""
        found, goal = self.found, self._pair.goal
        low, high = interval(found.points)
        one, other = map(_name, self._pair.levels)
        a_move = found.seconds[0] / max(1, found.moves[0])
        return (
            f"{self._slug:20} {one:8} v {other:8} {sum(found.points):5.1f}/{len(found.points):<4}"
            f" {low:4.0%} – {high:4.0%}  goal {goal:.0%}  {self.verdict:8}"
            f" {a_move:.2f} s a move, at most {found.slowest[0]:.2f}"
        )

    def play(self) -> None:
        """Play the next match, and keep its result."""
        match = Match(self._slug, self._pair.levels, len(self.found.points))
        self.found.points.append(match.play())
        match.add_times(self.found)
        keep(kept() | {self._name: self.found})


def kept() -> Kept:
    """Return what was played before, by pair."""
    return msgspec.json.decode(RESULTS.read_bytes(), type=Kept) if RESULTS.exists() else {}


def keep(found: Kept) -> None:
    """Keep what was played, a line for each pair."""
    lines = (f'"{name}": {msgspec.json.encode(found[name]).decode()}' for name in sorted(found))
    RESULTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def _name(level: int | None) -> str:
    return "random" if level is None else LEVELS[level].name


def digest(slug: str) -> str:
    """Return a digest of the code by which the bots of a game think, and of what is played."""
    own = registry.folder(slug) / "bot.py"
    files = [Path(str(module.__file__)) for module in (search, heuristics)]
    texts = [path.read_bytes() for path in (*files, own) if path.exists()]
    texts += [msgspec.json.encode(PRESETS[slug])] if slug in PRESETS else []
    return hashlib.sha256(b"".join(texts)).hexdigest()[:12]


def verdict(found: Sequence[float], goal: float) -> str:
    """Return whether a goal is ``reached`` or ``missed`` by the sequential test; or ``open``.

    After ``MOST`` matches the likelier of the two.
    """
    odds = goal / (1 - goal)
    low, high = (ratio / (1 + ratio) for ratio in (odds / APART, odds * APART))
    won, lost = sum(found), len(found) - sum(found)
    ratio = won * math.log(high / low) + lost * math.log((1 - high) / (1 - low))
    bound = math.log((1 - MISTAKEN) / MISTAKEN) if len(found) < MOST else 0.0
    if abs(ratio) < bound or not found:
        return "open"
    return "reached" if ratio >= bound else "missed"


def interval(found: Sequence[float]) -> tuple[float, float]:
    """Return an interval for the share of points (Wilson's, with ``Z``)."""
    count = len(found)
    if not count:
        return 0.0, 1.0
    share, spread = sum(found) / count, Z * Z / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / count + spread / count / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


class Match:
    """A match of two levels; seats change with its number."""

    def __init__(
        self, slug: str, levels: Levels, number: int, preset: Mapping[str, Any] | None = None
    ) -> None:
        self._title = registry.get(slug)
        self._chance = random.Random(f"{slug} {levels} {number}")
        self._own = Seat(number % 2)
        self._levels = levels if self._own == 0 else levels[::-1]
        chosen = PRESETS.get(slug, {}) if preset is None else preset
        self._params: Params = parameters.complete(self._title.meta, chosen)
        self._log: list[Event] = []
        self._times: list[list[float]] = [[], []]

    def play(self) -> float:
        """Return what the first of the levels wins: 1, 0.5 or 0."""
        title, dice = self._title, SampledDice(self._chance)
        state, plies = title.setup(2, self._params, dice), 0
        while (actors := title.actors(state)) and plies < LONGEST:
            move = self._title.parse(self._text(state, actors[0]))
            state, events = title.play(state, actors[0], move, dice)
            self._log += events
            plies += 1
        if title.actors(state):
            state, _ = title.close(state)
        return score(title.result(state) or (1, 1))[self._own]

    def add_times(self, to: Played) -> None:
        """Add the CPU time of the moves of both sides, in seconds."""
        own, other = self._times[:: -1 if self._own else 1]
        to.seconds = to.seconds[0] + sum(own), to.seconds[1] + sum(other)
        to.moves = to.moves[0] + len(own), to.moves[1] + len(other)
        to.slowest = max(to.slowest[0], *own, 0.0), max(to.slowest[1], *other, 0.0)

    def _text(self, state: Any, seat: Seat) -> str:
        """Return the move of a level, or any move where it plays at random."""
        level = self._levels[seat]
        if level is None:
            return any_move(self._title, state, seat, self._chance)
        seen = observation(self._title, self._params, state, seat, self._log)
        asked = Question(seen, level, f"{self._chance.random()}")
        began = time.process_time()
        answer = think(asked)
        self._times[seat].append(time.process_time() - began)
        return answer.move


def observation(
    title: AnyGame, params: Params, state: Any, seat: Seat, log: Sequence[Event]
) -> Observation:
    """Return what a seat of two has seen of a match."""
    view, meta = title.view(state, seat).dump(), title.meta
    heard = told(title, log, seat)
    return Observation(meta.slug, meta.rules_version, params, 2, seat, view, heard)


def any_move(title: AnyGame, state: Any, seat: Seat, chance: random.Random) -> str:
    """Return the text of a legal move, each of those listed as likely."""
    return str(chance.choice(list(islice(title.moves(state, seat), LISTED))))
