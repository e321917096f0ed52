"""``python -m bench strength [game | game/level-level …]``: the strength of the bots' levels.

Each level plays the one below it, the lowest and the highest play at random as well; seats
alternate. ``die`` stands for all pairs of a game, ``die/expert-random`` for one of them. The pair
with the least time so far plays next, so that quick decisions don't wait for slow ones. A
sequential test (Wald, 1945) ends a pair as soon as one of two hypotheses is much likelier than the
other: that the odds of the stronger are ``APART`` times those of the goal, or as many times
smaller; after at most ``MOST`` matches. Results are stored in a file, match by match, so that an
interrupted run continues. A pair whose players or settings have changed starts again. It uses a
single process, and so a single core.
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
from games.kernel.contract import Event, Observation, Params, Seat
from games.kernel.dice import Outcome
from games.kernel.heuristics import SampledDice, score
from games.kernel.playthrough import Playthrough
from games.kernel.replay import PlainEntry
from tests.contract.game_modules import policy_of

MOST = int(os.environ.get("MATCHES", "200"))
MINUTES = float(os.environ.get("MINUTES", "120"))
"""No match is begun after this many minutes. The next run continues."""

LONGEST = 400
"""Moves after which a match is closed, and counts by its rank then."""

LISTED = 5_000
APART = 1.6
"""The distance of the hypotheses from the goal, as a ratio of odds."""

MISTAKEN = 0.05
"""The probability of either wrong verdict."""

BEATS_RANDOM = 0.85
"""The share of points that the highest level must win against random play, unless a game says."""

RESULTS = Path(__file__).with_suffix(".json")
"""The results so far, from any machine: a full run takes hours."""

RANDOM = None
LOWEST, HIGHEST = LEVELS[0].number, LEVELS[-1].number

Levels = tuple[int | None, int | None]


class Pair(NamedTuple):
    """Two levels (``None`` plays at random), and the share of points that the first should win."""

    levels: Levels
    goal: float


def pairs(slug: str) -> Iterator[Pair]:
    """Yield the pairs of a game, the quickest first."""
    yield Pair((LOWEST, RANDOM), 0.6)
    for level in LEVELS[1:]:
        yield Pair((level.number, level.number - 1), 0.65)
    yield Pair((HIGHEST, RANDOM), getattr(policy_of(slug), "BEATS_RANDOM", BEATS_RANDOM))


class Played(msgspec.Struct):
    """A pair's results: the code's digest, the points of the first, and CPU s of each side."""

    code: str
    points: list[float] = []
    seconds: tuple[float, float] = (0.0, 0.0)
    moves: tuple[int, int] = (0, 0)
    slowest: tuple[float, float] = (0.0, 0.0)


Kept = dict[str, Played]


def main(names: Sequence[str]) -> int:
    """Play missing matches, print a line for each pair, and return how many miss their goals."""
    runs = [run for name in names or registry.titles() for run in runs_of(name)]
    for run in finished(runs, time.monotonic() + 60 * MINUTES):
        print(run.line, flush=True)
    return sum(run.verdict == "missed" for run in runs)


def runs_of(name: str) -> list["Run"]:
    """Return the runs for a name: ``die`` or ``die/expert-random``."""
    slug, _, levels = name.partition("/")
    return [run for run in map(partial(Run, slug), pairs(slug)) if levels in ("", run.levels)]


def finished(runs: Sequence["Run"], until: float) -> Iterator["Run"]:
    """Play until a time of :func:`time.monotonic`. Yield each run when it ends, open ones last.

    A match that has begun is finished.
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
    """The matches of a pair, including stored ones."""

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
        one, other = map(_name, self._pair.levels)
        a_move = found.seconds[0] / max(1, found.moves[0])
        return (
            f"{self._slug:20} {one:8} v {other:8} {sum(found.points):5.1f}/{len(found.points):<4}"
            f" goal {goal:.0%}  {self.verdict:8}"
            f" {a_move:.2f} s a move, at most {found.slowest[0]:.2f}"
        )

    def play(self) -> None:
        """Play the next match, and keep its result."""
        match = Match(self._slug, self._pair.levels, len(self.found.points))
        self.found.points.append(match.play())
        match.add_times(self.found)
        keep(kept() | {self._name: self.found})


def kept() -> Kept:
    """Return the stored results, by pair."""
    return msgspec.json.decode(RESULTS.read_bytes(), type=Kept) if RESULTS.exists() else {}


def keep(found: Kept) -> None:
    """Store the results, a line for each pair."""
    lines = (f'"{name}": {msgspec.json.encode(found[name]).decode()}' for name in sorted(found))
    RESULTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def _name(level: int | None) -> str:
    return "random" if level is None else LEVELS[level].name


def settings(slug: str) -> Mapping[str, Any]:
    """Return the parameters of a game's matches. They are smaller than usual where it says so."""
    parameters: Mapping[str, Any] = getattr(policy_of(slug), "STRENGTH", {})
    return parameters


def digest(slug: str) -> str:
    """Return a digest of the code of a game's bots, and of the settings."""
    own = registry.folder(slug) / "bot.py"
    files = [Path(str(module.__file__)) for module in (search, heuristics)]
    texts = [path.read_bytes() for path in (*files, own) if path.exists()]
    texts += [msgspec.json.encode(params)] if (params := settings(slug)) else []
    return hashlib.sha256(b"".join(texts)).hexdigest()[:12]


def verdict(found: Sequence[float], goal: float) -> str:
    """Return whether a goal is ``reached`` or ``missed`` by the sequential test, or ``open``.

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


class Match:
    """A match of two levels. Seats change with its number."""

    def __init__(self, slug: str, levels: Levels, number: int) -> None:
        self._title = registry.get(slug)
        self._chance = random.Random(f"{slug} {levels} {number}")
        self._own = Seat(number % 2)
        self._levels = levels if self._own == 0 else levels[::-1]
        self._params: Params = parameters.complete(self._title.meta, settings(slug))
        self._log: list[Event] = []
        self._times: list[list[float]] = [[], []]
        self._chance_of_setup: tuple[Outcome, ...] = ()
        self._steps: list[PlainEntry] = []

    def play(self) -> float:
        """Return the score of the first level: 1, 0.5 or 0."""
        title, dice = self._title, SampledDice(self._chance)
        state = title.setup(2, self._params, dice)
        self._chance_of_setup = tuple(dice.drawn)
        while (actors := title.actors(state)) and len(self._steps) < LONGEST:
            text, before = self._text(state, actors[0]), len(dice.drawn)
            state, events = title.play(state, actors[0], title.parse(text), dice)
            self._steps.append(PlainEntry("play", actors[0], text, tuple(dice.drawn[before:])))
            self._log += events
        if title.actors(state):
            state, _ = title.close(state)
            self._steps.append(PlainEntry("close"))
        return score(title.result(state) or (1, 1))[self._own]

    def played(self) -> Playthrough:
        """Return the match as it was played."""
        return Playthrough(
            about="",
            seats=2,
            params=self._params,
            chance=self._chance_of_setup,
            steps=tuple(self._steps),
            positions={},
            position={},
            ending="",
            result=(),
        )

    def add_times(self, to: Played) -> None:
        """Add the CPU time of the moves of both sides, in seconds."""
        own, other = self._times[:: -1 if self._own else 1]
        to.seconds = to.seconds[0] + sum(own), to.seconds[1] + sum(other)
        to.moves = to.moves[0] + len(own), to.moves[1] + len(other)
        to.slowest = max(to.slowest[0], *own, 0.0), max(to.slowest[1], *other, 0.0)

    def _text(self, state: Any, seat: Seat) -> str:
        """Return the move of a level, or any move if it plays at random."""
        title, level = self._title, self._levels[seat]
        if level is None:
            # Each of those listed is as likely.
            return str(self._chance.choice(list(islice(title.moves(state, seat), LISTED))))
        view, heard = title.view(state, seat).dump(), told(title, self._log, seat)
        match = (title.meta.slug, title.meta.rules_version, self._params, 2)
        asked = Question(Observation(*match, seat, view, heard), level, f"{self._chance.random()}")
        began = time.process_time()
        answer = think(asked)
        self._times[seat].append(time.process_time() - began)
        return answer.move
