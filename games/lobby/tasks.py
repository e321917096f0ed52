"""The tasks of the lobby. Celery may run each of them twice, or two at once, without harm."""

from celery import shared_task
from django.utils import timezone

from games.lobby import services


@shared_task(ignore_result=True)
def expire_challenges() -> None:
    """Close challenges that nobody has accepted in time."""
    services.expire(now=timezone.now())
