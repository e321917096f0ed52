"""Tasks of reviews and of questions to the expert.

Celery may run each of them twice, or two at once, without harm.
"""

import logging
from collections.abc import Mapping
from typing import Any

from celery import shared_task
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from config.background import Background
from games.bots.thinker import ThinkerFailed
from games.study import expert, reviews
from games.study.signals import expert_wanted, review_wanted

log = logging.getLogger(__name__)

AFTER_BOTS = 9
"""The priority of questions in the queue of bots. Redis hands out tasks of lower numbers first."""

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


@shared_task(ignore_result=True)
def answer_expert(question_id: int, digest: str) -> None:
    """Answer a question. If the thinker fails, its asker can ask again."""
    try:
        expert.answer(question_id, digest)
    except ThinkerFailed as failure:
        log.warning("A thinker failed at question %s: %s", question_id, failure)


@receiver(expert_wanted)
def answer_later(question_id: int, digest: str, **_: Any) -> None:
    transaction.on_commit(lambda: expert_runs.put({question_id: digest}), robust=True)


def _start_answers(questions: Mapping[int, str]) -> None:
    for question in questions.items():
        answer_expert.apply_async(
            args=question,
            priority=AFTER_BOTS,
            expires=expert.PATIENCE.total_seconds(),
            retry=False,
        )


expert_runs: Background[int, str] = Background("expert", _start_answers, lambda _, newer: newer)
"""Questions to the expert, by their ids."""


@receiver(review_wanted)
def work_later(review_id: int, turn: int, **_: Any) -> None:
    transaction.on_commit(lambda: review_runs.put({review_id: turn}), robust=True)


def _start(parts: Mapping[int, int]) -> None:
    for part in parts.items():
        work_on_review.apply_async(args=part, retry=False)


review_runs: Background[int, int] = Background("reviews", _start, max)
