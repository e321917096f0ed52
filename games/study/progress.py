"""Which lessons and puzzles somebody has solved.

They are rows for accounts and guests, and in the session for visitors. A day on which somebody
solved a puzzle is stored like a lesson, under a key of its own.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, timedelta
from itertools import count
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from games.study.lessons import Lesson
from games.study.models import PuzzleTry, SolvedLesson

SESSION_KEY = "lessons"
"""Session key: the keys of the solved lessons, by game."""

TRIED_KEY = "tried-puzzles"
"""Session key: the keys of the puzzles that a visitor has tried, by game."""

DAY = "day-"
"""Prefix of the keys of days on which a puzzle was solved."""


def solved(user: Any, session: SessionBase, slug: str) -> set[str]:
    """Return the keys of the lessons of a game that a user, who may be anonymous, has solved."""
    if user.is_authenticated:
        rows = SolvedLesson.objects.filter(user=user, title=slug)
        return set(rows.values_list("lesson", flat=True))
    return set(session.get(SESSION_KEY, {}).get(slug, ()))


def key_of_day(day: date) -> str:
    """Return the key of a day with a solved puzzle, by the calendar of the solver."""
    return f"{DAY}{day.isoformat()}"


def streak(user: Any, session: SessionBase, now: datetime) -> int:
    """Return on how many days in a row a user, who may be anonymous, solved a puzzle of any game.

    The last of these days is today, or yesterday while there is still time. Days begin and end in
    the current time zone.
    """
    return streak_and_solved(user, session, now)[0]


def streak_and_solved(
    user: Any, session: SessionBase, now: datetime, slug: str = "", key: str = ""
) -> tuple[int, bool]:
    """Return the same, and whether the user has solved a puzzle of a game. One query reads both."""
    if user.is_authenticated:
        wanted = Q(lesson__startswith=DAY) | Q(title=slug, lesson=key)
        rows = SolvedLesson.objects.filter(wanted, user=user)
        known = set(rows.values_list("title", "lesson"))
    else:
        by_game = session.get(SESSION_KEY, {})
        known = {(title, lesson) for title, lessons in by_game.items() for lesson in lessons}
    lessons = {lesson for _title, lesson in known}
    today = timezone.localdate(now)
    last = today if key_of_day(today) in lessons else today - timedelta(days=1)
    days = next(days for days in count() if key_of_day(last - timedelta(days=days)) not in lessons)
    return days, (slug, key) in known


def solve(
    *, user: Any, session: SessionBase, slug: str, keys: Collection[str], now: datetime
) -> None:
    """Mark keys as solved by a user, who may be anonymous."""
    if user.is_authenticated:
        _keep(user, slug, keys, now)
        return
    by_game = session.get(SESSION_KEY, {})
    session[SESSION_KEY] = by_game | {slug: sorted({*by_game.get(slug, ()), *keys})}


def solve_puzzle(
    *, user: Any, session: SessionBase, slug: str, lesson: Lesson, now: datetime
) -> None:
    """Mark a puzzle as solved, and the day as one on which the user has solved one."""
    keys = [lesson.key, key_of_day(timezone.localdate(now))]
    solve(user=user, session=session, slug=slug, keys=keys, now=now)


def tried(session: SessionBase, slug: str) -> set[str]:
    """Return the keys of the puzzles of a game whose verdict or solution a visitor has seen."""
    return set(session.get(TRIED_KEY, {}).get(slug, ()))


def note_try(session: SessionBase, slug: str, lesson: Lesson) -> None:
    by_game = session.get(TRIED_KEY, {})
    session[TRIED_KEY] = by_game | {slug: sorted({*by_game.get(slug, ()), lesson.key})}


def take_over(request: HttpRequest, user: User, **_: Any) -> None:
    """Move a visitor's progress to their account when they sign in or join."""
    for slug, keys in request.session.pop(SESSION_KEY, {}).items():
        _keep(user, slug, keys, timezone.now())
    now = timezone.now()
    PuzzleTry.objects.bulk_create(
        [
            PuzzleTry(user=user, title=slug, puzzle=key, is_solved=False, tried=now)
            for slug, keys in request.session.pop(TRIED_KEY, {}).items()
            for key in keys
        ],
        ignore_conflicts=True,
    )


def _keep(user: User, slug: str, keys: Iterable[str], now: datetime) -> None:
    rows = [SolvedLesson(user=user, title=slug, lesson=key, solved=now) for key in keys]
    SolvedLesson.objects.bulk_create(rows, ignore_conflicts=True)


def hand_over(guest: User, user: User) -> None:
    """Move a guest's progress and first tries at puzzles to an account."""
    tries = list(
        PuzzleTry.objects.filter(user=guest).values("title", "puzzle", "is_solved", "tried")
    )
    PuzzleTry.objects.bulk_create(
        [PuzzleTry(user=user, **one) for one in tries], ignore_conflicts=True
    )
    PuzzleTry.objects.filter(user=guest).delete()
    rows = list(SolvedLesson.objects.filter(user=guest))
    SolvedLesson.objects.bulk_create(
        [
            SolvedLesson(user=user, title=row.title, lesson=row.lesson, solved=row.solved)
            for row in rows
        ],
        ignore_conflicts=True,
    )
    SolvedLesson.objects.filter(user=guest).delete()


def first_unsolved(lessons: Sequence[Lesson], solved_keys: set[str]) -> int | None:
    """Return the number of the first unsolved lesson. ``None`` without any."""
    return next((one.number for one in lessons if one.key not in solved_keys), None)
