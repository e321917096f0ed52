"""Tasks of bots. Celery may run each of them twice, or two at once, without harm."""

from typing import Any

from celery import shared_task
from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone

from config.background import task_starts
from games.bots import queue_length, services
from games.lobby.models import Invitation
from games.matches.isolation import IsolatedErrors
from games.matches.signals import bots_may_act

SWEEP = 10
"""Seconds between two searches for bots whose task was lost."""


@shared_task(ignore_result=True)
def think(match_id: int) -> None:
    services.act(match_id, now=timezone.now())


@shared_task(ignore_result=True)
def sweep_bots() -> None:
    """Restart bots whose thinker or task was lost, and let bots take seats."""
    services.take_open_seats(now=timezone.now())
    waiting = services.waiting(now=timezone.now())
    queue_length.keep(waiting)
    for match_id in waiting:
        think.apply_async(args=(match_id,), expires=SWEEP)


@receiver(bots_may_act)
def think_later(match_id: int, **_: Any) -> None:
    bot_runs.put({match_id: None})


@receiver(post_save, sender=Invitation)
def answer_later(instance: Invitation, *, created: bool, **_: Any) -> None:
    """Let an invited bot answer at once, after the commit."""
    if created and instance.state == Invitation.State.INVITED and instance.user.is_bot:
        transaction.on_commit(lambda: _answer(instance.pk), robust=True)


def _answer(pk: int) -> None:
    with IsolatedErrors(f"Invitation {pk}"):
        services.answer_invitation(pk, now=timezone.now())


bot_runs = task_starts("bot runs", think)
