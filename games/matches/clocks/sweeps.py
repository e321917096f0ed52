"""Sweeps of running matches: give back outages, time out late players, remind others.

Each match is compared and swapped by its version, so concurrent sweeps are harmless. Overdue
matches are written together. If that fails, each is written in its own transaction, so that an
error in one doesn't stop the rest.
"""

import logging
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import islice

from django.db import transaction

from games.matches import deadlines, selectors
from games.matches.clock import Reminder, ReminderReason
from games.matches.clocks import outages, timeouts, vacations
from games.matches.isolation import IsolatedErrors
from games.matches.models import LogEntry, Match, Player
from games.matches.notify import notifications
from games.matches.play import unreadable

TOGETHER = 50
"""Overdue matches that are read and written together."""

log = logging.getLogger(__name__)


def sweep_deadlines(*, now: datetime) -> int:
    """Shift clocks by outages, time out late players, and return how many matches changed.

    Nobody times out before a web process has answered after the deadline, since the site may have
    been unreachable until then. A match that can't be read is set aside.
    """
    outages.beat(selectors.DEADLINES, now=now)
    outages.finalize()
    unreadable.look_again(now=now)
    vacations.rescue(now=now)
    answered = outages.answered_until(now)
    late = iter(overdue(now=answered))
    return sum(
        _time_out_all(batch, now) for batch in iter(lambda: list(islice(late, TOGETHER)), [])
    )


def overdue(*, now: datetime) -> list[int]:
    """Return the ids of the running matches in which somebody's deadline has passed."""
    due = Player.objects.filter(deadline__lte=now, match__status=Match.Status.RUNNING)
    ids = due.values_list("match_id", flat=True)
    return list(ids.distinct().order_by("match_id"))


def _time_out_all(match_ids: Sequence[int], now: datetime) -> int:
    """Time out matches together, then the remaining ones singly; return how many changed."""
    changed: Collection[int] = ()
    with IsolatedErrors("Ending matches together"):
        changed = timeouts.time_out_all(match_ids=match_ids, now=now)
    left = (match_id for match_id in match_ids if match_id not in changed)
    return len(changed) + sum(_time_out(match_id, now) for match_id in left)


def _time_out(match_id: int, now: datetime) -> bool:
    try:
        with unreadable.UnreadableSetAside(match_id, now):
            return timeouts.time_out(match_id=match_id, now=now) is not None
    except Exception:
        log.exception("Match %s could not be timed out.", match_id)
    return False


def remind(*, now: datetime) -> int:
    """Remind the players who are short of time, and return how many.

    Also notify the users whose vacation is about to end.
    """
    vacations.notify_ends(now=now)
    due = Player.objects.filter(remind_at__lte=now, match__status=Match.Status.RUNNING)
    reminded = 0
    for pk in list(due.values_list("pk", flat=True)):
        with IsolatedErrors(f"The reminder of player {pk}"):
            reminded += _remind(pk, now)
    return reminded


def _remind(pk: int, now: datetime) -> bool:
    """Write a player's reminder and the time of the next one, in one transaction."""
    player = Player.objects.select_related("match", "user").get(pk=pk)
    since = player.clock_since
    due = player.remind_at
    if since is None or due is None:
        return False
    stopped = selectors.outages_until(now)
    deadlines.run_clock(player, since, stopped)
    reminders = deadlines.reminders(player, stopped)
    passed = [reminder for reminder in reminders if reminder.at <= now]
    later = (reminder.at for reminder in reminders if reminder.at > now)
    in_time = player.deadline is not None and now < player.deadline
    with transaction.atomic():
        mine = Player.objects.filter(pk=player.pk, remind_at=due, clock_since=since)
        if not mine.update(remind_at=next(later, None)):
            return False
        is_due = in_time and bool(passed) and not _was_resumed(player.match, passed[-1])
        if is_due:
            notifications.remind(player.match, player, passed[-1], now)
    return is_due


def _was_resumed(match: Match, reminder: Reminder) -> bool:
    """Whether somebody ended the pause, so that the players were notified at once."""
    if reminder.stage != ReminderReason.RUNS_ON:
        return False
    kinds = (LogEntry.Kind.RESUME, LogEntry.Kind.SUBSTITUTE)
    return match.log.filter(kind__in=kinds, at=reminder.at).exists()
