"""Tasks of reviews. Celery may run each of them twice, or two at once, without harm."""

from collections.abc import Mapping
from typing import Any

from celery import shared_task
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from config.background import Background
from games.study import reviews
from games.study.signals import review_wanted

SWEEP = 60
"""Seconds between two searches for reviews whose task was lost."""


@shared_task(ignore_result=True)
def work_on_review(review_id: int, turn: int) -> None:
    """Work on a review for some seconds, then queue again, after waiting animations."""
    upcoming = reviews.work(review_id, turn, now=timezone.now())
    if upcoming:
        review_runs.put({upcoming[0]: upcoming[1]})


@shared_task(ignore_result=True)
def sweep_reviews() -> None:
    """Resume the review whose task was lost."""
    for part in reviews.left_over(timezone.now()):
        work_on_review.apply_async(args=part, expires=SWEEP)


@receiver(review_wanted)
def work_later(review_id: int, turn: int, **_: Any) -> None:
    transaction.on_commit(lambda: review_runs.put({review_id: turn}), robust=True)


def _start(parts: Mapping[int, int]) -> None:
    for part in parts.items():
        work_on_review.apply_async(args=part, retry=False)


review_runs: Background[int, int] = Background("reviews", _start, max)
