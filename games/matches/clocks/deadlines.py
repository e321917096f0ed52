"""Changes of stored deadlines without a log entry: after outages and for vacations."""

from collections.abc import Sequence

from django.db.models import F

from games.matches.clocks.clock import Pause
from games.matches.models import Match, Player
from games.matches.update import run_clock


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
