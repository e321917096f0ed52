"""Deadlines and reminders of players, which follow from their clocks and pauses.

They also change without a log entry: after outages and for vacations.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import attrgetter

from django.db.models import F

from games.matches import clock, pauses
from games.matches.clock import DAY, Pause, Reminder, ReminderReason
from games.matches.models import Match, Player
from games.matches.pauses import PlayerPause, Reason


def run_clock(
    player: Player,
    since: datetime,
    outages: Sequence[Pause],
    *,
    remind_after: datetime | None = None,
) -> None:
    """Start a player's clock at ``since``, and set deadline and next reminder.

    :param remind_after: leave out the reminders until then.
    """
    if player.time_left is None:
        return
    calendar = pauses.calendar(player, outages, since)
    player.clock_since = since
    player.deadline = clock.deadline(player.time_left, since, calendar)
    marks = (reminder.at for reminder in reminders(player, outages))
    later = (mark for mark in marks if remind_after is None or mark > remind_after)
    player.remind_at = next(later, None)


def reminders(player: Player, outages: Sequence[Pause]) -> list[Reminder]:
    """Return the reminders of a player, sorted. Empty if the deadline is unknown.

    A player who was reminded before a pause is reminded again when most of the rest is used up. If
    moderators or players agreed on a pause, there is one a day before it ends, and one when it
    ends.
    """
    since = player.clock_since
    left = player.time_left
    if since is None or left is None or player.deadline is None:
        return []
    calendar = pauses.calendar(player, outages, since)
    found = clock.reminders(left, since, calendar)
    own = sorted(pauses.of_player(player), key=attrgetter("end"))
    for pause in own:
        if not since < pause.end < player.deadline or pauses.is_stopped(player, pause.end):
            continue
        found += _around_end(pause, since)
        if all(one.at <= pause.end for one in found if one.stage == ReminderReason.SHORT):
            rest = left - clock.running(since, pause.end, calendar)
            again = clock.reminders(rest, pause.end, calendar)
            found += [one for one in again if one.stage == ReminderReason.SHORT]
    return sorted(found, key=attrgetter("at"))


def _around_end(pause: PlayerPause, since: datetime) -> Iterator[Reminder]:
    """Yield the reminders that a pause ends and has ended; vacations have their own."""
    if pause.reason == Reason.VACATION:
        return
    if max(pause.begin, since) < pause.end - DAY:
        yield Reminder(pause.end - DAY, ReminderReason.PAUSE_ENDING, pause.end)
    yield Reminder(pause.end, ReminderReason.RUNS_ON, pause.end)


def lock(match_ids: Sequence[int]) -> list[int]:
    """Lock matches for the transaction, raise their clock epochs and return their ids.

    Concurrent changes of the matches retry. Locks are taken in the order of ids, so that two runs
    can't deadlock.
    """
    matches = Match.objects.filter(pk__in=match_ids)
    locked = list(matches.select_for_update().order_by("pk").values_list("pk", flat=True))
    matches.update(clock_epoch=F("clock_epoch") + 1)
    return locked


def reset(players: Sequence[Player], outages: Sequence[Pause]) -> None:
    """Recompute and write the deadlines and next reminders of players, with their pauses.

    Clocks don't change. A stopped clock has no deadline.
    """
    for player in players:
        if player.clock_since is not None:
            run_clock(player, player.clock_since, outages)
    # all rows exist, so this upsert only updates
    Player.objects.bulk_create(
        players,
        update_conflicts=True,
        unique_fields=["pk"],
        update_fields=["deadline", "remind_at", "pauses"],
    )
