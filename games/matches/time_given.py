"""Time that a moderator gives: clocks change without an entry in the log."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from games.kernel.contract import Seat
from games.kernel.errors import MatchOver
from games.matches import push, selectors
from games.matches.errors import NoSuchMatch, Refused
from games.matches.models import Match, Player
from games.matches.update import run_clock


@transaction.atomic
def give(match_id: int, *, spare: Seat, span: timedelta, now: datetime) -> None:
    """Give all seats of a match but one more time; deadlines that run move with it.

    The match is locked and its epoch rises, so that a change that is worked out meanwhile starts
    anew.

    :raises NoSuchMatch: there is none with this id.
    :raises MatchOver: it has ended.
    :raises Refused: it is played without a clock.
    """
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    if match is None:
        raise NoSuchMatch(f"There is no match {match_id}.")
    if not match.is_running:
        raise MatchOver("The match has ended.")
    if match.time_control is None:
        raise Refused("This match is played without a clock.")
    Match.objects.filter(pk=match_id).update(clock_epoch=F("clock_epoch") + 1)
    pauses = selectors.pauses(now)
    players = list(Player.objects.filter(match=match_id, dropped=""))
    for player in players:
        if player.seat != spare and player.time_left is not None:
            player.time_left += span
            if player.clock_since is not None:
                run_clock(player, player.clock_since, pauses, remind_after=now)
            player.save(update_fields=["time_left", "deadline", "remind_at"])
    push.match_changed(match_id, match.version, [player.user_id for player in players])
