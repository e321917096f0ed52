"""Ratings of puzzle solvers and puzzles: each first try is a match of the two.

There is one rating per game. Only people with an account have one, and only the first try of a
puzzle counts, so the ratings depend on the order of tries and are never recomputed. First tries of
guests are stored, since a guest may join the site.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.contrib.sessions.backends.base import SessionBase
from django.db import models, transaction
from django.utils.translation import gettext_noop

from accounts.models import User
from games.ratings.calculation import Entrant, Strength, rate
from games.ratings.selectors import DisplayedRating, is_listed, shown
from games.study import progress
from games.study.lessons import Lesson
from games.study.models import PuzzleRating, PuzzleTry, SolvedLesson, SolverRating
from games.study.puzzles import puzzles

EASIEST = 1200.0
A_MOVE = 150.0
"""The initial rating of a forced win in one move, and how much each further move adds."""

CLOSEST = 1800.0
A_MARGIN = 600.0
"""The initial rating of a decision between equal chances, and how much less it is for a certain one
against none.
"""


class Difficulty(NamedTuple):
    """A range of ratings: from ``low`` up to, not including, ``high``."""

    name: str
    low: int
    high: int

    def has(self, rating: int) -> bool:
        return self.low <= rating < self.high


DIFFICULTIES: Mapping[str, Difficulty] = {
    "easy": Difficulty(gettext_noop("Easy"), 0, 1500),
    "medium": Difficulty(gettext_noop("Medium"), 1500, 1700),
    "hard": Difficulty(gettext_noop("Hard"), 1700, 10_000),
}

Rated = TypeVar("Rated", PuzzleRating, SolverRating)


def _before(slug: str, lesson: Lesson) -> Strength:
    """Return the initial strength of a puzzle."""
    puzzle = puzzles(slug)[lesson.number - 1]
    if puzzle.right:
        return Strength(mu=CLOSEST - A_MARGIN * puzzle.margin)
    return Strength(mu=EASIEST + A_MOVE * (puzzle.moves - 1))


def has_tried(user: Any, session: SessionBase, slug: str, lesson: Lesson) -> bool:
    """Whether the first try of a puzzle is over, including one before the user had an account."""
    if not user.is_authenticated:
        return lesson.key in progress.tried(session, slug)
    tries = PuzzleTry.objects.filter(user=user, title=slug, puzzle=lesson.key)
    solved = SolvedLesson.objects.filter(user=user, title=slug, lesson=lesson.key)
    return tries.exists() or solved.exists()


@transaction.atomic
def count_try(
    *,
    user: Any,
    session: SessionBase,
    slug: str,
    lesson: Lesson,
    is_solved: bool,
    now: datetime,
    is_rated: bool = True,
) -> None:
    """Store the first try of a puzzle, and rate it for people with an account.

    Visitors' tries are stored in the session, so that none of them counts after they sign in.
    """
    if not user.is_authenticated:
        progress.note_try(session, slug, lesson)
        return
    if has_tried(user, session, slug, lesson):
        return
    _, is_first = PuzzleTry.objects.get_or_create(
        user=user, title=slug, puzzle=lesson.key, defaults={"is_solved": is_solved, "tried": now}
    )
    if not is_first or user.is_guest or not is_rated:
        return
    solver = _locked(SolverRating, Strength(), user=user, title=slug)
    puzzle = _locked(PuzzleRating, _before(slug, lesson), title=slug, puzzle=lesson.key)
    places = (1, 2) if is_solved else (2, 1)
    rows = (solver, puzzle)
    entrants = [
        Entrant(Strength(row.mu, row.sigma), place) for row, place in zip(rows, places, strict=True)
    ]
    for row, after in zip(rows, rate(entrants), strict=True):
        row.mu, row.sigma, row.tries = *after, row.tries + 1
        row.save(update_fields=["mu", "sigma", "tries"])


def _locked(model: type[Rated], before: Strength, **which: Any) -> Rated:
    """Return the row of a rating, locked, or a new one if necessary."""
    model._default_manager.get_or_create(**which, defaults=before._asdict())
    return model._default_manager.select_for_update().get(**which)


def of_solver(user: Any, slug: str) -> DisplayedRating | None:
    """Return the puzzle rating of a user, who may be anonymous, in a game. ``None`` without one."""
    if not user.is_authenticated:
        return None
    row = SolverRating.objects.filter(user=user, title=slug).first()
    return shown(Strength(row.mu, row.sigma)) if row else None


def of_player(person: User, reader: Any) -> Sequence[tuple[str, DisplayedRating, int]]:
    """Return game, puzzle rating and number of puzzles of a player, as a reader may see them.

    Players who aren't listed on leaderboards show nothing to others.
    """
    if person != reader and not is_listed(person):
        return ()
    rows = SolverRating.objects.filter(user=person).order_by("title")
    return [(row.title, shown(Strength(row.mu, row.sigma)), row.tries) for row in rows]


def of_puzzles(slug: str, lessons: Sequence[Lesson]) -> dict[str, int]:
    rows: models.QuerySet[PuzzleRating] = PuzzleRating.objects.filter(title=slug)
    known = dict(rows.values_list("puzzle", "mu"))
    return {one.key: round(known.get(one.key, _before(slug, one).mu)) for one in lessons}
