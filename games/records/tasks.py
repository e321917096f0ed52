"""The tasks of records. Celery may run each of them twice, or two at once, without harm."""

from collections.abc import Iterable, Mapping
from typing import Any

from celery import shared_task
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from config.background import Background
from games.records import animations
from games.records.signals import animation_wanted

SWEEP = 60
"""Seconds between two looks for animations that nobody makes any more."""


@shared_task(ignore_result=True)
def make_animation(animation_id: int) -> None:
    """Make an animation."""
    animations.make(animation_id, now=timezone.now())


@shared_task(ignore_result=True)
def sweep_animations() -> None:
    """Have animations made whose task was lost, and forget the old ones."""
    animations.forget(timezone.now())
    for animation_id in animations.left_over(timezone.now()):
        make_animation.apply_async(args=(animation_id,), expires=SWEEP)


@receiver(animation_wanted)
def make_later(animation_id: int, **_: Any) -> None:
    """Start the task that makes an animation, after the commit."""
    transaction.on_commit(lambda: animation_runs.put({animation_id: None}), robust=True)


def _start(animation_ids: Iterable[int] | Mapping[int, None]) -> None:
    for animation_id in animation_ids:
        make_animation.apply_async(args=(animation_id,), retry=False)


animation_runs: Background[int, None] = Background("animations", _start, lambda one, _: one)
