"""``python -m bench reviews``: whether reviews can be trusted.

Two bots, one of them weak, play matches, which are reviewed as on the site. The review's chances
are compared with the true ones: worked out exactly, over all moves and dice, where that takes at
most ``MOVES`` moves; elsewhere those of a search ``DEEPER`` times as long as the review's
longest. Where a game has puzzles of decisions to win in the turn, their enumerated chance is the
least that a closer look should see, within 8 points. Games in which moves are observed aren't
searched, so they are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from bench.options import chosen
from bench.strength import Match
from games.bots.appraising import appraise
from games.bots.levels import LEVELS
from games.bots.questions import Appraisal
from games.bots.solving import Solver
from games.kernel import registry
from games.kernel.contract import AnyGame
from games.kernel.params import for_match
from games.matches.log.log_entries import PLAY
from games.study.lessons import start
from games.study.puzzles import as_lessons, puzzles
from games.study.reviewing import CLOSER, FALL, FEWEST_CLOSER, WHOLE, Chances, Work
from tests.contract.game_modules import policy_of
from tests.reviews import work_on

MATCHES = chosen.rounds or 4
"""Matches of each game."""

MOVES = 100_000
"""Maximum number of moves that are tried for an exact solution."""

DEEPER = 40

CLOSE, CLOSE_SHARE = 80, 0.8
"""A chance should be this close, in thousandths, in this share of positions."""

LARGE, FOUND_SHARE = 150, 0.9
"""Falls above the first should be listed, this share of them."""

FALSE_SHARE = 0.1
"""The share of listed moves whose true fall may be less than half of ``FALL``."""

EVERY = 5
"""One in this many puzzles is tried."""

STRONG, WEAK = len(LEVELS) - 1, 0

SECTION = "Chances in reviews, compared with exact ones"


@dataclass
class Measured:
    """The chances and turning points in the reviews of a game, compared with the true ones."""

    headings: ClassVar[Sequence[str]] = (
        *("game", "positions", "exact", "within 8 points", "goal"),
        *("falls above 15", "found", "goal", "listed", "false", "goal"),
        *("decisions", "seen", ""),
    )

    slug: str
    exact: int = 0
    differences: list[int] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)
    false: list[bool] = field(default_factory=list)
    decided: list[bool] = field(default_factory=list)

    def cells(self) -> Sequence[str]:
        """Return the row as texts, one a column."""
        close = [difference <= CLOSE for difference in self.differences]
        reached = (
            _share(close, 1.0) >= CLOSE_SHARE
            and _share(self.found, 1.0) >= FOUND_SHARE
            and _share(self.false, 0.0) <= FALSE_SHARE
        )
        return (
            *(self.slug, f"{len(close)}", f"{self.exact}"),
            *(f"{_share(close, 1.0):.0%}", f"≥ {CLOSE_SHARE:.0%}"),
            *(f"{len(self.found)}", f"{_share(self.found, 1.0):.0%}", f"≥ {FOUND_SHARE:.0%}"),
            *(f"{len(self.false)}", f"{_share(self.false, 0.0):.0%}", f"≤ {FALSE_SHARE:.0%}"),
            *(f"{len(self.decided)}", f"{_share(self.decided, 1.0):.0%}"),
            "reached" if reached else "MISSED",
        )


def _share(found: Sequence[bool], empty: float) -> float:
    return sum(found) / len(found) if found else empty


def rows() -> Iterator[Measured]:
    """Review matches of each game, and yield what came of it."""
    for slug in chosen.games or registry.titles():
        if not registry.get(slug).meta.observes:
            yield measured(slug)


def measured(slug: str) -> Measured:
    """Review some matches of a game."""
    title, result = registry.get(slug), Measured(slug)
    solver = Solver(title)
    for number in range(MATCHES):
        match = Match(slug, (STRONG, WEAK), number, getattr(policy_of(slug), "SHORT", None))
        match.play()
        work = work_on(title, match.played())
        for _ in work.parts():
            pass
        compare(work, solver, result)
    result.decided = list(_decided(title))
    return result


def _decided(title: AnyGame) -> Iterator[bool]:
    """Yield for some puzzles of decisions whether the review's chance is high enough."""
    slug = title.meta.slug
    if registry.decisions(title) is None:
        return
    known = list(zip(as_lessons(slug), puzzles(slug), strict=True))
    for lesson, puzzle in known[::EVERY]:
        state, params = start(title, lesson), for_match(title, puzzle.seats, puzzle.params)
        effort = registry.heuristics(title).effort(state, STRONG)
        simulations = max(FEWEST_CLOSER, effort // CLOSER)
        terms = (slug, title.meta.rules_version, params, puzzle.seats)
        found = appraise(Appraisal(*terms, title.dump(state), simulations))
        yield found.values[puzzle.seat] >= puzzle.best - CLOSE / WHOLE


def compare(work: Work, solver: Solver, result: Measured) -> None:
    """Compare a finished review with the true chances."""
    true = []
    for number, moment in enumerate(work.moments):
        chance = solver.chance(moment.state, MOVES)
        result.exact += chance is not None
        if chance is None:
            true.append(work._chances(number, DEEPER * work._simulations))
        else:
            true.append([round(WHOLE * chance), round(WHOLE * (1 - chance))])
        result.differences.append(_difference(work.values[number], true[-1]))
    listed = {point.number: point for point in work.points or ()}
    for entry in work.log:
        if entry.kind != PLAY:
            continue
        fall = max(_falls(true, entry.number))
        if fall > LARGE:
            result.found.append(entry.number in listed)
        if point := listed.get(entry.number):
            result.false.append(_falls(true, point.number)[point.seat] < FALL / 2)


def _difference(said: Chances, true: Chances) -> int:
    return max(abs(one - other) for one, other in zip(said, true, strict=True))


def _falls(true: Sequence[Chances], number: int) -> list[int]:
    return [one - other for one, other in zip(true[number - 1], true[number], strict=True)]
