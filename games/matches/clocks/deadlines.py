"""Deadlines and reminders of players, which follow from their clocks and pauses.

After outages and for vacations they change without a log entry.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F

from games.matches.clocks import clock, pauses
from games.matches.clocks.clock import Pause
from games.matches.models import Match, Player


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
    marks = (mark for mark, _ in clock.reminders(player.time_left, since, calendar))
    later = (mark for mark in marks if remind_after is None or mark > remind_after)
    player.remind_at = next(later, None) if player.deadline else None


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
