"""Stopping and resuming all clocks of a match, by a moderator or by agreement."""

from datetime import datetime, timedelta

from django.utils.translation import gettext_noop

from accounts.models import User
from games.kernel.contract import Seat
from games.kernel.errors import MatchOver
from games.matches import pauses
from games.matches.clock import FOREVER
from games.matches.errors import OutOfTime, Refused
from games.matches.models import LogEntry, Match
from games.matches.pauses import PlayerPause, Reason
from games.matches.preconditions import check_no_player, check_reason, late_seats
from games.matches.update import MatchUpdate, Outcome, retry

MAX_STOP = timedelta(days=366)
"""Maximum duration for which a moderator can stop clocks."""


def stop_clocks(
    *, match_id: int, moderator: User, reason: str, now: datetime, until: datetime | None = None
) -> Outcome:
    """Stop all clocks of a match, for a ``reason`` that is shown to the players.

    They resume at ``until``, or when a moderator calls :func:`resume_clocks`. Players can still
    move.

    :raises MatchOver: the match has ended.
    :raises Refused: the reason is empty, the moderator plays in the match, ``until`` is past or too
        far ahead, or a moderator has stopped the clocks already.
    :raises OutOfTime: somebody's time has run out.
    """
    return retry(lambda: _stop_clocks(match_id, moderator, reason, now, until or FOREVER))


def _stop_clocks(
    match_id: int, moderator: User, reason: str, now: datetime, until: datetime
) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_reason(reason)
    check_no_player(update, moderator)
    check_may_change_clocks(update)
    if are_stopped_for(update, Reason.MODERATOR):
        raise Refused("A moderator has stopped the clocks already.")
    if until <= now:
        raise Refused("The clocks would run on before they stand still.")
    if FOREVER > until > now + MAX_STOP:
        raise Refused(f"Clocks stand still for {MAX_STOP.days} days at most, or until you say so.")
    pause_all(update, PlayerPause(Reason.MODERATOR, now, until))
    update.add(LogEntry.Kind.PAUSE, None, moderator=moderator, reason=reason)
    return update.commit()


def resume_clocks(*, match_id: int, moderator: User, reason: str, now: datetime) -> Outcome:
    """Resume the clocks that a moderator has stopped. Other pauses stay.

    :raises MatchOver: the match has ended.
    :raises Refused: the reason is empty, the moderator plays in the match, or no moderator has
        stopped the clocks.
    """
    return retry(lambda: _resume_clocks(match_id, moderator, reason, now))


def _resume_clocks(match_id: int, moderator: User, reason: str, now: datetime) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_reason(reason)
    check_no_player(update, moderator)
    check_may_change_clocks(update)
    if not are_stopped_for(update, Reason.MODERATOR):
        raise Refused("No moderator has stopped the clocks.")
    resume_all(update, Reason.MODERATOR)
    update.add(LogEntry.Kind.RESUME, None, moderator=moderator, reason=reason)
    return update.commit()


OF_TOURNAMENT = gettext_noop("The organiser has paused the tournament.")
"""The reason shown in matches of a paused tournament."""

RESUMED = gettext_noop("The tournament goes on.")


def stop_for_tournament(*, match_id: int, now: datetime) -> Outcome:
    """Stop all clocks of a match until its tournament goes on.

    :raises MatchOver: the match has ended.
    :raises OutOfTime: somebody's time has run out.
    """
    return retry(lambda: _stop_for_tournament(match_id, now))


def _stop_for_tournament(match_id: int, now: datetime) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_may_change_clocks(update)
    pause_all(update, PlayerPause(Reason.TOURNAMENT, now))
    update.add(LogEntry.Kind.PAUSE, None, reason=OF_TOURNAMENT)
    return update.commit()


def resume_for_tournament(*, match_id: int, now: datetime) -> Outcome:
    """Resume the clocks of a match, unless another reason stops them.

    :raises MatchOver: the match has ended.
    :raises OutOfTime: somebody's time has run out.
    """
    return retry(lambda: _resume_for_tournament(match_id, now))


def _resume_for_tournament(match_id: int, now: datetime) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_may_change_clocks(update)
    resume_all(update, Reason.TOURNAMENT)
    update.add(LogEntry.Kind.RESUME, None, reason=RESUMED)
    return update.commit()


def is_stopped(match: Match, reason: Reason, now: datetime) -> bool:
    """Whether the clocks of a match stand still for a reason."""
    all_pauses = (pause for player in match.players.all() for pause in pauses.of_player(player))
    return any(pause.reason == reason and pause.goes_on(now) for pause in all_pauses)


def check_may_change_clocks(update: MatchUpdate) -> None:
    """Check that a match is running and nobody's time has run out.

    :raises MatchOver: it has ended.
    :raises OutOfTime: somebody's time has run out.
    """
    if not update.snapshot.match.is_running:
        raise MatchOver("The match has ended already.")
    if late_seats(update):
        raise OutOfTime("Somebody's time has run out already.")


def are_stopped_for(update: MatchUpdate, reason: Reason) -> bool:
    players = update.snapshot.players
    now = update.now
    all_pauses = (pause for player in players for pause in pauses.of_player(player))
    return any(pause.reason == reason and pause.goes_on(now) for pause in all_pauses)


def pause_all(update: MatchUpdate, pause: PlayerPause) -> None:
    for player in update.snapshot.players:
        pauses.begin(player, pause)
        update.reset_deadline(Seat(player.seat))


def resume_all(update: MatchUpdate, reason: Reason) -> None:
    """End the pauses of all seats for a reason."""
    for player in update.snapshot.players:
        was_stopped = pauses.is_stopped(player, update.now)
        pauses.finish(player, reason, update.now)
        update.reset_deadline(Seat(player.seat))
        if was_stopped and player.clock_since and not pauses.is_stopped(player, update.now):
            update.run_on.add(Seat(player.seat))
