"""Which lessons somebody has solved: rows for an account or a guest, the session for a visitor."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from games.kernel.lessons import lessons
from games.study.models import SolvedLesson

SESSION_KEY = "lessons"
"""In a session: the keys of the lessons solved, by game."""


def solved(user: Any, session: SessionBase, slug: str) -> set[str]:
    """Return the keys of the lessons of a game that a user, who may be anonymous, has solved."""
    if user.is_authenticated:
        rows = SolvedLesson.objects.filter(user=user, title=slug)
        return set(rows.values_list("lesson", flat=True))
    return set(session.get(SESSION_KEY, {}).get(slug, ()))


def solve(*, user: Any, session: SessionBase, slug: str, lesson: str, now: datetime) -> None:
    """Note that a user, who may be anonymous, has solved a lesson."""
    if user.is_authenticated:
        _keep(user, slug, [lesson], now)
        return
    by_game = session.get(SESSION_KEY, {})
    session[SESSION_KEY] = by_game | {slug: sorted({*by_game.get(slug, ()), lesson})}


def take_over(request: HttpRequest, user: User, **_: Any) -> None:
    """Keep what a visitor has solved, now that they sign in or join."""
    for slug, found in request.session.pop(SESSION_KEY, {}).items():
        _keep(user, slug, found, timezone.now())


def _keep(user: User, slug: str, found: Iterable[str], now: datetime) -> None:
    rows = [SolvedLesson(user=user, title=slug, lesson=key, solved=now) for key in found]
    SolvedLesson.objects.bulk_create(rows, ignore_conflicts=True)


def hand_over(guest: User, user: User) -> None:
    """Give what a guest has solved to an account."""
    rows = list(SolvedLesson.objects.filter(user=guest))
    SolvedLesson.objects.bulk_create(
        [
            SolvedLesson(user=user, title=row.title, lesson=row.lesson, solved=row.solved)
            for row in rows
        ],
        ignore_conflicts=True,
    )
    SolvedLesson.objects.filter(user=guest).delete()


def first_unsolved(slug: str, found: set[str]) -> int | None:
    """Return the number of the first lesson of a game that is not solved; ``None`` without any."""
    return next((one.number for one in lessons(slug) if one.key not in found), None)
