"""Runs through puzzles: as many as possible in five minutes, or until the third failure.

The puzzles come in order of difficulty, roughly. Each counts as tried, but none is rated.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import User
from games.kernel import registry
from games.kernel.errors import GameError
from games.matches.play import move_input
from games.study import progress, puzzle_ratings, puzzles
from games.study.lessons import Lesson, Verdict
from games.study.models import PuzzleRun

JITTER = 150
"""A puzzle may come earlier or later, as if its rating differed by this much."""


@dataclass(frozen=True)
class Judged:
    """A run after moves in one of its puzzles, the verdict on them and the comment on it."""

    run: PuzzleRun
    lesson: Lesson
    verdict: Verdict
    answer: str


def is_over(run: PuzzleRun, now: datetime) -> bool:
    """Whether a run has ended, also if only its time is up."""
    return run.ended is not None or (run.deadline is not None and now >= run.deadline)


def current(user: User, slug: str, now: datetime) -> PuzzleRun | None:
    """Return the user's run through puzzles of a game that isn't over."""
    run = PuzzleRun.objects.filter(user=user, title=slug, ended=None).first()
    return run if run and not is_over(run, now) else None


def best(user: User, slug: str) -> Mapping[str, int]:
    """Return the highest number of solved puzzles in a run of each kind."""
    rows = PuzzleRun.objects.filter(user=user, title=slug).values("kind")
    return dict(rows.annotate(most=Max("solved")).values_list("kind", "most"))


def begin(*, user: User, slug: str, kind: str, now: datetime) -> PuzzleRun:
    """Begin a run. Another one of the user ends.

    If two are begun at the same time, both calls return the same run.
    """
    is_timed = kind == PuzzleRun.Kind.TIME
    limit = timedelta(minutes=settings.PUZZLE_RUN_MINUTES)
    run = PuzzleRun(
        user=user,
        title=slug,
        kind=kind,
        numbers=_order(slug),
        begun=now,
        deadline=now + limit if is_timed else None,
    )
    try:
        with transaction.atomic():
            PuzzleRun.objects.filter(user=user, ended=None).update(ended=now)
            run.save()
    except IntegrityError:
        return PuzzleRun.objects.get(user=user, ended=None)
    return run


def _order(slug: str) -> list[int]:
    lessons = puzzles.as_lessons(slug)
    ratings = puzzle_ratings.of_puzzles(slug, lessons)
    chance = random.SystemRandom()
    key = {one.number: ratings[one.key] + chance.uniform(-JITTER, JITTER) for one in lessons}
    return sorted(key, key=key.__getitem__)


def lesson_of(run: PuzzleRun) -> Lesson | None:
    """Return the current puzzle of a run. ``None`` if it has been removed since."""
    lessons = puzzles.as_lessons(run.title)
    number = run.numbers[run.at]
    return lessons[number - 1] if number <= len(lessons) else None


def play(
    *, run: PuzzleRun, session: SessionBase, at: int, more: Sequence[str], now: datetime
) -> Judged:
    """Play moves in the current puzzle of a run, and go on to the next one after a verdict.

    ``at`` is the index of the puzzle that the reader saw.

    :raises GameError: the run is over or has gone on, there is no move, or one is refused.
    """
    lesson = lesson_of(run)
    if is_over(run, now) or lesson is None:
        raise GameError(_("This run is over."))
    if at != run.at:
        raise GameError(_("This run has gone on to another puzzle."))
    move_input.check(more)
    if not more:
        raise GameError(_("Choose a move first."))
    title = registry.get(run.title)
    # The search for a verdict holds no connection: what has changed meanwhile is compared below.
    done = puzzles.attempt_first(title, lesson, run.texts, more)
    changes = _changes(run, done.verdict, done.own)
    if changes["at"] >= len(run.numbers) or changes["failed"] >= _lives(run):
        changes |= {"ended": now, "at": run.at}
    same = PuzzleRun.objects.filter(pk=run.pk, turn=run.turn, ended=None)
    if not same.update(turn=run.turn + 1, **changes):
        raise GameError(_("This run has gone on to another puzzle."))
    if done.verdict is not Verdict.OPEN:
        _note(run, session, lesson, is_solved=done.verdict is Verdict.RIGHT, now=now)
    run.refresh_from_db()
    return Judged(run, lesson, done.verdict, done.answer)


def _changes(run: PuzzleRun, verdict: Verdict, own: Sequence[str]) -> dict[str, Any]:
    if verdict is Verdict.OPEN:
        return {"texts": own, "at": run.at, "failed": run.failed}
    return {
        "texts": [],
        "at": run.at + 1,
        "solved": run.solved + (verdict is Verdict.RIGHT),
        "failed": run.failed + (verdict is Verdict.WRONG),
    }


def _lives(run: PuzzleRun) -> int:
    """Return the number of failures that end a run. In a run by time it is never reached."""
    if run.kind == PuzzleRun.Kind.LIVES:
        return int(settings.PUZZLE_RUN_LIVES)
    return len(run.numbers) + 1


def _note(
    run: PuzzleRun, session: SessionBase, lesson: Lesson, *, is_solved: bool, now: datetime
) -> None:
    puzzle_ratings.count_try(
        user=run.user,
        session=session,
        slug=run.title,
        lesson=lesson,
        is_solved=is_solved,
        now=now,
        is_rated=False,
    )
    if is_solved:
        progress.solve_puzzle(
            user=run.user, session=session, slug=run.title, lesson=lesson, now=now
        )
