"""Celery tasks of the lobby. All are idempotent and may run concurrently."""

from celery import shared_task
from django.utils import timezone

from games.lobby import renewals, services


@shared_task(ignore_result=True)
def expire_challenges() -> None:
    """Close expired challenges, and post standing ones again."""
    now = timezone.now()
    services.expire(now=now)
    renewals.renew(now=now)
