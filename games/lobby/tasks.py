"""The tasks of the lobby. Celery may run each of them twice, or two at once, without harm."""

from celery import shared_task
from django.utils import timezone

from games.lobby import renewals, services


@shared_task(ignore_result=True)
def expire_challenges() -> None:
    """Close challenges that nobody has accepted in time, and post those that renew themselves."""
    now = timezone.now()
    services.expire(now=now)
    renewals.renew(now=now)
