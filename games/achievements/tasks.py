"""Tasks of achievements. Celery may run each of them twice, or two at once, without harm."""

from contextlib import suppress
from typing import Any

from celery import shared_task
from django.dispatch import receiver
from django.utils import timezone

from config.background import task_starts
from games.achievements import giving
from games.matches.errors import NoSuchMatch
from games.matches.models import Match
from games.matches.signals import match_over
from games.ratings import examining


@shared_task(ignore_result=True)
def give_achievements(match_id: int) -> None:
    """Give the achievements of a match that has ended, or take them back from a void one.

    A match that has been deleted meanwhile has none.
    """
    with suppress(NoSuchMatch):
        giving.examine(match_id, now=timezone.now())


@shared_task(ignore_result=True)
def sweep_achievements() -> None:
    """Examine recent matches that a lost task has left."""
    now = timezone.now()
    giving.sweep(now=now, since=now - examining.RECENT)


@shared_task(ignore_result=True)
def sweep_old_achievements() -> None:
    """Examine older matches that a lost task has left."""
    giving.sweep(now=timezone.now(), since=None)


@receiver(match_over)
def give_later(match: Match, **_: Any) -> None:
    if match.rated:
        achievement_runs.put({match.pk: None})


achievement_runs = task_starts("achievement runs", give_achievements)
