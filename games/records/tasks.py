"""Tasks of records. Celery may run each of them twice, or two at once, without harm."""

from typing import Any

from celery import shared_task
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from config.background import task_starts
from games.records import animations
from games.records.signals import animation_wanted

SWEEP = 60
"""Seconds between two searches for animations whose task was lost."""


@shared_task(ignore_result=True)
def make_animation(animation_id: int) -> None:
    animations.make(animation_id, now=timezone.now())


@shared_task(ignore_result=True)
def sweep_animations() -> None:
    """Restart animations whose task was lost, and delete old ones."""
    animations.forget(timezone.now())
    for animation_id in animations.left_over(timezone.now()):
        make_animation.apply_async(args=(animation_id,), expires=SWEEP)


@receiver(animation_wanted)
def make_later(animation_id: int, **_: Any) -> None:
    transaction.on_commit(lambda: animation_runs.put({animation_id: None}), robust=True)


animation_runs = task_starts("animations", make_animation)
