"""Tasks of clubs."""

from celery import shared_task
from django.utils import timezone

from games.clubs import messages


@shared_task(ignore_result=True)
def send_club_messages() -> None:
    """Notify members of new messages of their leaders."""
    messages.spread(now=timezone.now())
