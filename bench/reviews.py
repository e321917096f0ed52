"""``python -m bench reviews``: whether reviews can be trusted.

Two bots, one of them weak, play matches, which are reviewed as on the site. The chances of the last
``LAST`` positions are compared with the true ones. These are worked out exactly, over all moves and
dice, from the end of a match backwards, while a position takes at most ``MOVES`` moves. Earlier
ones are those of a search ``DEEPER`` times as long as the review's first look. In games whose moves
are observed and cost too much to be searched, the best bots play ``PLAYOUTS`` times to the end.

Each review is worked out again by another process, stored and read after each part, and must come
out the same. The chances of a game's puzzles are known: proved wins, or the chance to win in the
turn, which is the least that a closer look should see.
"""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from typing import Any

import msgspec

from bench.options import chosen
from bench.rows import Row
from bench.strength import Match
from games.bots.appraising import appraise, backed_up, in_the_open, shares
from games.bots.levels import LEVELS
from games.bots.questions import Appraisal
from games.bots.solving import Solver
from games.bots.thinker import own_thinker
from games.kernel import registry
from games.kernel.contract import AnyGame
from games.kernel.heuristics import AnyHeuristics, SampledDice, first_place
from games.kernel.params import for_match
from games.matches.log.log_entries import PLAY
from games.study.lessons import start
from games.study.puzzles import as_lessons, puzzles
from games.study.reviewing import (
    CLOSER,
    FALL,
    FEWEST_CLOSER,
    WHOLE,
    Chances,
    CloserLook,
    Work,
    in_thousandths,
)
from tests.reviews import work_on

MATCHES = chosen.rounds or 2
"""Matches of each game. Their parameters are those of ``bench strength``."""

LAST = 12
"""Positions at the end of a match whose chances are compared."""

MOVES = 100_000
"""Maximum number of moves that are tried for an exact solution."""

DEEPER = 40
PLAYOUTS = 40

CLOSE, CLOSE_SHARE = 80, 0.8
"""A chance should be this close, in thousandths, in this share of positions."""

LARGE, FOUND_SHARE = 150, 0.9
"""Falls above the first should be listed, this share of them."""

FALSE_SHARE = 0.1
"""The share of listed moves whose true fall may be less than half of ``FALL``."""

PATIENCE = 1000.0
"""Seconds that the other process may think about a position, on a busy machine."""

EVERY = 10
"""One in this many puzzles is tried."""

BEST, STRONG, WEAK = len(LEVELS) - 1, len(LEVELS) - 2, 0

SECTION = "Chances in reviews, compared with true ones"


HEADINGS = (
    *("game", "positions", "exact", f"within 8 points (≥ {CLOSE_SHARE:.0%})"),
    *("falls above 15", f"found (≥ {FOUND_SHARE:.0%})", "listed", f"false (≤ {FALSE_SHARE:.0%})"),
    *("puzzles", "seen", "repeated", "seconds", ""),
)


@dataclass
class Measured:
    """The chances and turning points in the reviews of a game, compared with the true ones.

    ``seconds`` is the processor time of each review.
    """

    slug: str
    exact: int = 0
    close: list[bool] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)
    false: list[bool] = field(default_factory=list)
    seen: list[bool] = field(default_factory=list)
    repeated: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def row(self) -> Row:
        close, found = _share(self.close, 1.0), _share(self.found, 1.0)
        false, seen = _share(self.false, 0.0), _share(self.seen, 1.0)
        reached = close >= CLOSE_SHARE and found >= FOUND_SHARE and false <= FALSE_SHARE
        return (
            *(self.slug, str(len(self.close)), str(self.exact), f"{close:.0%}"),
            *(str(len(self.found)), f"{found:.0%}", str(len(self.false)), f"{false:.0%}"),
            *(str(len(self.seen)), f"{seen:.0%}"),
            f"{sum(self.repeated)} of {len(self.repeated)}",
            f"{max(self.seconds):.0f}",
            "reached" if reached and all(self.repeated) else "MISSED",
        )


def _share(found: Sequence[bool], empty: float) -> float:
    return sum(found) / len(found) if found else empty


def rows() -> Iterator[Row]:
    """Review matches of each game."""
    return (measured(slug).row() for slug in chosen.games or registry.titles())


def measured(slug: str) -> Measured:
    """Review some matches of a game."""
    title, result = registry.get(slug), Measured(slug)
    for number in range(MATCHES):
        match = Match(slug, (STRONG, WEAK), number)
        match.play()
        work = work_on(title, match.played())
        began = time.process_time()
        for _ in work.parts():
            pass
        result.seconds.append(time.process_time() - began)
        result.repeated.append(_is_repeated(work))
        compare(work, Truth(work), result)
    result.seen = list(_seen(title))
    return result


def _is_repeated(work: Work) -> bool:
    """Whether another process, interrupted after each part, gets the same review."""
    ask = partial(own_thinker().appraise, patience=PATIENCE)
    again = Work(work.table, work.log, [], ask)
    while again.points is None:
        next(again.parts(), None)
        stored = msgspec.json.encode(msgspec.to_builtins(again.closer, str_keys=True))
        closer = msgspec.convert(msgspec.json.decode(stored), CloserLook, str_keys=True)
        again = Work(work.table, work.log, again.values, again.ask, closer, again.points)
    return (again.values, again.points) == (work.values, work.points)


def _seen(title: AnyGame) -> Iterator[bool]:
    """Yield for some puzzles whether a closer look sees their chance."""
    slug = title.meta.slug
    known = zip(as_lessons(slug), puzzles(slug), strict=True)
    for lesson, puzzle in islice(known, 0, None, EVERY):
        state, params = start(title, lesson), for_match(title, puzzle.seats, puzzle.params)
        effort = registry.heuristics(title).effort(state, BEST)
        simulations = max(FEWEST_CLOSER, effort // CLOSER)
        terms = (slug, title.meta.rules_version, params, puzzle.seats)
        found = appraise(Appraisal(*terms, title.dump(state), simulations))
        yield found.values[puzzle.seat] >= (puzzle.best or 1) - CLOSE / WHOLE


class Truth:
    """The true chances in a match, as far as they can be found out."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._title = work.table.title
        self.exact = dict(self._solved())
        self.chances = cache(self._chances)

    def _solved(self) -> Iterator[tuple[int, Chances]]:
        """Yield the exact chances, from the end backwards as far as positions can be solved."""
        solver, moments = Solver(self._title), self._work.moments
        for number in range(len(moments) - 1, -1, -1):
            if ranks := self._title.result(moments[number].state):
                yield number, in_thousandths(first_place(ranks))
                continue
            if self._title.meta.observes:
                return
            chance = solver.chance(moments[number].state, MOVES)
            if chance is None:
                return
            yield number, in_thousandths((chance, 1 - chance))

    def _chances(self, number: int) -> Chances:
        if number in self.exact:
            return self.exact[number]
        state, chance = self._work.moments[number].state, random.Random(number)
        known = registry.heuristics(self._title).for_reviews()
        values = self._played_out if self._title.meta.observes else self._searched
        return in_thousandths(values(known, state, chance))

    def _searched(self, known: AnyHeuristics, state: Any, chance: random.Random) -> Sequence[float]:
        search, root = in_the_open(known, state, len(self._work.table.players), chance)
        search.simulate(root, DEEPER * self._work.glance)
        return shares(backed_up(root))

    def _played_out(
        self, known: AnyHeuristics, state: Any, chance: random.Random
    ) -> Sequence[float]:
        results = []
        for _ in range(PLAYOUTS):
            after, dice = state, SampledDice(chance)
            while actors := self._title.actors(after):
                move = known.choose(after, actors[0], BEST, chance)
                after = known.advance(after, actors[0], move, dice)
            results.append(first_place(self._title.result(after) or ()))
        return [sum(result) / PLAYOUTS for result in zip(*results, strict=True)]


def compare(work: Work, truth: Truth, result: Measured) -> None:
    """Compare the end of a finished review with the true chances."""
    first = max(0, len(work.moments) - LAST)
    for number in range(first, len(work.moments)):
        if work.table.title.result(work.moments[number].state):
            continue
        result.exact += number in truth.exact
        pairs = zip(work.values[number], truth.chances(number), strict=True)
        result.close.append(max(abs(one - other) for one, other in pairs) <= CLOSE)
    listed = {point.number: point for point in work.points or ()}
    for entry in work.log[first:]:
        if entry.kind != PLAY:
            continue
        before, after = truth.chances(entry.number - 1), truth.chances(entry.number)
        falls = [one - other for one, other in zip(before, after, strict=True)]
        if max(falls) > LARGE:
            result.found.append(entry.number in listed)
        if point := listed.get(entry.number):
            result.false.append(falls[point.seat] < FALL / 2)
