"""Receivers of signals and the scheduled task of ladders. All may run twice without harm."""

from datetime import datetime
from typing import Any

from celery import shared_task
from django.dispatch import receiver
from django.utils import timezone

from accounts.models import User
from config.background import task_starts
from games.clubs.models import Club
from games.clubs.signals import club_closed, membership_ended
from games.ladders import services
from games.ladders.models import LadderChallenge
from games.lobby.models import Challenge
from games.lobby.signals import challenge_over
from games.matches.models import Match
from games.matches.signals import match_over, vacations_changed


@shared_task(ignore_result=True)
def sweep_ladders() -> None:
    """Settle challenges that are over, and remove inactive, banned and deleted players."""
    services.sweep(now=timezone.now())


@shared_task(ignore_result=True)
def settle_match(match_id: int) -> None:
    for one in LadderChallenge.objects.filter(challenge__match=match_id):
        services.settle(one.pk, now=timezone.now())


@receiver(match_over)
def settle_later(match: Match, **_: Any) -> None:
    if match.rated:
        ladder_runs.put({match.pk: None})


@receiver(challenge_over)
def settle_challenge(challenge: Challenge, **_: Any) -> None:
    """Settle a ladder challenge that was declined, withdrawn or not answered."""
    for one in LadderChallenge.objects.filter(challenge=challenge):
        services.settle(one.pk, now=timezone.now())


@receiver(vacations_changed)
def let_answer_later(user: User, **_: Any) -> None:
    """Extend the time to answer ladder challenges by a vacation."""
    services.reset_expiry(user)


@receiver(membership_ended)
def leave_ladders_of_club(club: Club, user: User, **_: Any) -> None:
    services.leave_club(user, club, timezone.now())


@receiver(club_closed)
def close_ladders_of_club(club: Club, now: datetime, **_: Any) -> None:
    services.close_all(club, now)


ladder_runs = task_starts("ladder runs", settle_match)
