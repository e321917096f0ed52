"""The task of statistics. Celery may run it twice, or two at once, without harm."""

from celery import shared_task
from django.utils import timezone

from games.statistics import counting


@shared_task(ignore_result=True)
def count_matches() -> None:
    counting.update(now=timezone.now())
