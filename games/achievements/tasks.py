"""Tasks of achievements. Celery may run each of them twice, or two at once, without harm."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from celery import shared_task
from django.dispatch import receiver
from django.utils import timezone

from config.background import Background
from games.achievements import giving
from games.matches.errors import NoSuchMatch
from games.matches.models import Match
from games.matches.signals import match_over


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
    giving.sweep(now=now, since=now - giving.RECENT)


@shared_task(ignore_result=True)
def sweep_old_achievements() -> None:
    """Examine older matches that a lost task has left."""
    giving.sweep(now=timezone.now(), since=None)


@receiver(match_over)
def give_later(match: Match, **_: Any) -> None:
    if match.rated:
        achievement_runs.put({match.pk: None})


def _start(matches: Mapping[int, None]) -> None:
    for match_id in matches:
        give_achievements.apply_async(args=(match_id,), retry=False)


achievement_runs: Background[int, None] = Background("achievement runs", _start, lambda one, _: one)
