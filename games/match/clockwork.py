"""What happens by itself: outages are given back, overdue matches ended, players reminded.

Every sweep looks at each match again in a transaction of its own, so that two sweeps at once
are harmless and one broken match does not stop the rest.
"""

import logging
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from games.match import clock as clocks
from games.match import news, selectors, services
from games.match.change import run_clock
from games.match.models import Match, Outage, Player, Sweep

log = logging.getLogger(__name__)


def sweep_deadlines(*, now: datetime) -> int:
    """End what is overdue and return how many matches changed; outages are given back first."""
    _mark_sweep(now)
    _settle_outages()
    return sum(_time_out(match_id, now) for match_id in overdue(now=now))


def overdue(*, now: datetime) -> list[int]:
    """Return the ids of the running matches in which somebody's deadline has passed."""
    return _matches(Player.objects.filter(deadline__lte=now, match__status=Match.Status.RUNNING))


def _matches(players: QuerySet[Player]) -> list[int]:
    ids = players.values_list("match_id", flat=True)
    return list(ids.distinct().order_by("match_id"))


def _time_out(match_id: int, now: datetime) -> bool:
    try:
        return services.time_out(match_id=match_id, now=now) is not None
    except Exception:
        log.exception("Match %s could not be timed out.", match_id)
        return False


def _mark_sweep(now: datetime) -> None:
    """Note that a sweep ran; a gap since the last one is an outage, recorded once."""
    last = Sweep.objects.filter(name=selectors.DEADLINES).first()
    if last is None:
        _first_sweep(now)
        return
    with transaction.atomic():
        mine = Sweep.objects.filter(pk=last.pk, ran=last.ran, ran__lt=now).update(ran=now)
        if mine and now - last.ran > selectors.OUTAGE:
            Outage.objects.create(began=last.ran, ended=now)
            log.warning("No sweep ran from %s to %s: clocks stood still.", last.ran, now)


def _first_sweep(now: datetime) -> None:
    try:
        with transaction.atomic():
            Sweep.objects.create(name=selectors.DEADLINES, ran=now)
    except IntegrityError:
        log.info("Another sweep was the first one.")


def _settle_outages() -> None:
    """Shift the stored deadlines of all clocks that ran into an outage."""
    for outage in Outage.objects.filter(settled=False):
        hit = Player.objects.filter(clock_since__lt=outage.ended, match__status="running")
        for match_id in _matches(hit):
            _shift(match_id)
        Outage.objects.filter(pk=outage.pk).update(settled=True)


def _shift(match_id: int) -> None:
    """Work out a match's deadlines anew, unless it changes at the same moment.

    A change that came in between has worked them out itself; one that is being decided loses
    its swap, because the epoch has risen, and is decided anew.
    """
    match = Match.objects.get(pk=match_id)
    pauses = list(Outage.objects.values_list("began", "ended"))
    with transaction.atomic():
        found = Match.objects.filter(
            pk=match_id, version=match.version, clock_epoch=match.clock_epoch
        )
        if not found.update(clock_epoch=F("clock_epoch") + 1):
            return
        for player in Player.objects.filter(match_id=match_id):
            if player.clock_since:
                run_clock(player, player.clock_since, pauses)
                player.save(update_fields=["deadline", "remind_at"])


def remind(*, now: datetime) -> int:
    """Remind the players whose time runs short and return how many were."""
    due = Player.objects.filter(remind_at__lte=now, match__status=Match.Status.RUNNING)
    return sum(_remind(pk, now) for pk in list(due.values_list("pk", flat=True)))


def _remind(pk: int, now: datetime) -> bool:
    """Move a player's next reminder on and write this one, in one transaction."""
    player = Player.objects.select_related("match", "user").get(pk=pk)
    since, left, due = player.clock_since, player.time_left, player.remind_at
    if since is None or left is None or due is None:
        return False
    pauses = selectors.pauses(now)
    later = (mark for mark in clocks.reminders(left, since, pauses) if mark > now)
    in_time = now < clocks.deadline(left, since, pauses)
    with transaction.atomic():
        mine = Player.objects.filter(pk=player.pk, remind_at=due, clock_since=since)
        if not mine.update(remind_at=next(later, None)):
            return False
        if in_time:
            news.time_short(player.match, player, due.isoformat(), now)
    return in_time
