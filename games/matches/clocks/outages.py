"""Outages: detecting when the site was down, and giving that time back to all running clocks.

Two kinds of heartbeat show that the site is up: sweeps of deadlines, and answers of web processes.
A gap in either is an outage. The first heartbeat after the gap stores it.
"""

import logging
from datetime import datetime

from django.db import IntegrityError, transaction

from games.matches import deadlines, selectors
from games.matches.models import Match, Outage, Player, Sweep

log = logging.getLogger(__name__)

BATCH_SIZE = 500
"""Matches whose deadlines are shifted in one transaction."""


def beat(name: str, *, now: datetime) -> None:
    """Store a heartbeat, and an outage if the gap since the last heartbeat was too long.

    ``name`` is one of ``selectors.GAPS``. Of several concurrent processes one stores the outage.
    """
    last = Sweep.objects.filter(name=name).first()
    if last is None:
        try:
            with transaction.atomic():
                Sweep.objects.create(name=name, ran=now)
        except IntegrityError:
            log.info("Another process wrote the first heartbeat of %s.", name)
        return
    with transaction.atomic():
        mine = Sweep.objects.filter(pk=last.pk, ran=last.ran, ran__lt=now).update(ran=now)
        if mine and now - last.ran > selectors.GAPS[name]:
            Outage.objects.create(cause=name, began=last.ran, ended=now)
            log.warning("No sign of %s from %s to %s: clocks stood still.", name, last.ran, now)


def answered_until(now: datetime) -> datetime:
    """Return when a web process last answered, up to ``now``.

    Return ``now`` if no web process has ever written a heartbeat.
    """
    beats = Sweep.objects.filter(name=selectors.WEB).values_list("ran", flat=True)
    return min([now, *beats])


def finalize() -> None:
    """Shift the stored deadlines of all clocks that ran during an outage.

    Each batch is a transaction that also stores the progress. A run therefore continues a killed
    one, and two concurrent runs share the batches.
    """
    unsettled = Outage.objects.filter(settled=False).order_by("began", "pk")
    for outage_id in list(unsettled.values_list("pk", flat=True)):
        while _settle_batch(outage_id):
            pass


def _settle_batch(outage_id: int) -> bool:
    """Shift the deadlines of the next matches, and return whether there may be more."""
    with transaction.atomic():
        outage = Outage.objects.select_for_update().get(pk=outage_id)
        if outage.settled:
            return False
        hit = Player.objects.filter(
            clock_since__lt=outage.ended, match__status=Match.Status.RUNNING
        ).filter(match_id__gt=outage.reached)
        ids = list(
            hit.order_by("match_id").values_list("match_id", flat=True).distinct()[:BATCH_SIZE]
        )
        _shift(ids)
        outage.reached = max([outage.reached, *ids])
        outage.settled = len(ids) < BATCH_SIZE
        outage.save(update_fields=["reached", "settled"])
    return not outage.settled


def _shift(match_ids: list[int]) -> None:
    """Recompute the deadlines of locked matches."""
    deadlines.lock(match_ids)
    running = Player.objects.filter(match_id__in=match_ids, clock_since__isnull=False)
    players = list(running.select_related("match").defer("match__position", "match__params"))
    deadlines.reset(players, selectors.past_outages())
