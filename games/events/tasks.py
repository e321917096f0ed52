"""Tasks of tournaments. Celery may run each of them twice, or two at once, without harm."""

from collections.abc import Mapping, Sequence
from typing import Any

from celery import shared_task
from django.dispatch import receiver
from django.utils import timezone

from config.background import Background
from games.events import organising, recurring, services
from games.events.models import Table, Tournament
from games.events.signals import tournament_due
from games.matches.models import Match
from games.matches.signals import match_over


@shared_task(ignore_result=True)
def sweep_tournaments() -> None:
    """Start due tournaments, resume lost tasks, and announce the site's own tournaments."""
    organising.end_long_pauses(now=timezone.now())
    services.sweep(now=timezone.now())
    recurring.keep(now=timezone.now())


@shared_task(ignore_result=True)
def advance_tournaments(match_ids: Sequence[int]) -> None:
    """Advance the tournaments of matches that have ended or were annulled."""
    running = Tournament.objects.filter(status=Tournament.Status.RUNNING)
    tournaments = running.filter(
        pk__in=Table.objects.filter(match__in=match_ids).values("round__tournament")
    )
    services.advance_each(list(tournaments.values_list("pk", flat=True)), now=timezone.now())
    services.take_back_annulled()


@shared_task(ignore_result=True)
def draw_first_rounds(tournament_ids: Sequence[int]) -> None:
    """Draw the first rounds of tournaments that have begun, and remove restricted players."""
    services.advance_each(tournament_ids, now=timezone.now())


@receiver(tournament_due)
def draw_later(tournament_id: int, **_: Any) -> None:
    """Start the task after the last player has entered, or one was restricted."""
    begun_tournaments.put({tournament_id: None})


@receiver(match_over)
def advance_later(match: Match, **_: Any) -> None:
    ended_matches.put({match.pk: None})


def _start(match_ids: Mapping[int, None]) -> None:
    advance_tournaments.apply_async(args=(list(match_ids),), retry=False)


ended_matches: Background[int, None] = Background("tournaments", _start, lambda one, _: one)


def _draw(tournament_ids: Mapping[int, None]) -> None:
    draw_first_rounds.apply_async(args=(list(tournament_ids),), retry=False)


begun_tournaments: Background[int, None] = Background("first rounds", _draw, lambda one, _: one)
