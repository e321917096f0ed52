"""Stored deadlines that change without a log entry: after an outage, and for a vacation."""

from collections.abc import Sequence

from django.db.models import F

from games.matches.clocks.clock import Pause
from games.matches.models import Match, Player
from games.matches.update import run_clock


def lock(match_ids: Sequence[int]) -> list[int]:
    """Lock matches for the transaction and raise their clock epochs; return the ids of all.

    A change that is worked out meanwhile starts anew. The locks are taken in the order of ids, so
    that two runs cannot deadlock.
    """
    found = Match.objects.filter(pk__in=match_ids)
    locked = list(found.select_for_update().order_by("pk").values_list("pk", flat=True))
    found.update(clock_epoch=F("clock_epoch") + 1)
    return locked


def reset(players: Sequence[Player], outages: Sequence[Pause]) -> None:
    """Work out the deadlines and next reminders of players anew and write them with the pauses.

    Clocks stay as they are; a clock that is stopped has no deadline.
    """
    for player in players:
        if player.clock_since is not None:
            run_clock(player, player.clock_since, outages)
    # All rows exist: one statement writes them over themselves.
    Player.objects.bulk_create(
        players,
        update_conflicts=True,
        unique_fields=["pk"],
        update_fields=["deadline", "remind_at", "pauses"],
    )
