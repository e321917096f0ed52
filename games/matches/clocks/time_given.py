"""Time given to players: by a moderator, without a log entry, or by an opponent."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.kernel.contract import Seat
from games.kernel.errors import MatchOver
from games.matches import selectors
from games.matches.deadlines import run_clock
from games.matches.errors import NoSuchMatch, Refused
from games.matches.models import LogEntry, Match, Player
from games.matches.notify import push
from games.matches.preconditions import check_not_out
from games.matches.table import Participant
from games.matches.update import MatchUpdate

Someone = TypeVar("Someone", Player, Participant)


@transaction.atomic
def give(match_id: int, *, spare: Seat, span: timedelta, now: datetime) -> None:
    """Give all seats of a match except ``spare`` more time, and move their deadlines.

    The match is locked and its clock epoch raised, so that concurrent changes retry.

    :raises NoSuchMatch: it doesn't exist.
    :raises MatchOver: it has ended.
    :raises Refused: it is played without a clock.
    """
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    if match is None:
        raise NoSuchMatch(_("There is no match {number}.").format(number=match_id))
    if not match.is_running:
        raise MatchOver(_("The match has ended."))
    if match.time_control is None:
        raise Refused(_("This match is played without a clock."))
    Match.objects.filter(pk=match_id).update(clock_epoch=F("clock_epoch") + 1)
    outages = selectors.outages_until(now)
    players = list(Player.objects.filter(match=match_id, dropped=""))
    for player in players:
        if player.seat != spare and player.time_left is not None:
            player.time_left += span
            if player.clock_since is not None:
                run_clock(player, player.clock_since, outages, remind_after=now)
            player.save(update_fields=["time_left", "deadline", "remind_at"])
    push.match_changed(match_id, match.version, [player.user_id for player in players])


def give_opponent(update: MatchUpdate, seat: Seat) -> None:
    """Add a day to the running clock of a seat's only opponent, within the cap of the clock.

    :raises Refused: there are several opponents, the opponent isn't to move or has no clock, or is
        less than an hour below the cap.
    """
    if update.player(seat).dropped:
        raise Refused(_("You have left this match."))
    check_not_out(update, seat)
    player = only_opponent(update.snapshot.seats_still_in(), seat)
    if player is None:
        raise Refused(_("With several opponents nobody gives time alone. You can offer a pause."))
    clock = update.snapshot.match.time_control
    other = Seat(player.seat)
    thought = update.thought(other)
    if clock is None or player.time_left is None or thought is None:
        raise Refused(_("Your opponent has no clock that is running."))
    gift = clock.gift(player.time_left - thought)
    if not gift:
        raise Refused(_("Your opponent has almost as much time as this clock allows."))
    player.time_left += gift
    if player.clock_since is not None:
        run_clock(player, player.clock_since, update.outages, remind_after=update.now)
    seconds = int(gift.total_seconds())
    update.add(LogEntry.Kind.GIVE_TIME, seat, text=f"{other} {seconds}")


def only_opponent(still_in: Sequence[Someone], seat: Seat) -> Someone | None:
    """Return the other player if two are left in the match; otherwise ``None``."""
    others = [player for player in still_in if player.seat != seat]
    return others[0] if len(others) == 1 else None
