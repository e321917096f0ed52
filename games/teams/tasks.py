"""Tasks of team matches."""

from datetime import datetime
from typing import Any

from celery import shared_task
from django.dispatch import receiver
from django.utils import timezone

from games.events.models import Tournament
from games.events.signals import tournament_over
from games.teams import notifications, services
from games.teams.selectors import listed


@shared_task(ignore_result=True)
def sweep_team_matches() -> None:
    """Cancel overdue team matches, and drop players who can't play any more."""
    services.sweep(now=timezone.now())


@receiver(tournament_over)
def announce(tournament: Tournament, now: datetime, **_: Any) -> None:
    """Notify everybody concerned of the result of a team match."""
    team_match = listed().filter(tournament=tournament).first()
    if team_match is not None:
        notifications.over(team_match, now)
