"""Tasks about several parts of the site. Celery may run each of them twice without harm."""

from celery import shared_task
from django.utils import timezone

from games.http import followed


@shared_task(ignore_result=True)
def notify_of_followed() -> None:
    """Notify users of what the players they follow did the day before."""
    followed.notify(timezone.now())
