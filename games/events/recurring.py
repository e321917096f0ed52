"""Tournaments of the site itself: in each game for two, a league of bots and an open tournament.

The league always runs, so that a new site shows matches and ratings have anchors. The open
tournament is a Swiss one for all players. When one is over, or was cancelled for lack of players,
the next is announced.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from games.bots.levels import LEVELS
from games.bots.users import user_of
from games.events import services, titles
from games.events.models import Tournament
from games.kernel import registry
from games.kernel.contract import Meta
from games.kernel.two_players import PAIR
from games.matches.clock import DAY, PRESETS
from games.matches.isolation import IsolatedErrors

FIELD = ((LEVELS[0], 1), (LEVELS[0], 2), (LEVELS[1], 1), (LEVELS[2], 1))
"""Levels and numbers of the bots in a league: those that take well under a second for a move."""

PAUSE_HOURS = 8
"""Hours between the starts of two rounds of a league, so that a season takes a day."""

OPEN_FOR = 28 * DAY
"""How long an open tournament waits for players."""


def keep(*, now: datetime) -> None:
    """Announce missing tournaments in each game, unless the operators have turned them off."""
    if not settings.SITE_TOURNAMENTS:
        return
    current = Tournament.objects.filter(status__in=Tournament.CURRENT)
    kept = set(current.values_list("series", flat=True))
    for slug, title in registry.titles().items():
        for kind, announce in KINDS.items():
            series = f"{kind}-{slug}"
            if title.meta.seats[0] == PAIR and series not in kept:
                with IsolatedErrors(f"Tournament {series}"):
                    _once(announce, series, title.meta, now)


Announce = Callable[[str, int, Meta, datetime], None]


def _once(announce: Announce, series: str, meta: Meta, now: datetime) -> None:
    earlier = Tournament.objects.filter(series=series).exclude(status=Tournament.Status.CANCELLED)
    try:
        with transaction.atomic():
            announce(series, earlier.count() + 1, meta, now)
    except IntegrityError:
        # Another worker was faster: of a series, one is open or running at a time.
        return


def _create(series: str, number: int, meta: Meta, now: datetime, **terms: Any) -> Tournament:
    return services.create(
        organiser=None,
        name="",
        title=meta.slug,
        params={},
        series=series,
        number=number,
        now=now,
        **terms,
    )


def _league(series: str, number: int, meta: Meta, now: datetime) -> None:
    """Announce a season of bots and begin it."""
    made = _create(
        series,
        number,
        meta,
        now,
        clock=PRESETS["brisk"],
        format=Tournament.Format.ROUND_ROBIN,
        least=len(FIELD),
        most=len(FIELD),
        starts=now + timedelta(days=1),
        round_days=2,
        pause_hours=PAUSE_HOURS,
    )
    for level, at in FIELD:
        services.join(tournament_id=made.pk, user=user_of(level, at), now=now)


def _open(series: str, number: int, meta: Meta, now: datetime) -> None:
    _create(
        series,
        number,
        meta,
        now,
        clock=PRESETS["standard"],
        format=Tournament.Format.SWISS,
        least=4,
        most=16,
        starts=now + OPEN_FOR,
        round_days=28,
    )


KINDS = {titles.LEAGUE: _league, titles.OPEN: _open}
