"""Letting all clocks of a match stand still, and run on: for moderators, and by agreement."""

from datetime import datetime, timedelta
from functools import partial

from accounts.models import User
from games.kernel.contract import Seat
from games.kernel.errors import MatchOver
from games.matches.clocks import pauses
from games.matches.clocks.clock import FOREVER
from games.matches.clocks.pauses import PlayerPause, Reason
from games.matches.errors import OutOfTime, Refused
from games.matches.models import LogEntry
from games.matches.preconditions import check_no_player, check_reason, late_seats
from games.matches.update import MatchUpdate, Outcome, retry

LONGEST = timedelta(days=366)
"""For how long a moderator can stop clocks who says until when."""


def stand_still(
    *, match_id: int, moderator: User, reason: str, now: datetime, until: datetime | None = None
) -> Outcome:
    """Let all clocks of a match stand still, for a ``reason`` that the players read.

    They run on at ``until``, or when a moderator says so (:func:`run_on`). Moves can still be made.

    :raises MatchOver: the match has ended.
    :raises Refused: there is no reason, the moderator plays in it, ``until`` is over or too far
        away, or a moderator has stopped the clocks already.
    :raises OutOfTime: somebody's time has run out.
    """
    return retry(partial(_stand_still, match_id, moderator, reason, now, until or FOREVER))


def _stand_still(
    match_id: int, moderator: User, reason: str, now: datetime, until: datetime
) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_reason(reason)
    check_no_player(update, moderator)
    check_may_change_clocks(update)
    if stands_for(update, Reason.MODERATOR):
        raise Refused("A moderator has stopped the clocks already.")
    if until <= now:
        raise Refused("The clocks would run on before they stand still.")
    if FOREVER > until > now + LONGEST:
        raise Refused(f"Clocks stand still for {LONGEST.days} days at most, or until you say so.")
    pause_all(update, PlayerPause(Reason.MODERATOR, now, until))
    update.add(LogEntry.Kind.PAUSE, None, moderator=moderator, reason=reason)
    return update.commit()


def run_on(*, match_id: int, moderator: User, reason: str, now: datetime) -> Outcome:
    """Let the clocks run on that a moderator has stopped; other reasons to stand still stay.

    :raises MatchOver: the match has ended.
    :raises Refused: there is no reason, the moderator plays in it, or no moderator has stopped the
        clocks.
    """
    return retry(partial(_run_on, match_id, moderator, reason, now))


def _run_on(match_id: int, moderator: User, reason: str, now: datetime) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_reason(reason)
    check_no_player(update, moderator)
    check_may_change_clocks(update)
    if not stands_for(update, Reason.MODERATOR):
        raise Refused("No moderator has stopped the clocks.")
    resume_all(update, Reason.MODERATOR)
    update.add(LogEntry.Kind.RESUME, None, moderator=moderator, reason=reason)
    return update.commit()


def check_may_change_clocks(update: MatchUpdate) -> None:
    """Check that a match is running and nobody's time has run out.

    :raises MatchOver: it has ended.
    :raises OutOfTime: somebody's time has run out.
    """
    if not update.snapshot.match.is_running:
        raise MatchOver("The match has ended already.")
    if late_seats(update):
        raise OutOfTime("Somebody's time has run out already.")


def stands_for(update: MatchUpdate, reason: Reason) -> bool:
    """Whether the clocks of a match stand still for a reason that concerns all of them."""
    players, now = update.snapshot.players, update.now
    found = (pause for player in players for pause in pauses.of_player(player))
    return any(pause.reason == reason and pause.goes_on(now) for pause in found)


def pause_all(update: MatchUpdate, pause: PlayerPause) -> None:
    """Let all clocks stand still for one more reason."""
    for player in update.snapshot.players:
        pauses.begin(player, pause)
        update.reset_deadline(Seat(player.seat))


def resume_all(update: MatchUpdate, reason: Reason) -> None:
    """Take a reason for which all clocks stand still away."""
    for player in update.snapshot.players:
        pauses.finish(player, reason, update.now)
        update.reset_deadline(Seat(player.seat))
