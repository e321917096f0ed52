"""Tasks of ratings. Celery may run each of them twice, or two at once, without harm."""

from typing import Any

from celery import shared_task
from django.dispatch import receiver

from config.background import task_starts
from games.kernel import registry
from games.matches.models import Match
from games.matches.signals import match_over
from games.ratings import updating


@shared_task(ignore_result=True)
def rate_matches(title: str) -> None:
    """Rate the matches of a game that have ended."""
    updating.update(title)


@shared_task(ignore_result=True)
def sweep_ratings() -> None:
    """Rate matches that a lost task has left, in all games."""
    for title in registry.titles():
        updating.update(title)


@shared_task(ignore_result=True)
def sweep_late_matches() -> None:
    """Rate matches that turned up too late for :func:`sweep_ratings`, in all games."""
    for title in registry.titles():
        updating.look_far_behind(title)
        updating.update(title)


@receiver(match_over)
def rate_later(match: Match, **_: Any) -> None:
    if match.rated:
        rating_runs.put({match.title: None})


rating_runs = task_starts("rating runs", rate_matches)
