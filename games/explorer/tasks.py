"""Tasks of the explorer. Celery may run each of them twice, or two at once, without harm."""

from contextlib import suppress
from typing import Any

from celery import shared_task
from django.dispatch import receiver
from django.utils import timezone

from config.background import task_starts
from games.explorer import counting
from games.matches.errors import NoSuchMatch
from games.matches.models import Match
from games.matches.signals import match_over
from games.ratings import examining


@shared_task(ignore_result=True)
def explore_match(match_id: int) -> None:
    """Add a match that has ended to the explorer, or take a void one out.

    A match that has been deleted meanwhile isn't in it any more.
    """
    with suppress(NoSuchMatch):
        counting.examine(match_id)


@shared_task(ignore_result=True)
def sweep_explorer() -> None:
    """Read recent matches that a lost task has left."""
    counting.sweep(since=timezone.now() - examining.RECENT)


@shared_task(ignore_result=True)
def sweep_old_explorer() -> None:
    """Read older matches that a lost task has left."""
    counting.sweep(since=None)


@receiver(match_over)
def explore_later(match: Match, **_: Any) -> None:
    if match.rated:
        explorer_runs.put({match.pk: None})


explorer_runs = task_starts("explorer runs", explore_match)
