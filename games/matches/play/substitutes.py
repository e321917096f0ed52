"""Substitutes: a moderator, or a tournament, gives an abandoned seat to another player."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.kernel.contract import Seat
from games.matches import pauses, seat_ratings
from games.matches.clocks import vacations
from games.matches.clocks.standstill import resume_all
from games.matches.deadlines import run_clock
from games.matches.errors import OutOfTime, Refused
from games.matches.models import (
    ConditionalMoves,
    FormerPlayer,
    LogEntry,
    Player,
    StandingOrder,
    note_plans,
)
from games.matches.notify import push
from games.matches.pauses import Reason
from games.matches.preconditions import check_moderation, check_no_player, late_seats
from games.matches.update import MatchUpdate, Outcome, retry


def swap_in(
    *, match_id: int, seat: Seat, user: User, moderator: User, reason: str, now: datetime
) -> Outcome:
    """Give a seat to a substitute, who gets at least the time at the start.

    Earlier secrets stay hidden from the substitute. Plans of the former player are deleted, and
    clocks that a moderator has stopped resume. Tournaments, in which no moderator decides, pass the
    substitute as ``moderator``.

    :raises MatchOver: the match has ended.
    :raises OutOfTime: somebody's time has run out.
    :raises Refused: there is no reason, the seat can't be taken over, the substitute plays already,
        or the moderator does.
    """
    return retry(
        lambda: _swap_in(match_id, seat, user, moderator=moderator, reason=reason, now=now)
    )


@transaction.atomic
def _swap_in(
    match_id: int, seat: Seat, user: User, *, moderator: User, reason: str, now: datetime
) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_moderation(update, reason)
    check_no_player(update, moderator)
    check_can_take_over(update, seat, user)
    player = update.player(seat)
    former = player.user
    entry = update.add(LogEntry.Kind.SUBSTITUTE, seat, moderator=moderator, reason=reason)
    update.forget_offers()
    _renew_clock(update, player, user)
    player.user = user
    outcome = update.commit()
    if outcome:
        _write(player, former, entry.number, now)
    return outcome


def check_can_take_over(update: MatchUpdate, seat: Seat, user: User) -> None:
    """Check that a person still plays a seat, and that a user may take it over.

    :raises OutOfTime: somebody's time has run out.
    :raises Refused: nobody does, or the user plays in the match already.
    """
    if late_seats(update):
        raise OutOfTime(_("Somebody's time has run out already."))
    player = update.player(seat)
    if player.is_bot or player not in update.snapshot.seats_still_in():
        raise Refused(_("This seat is not played any more."))
    if update.snapshot.seat_of(user) is not None:
        raise Refused(_("This player plays in the match already."))


def _renew_clock(update: MatchUpdate, player: Player, user: User) -> None:
    """Give a seat the time and the vacations of a substitute, and resume all clocks."""
    resume_all(update, Reason.MODERATOR)
    clock = update.snapshot.match.time_control
    if clock is None or player.time_left is None:
        return
    thought = update.thought(Seat(player.seat)) or timedelta()
    player.time_left = max(player.time_left - thought, clock.start)
    pauses.put(player, Reason.VACATION, ())
    player.user = user
    vacations.carry_into([player], update.now)
    if player.clock_since is not None:
        run_clock(player, update.now, update.outages)


def _write(player: Player, former: User, since: int, now: datetime) -> None:
    """Store the new and the former player of a seat, and delete private plans.

    Open pages of both reconnect with their new roles.
    """
    known = seat_ratings.of([player.user_id], player.match.title, now)
    number, is_provisional = known.get(player.user_id, (None, False))
    Player.objects.filter(pk=player.pk).update(
        user=player.user, since=since, rating=number, rating_is_provisional=is_provisional
    )
    FormerPlayer.objects.create(
        match_id=player.match_id, seat=player.seat, user=former, until=since, at=now
    )
    ConditionalMoves.objects.filter(player=player).delete()
    StandingOrder.objects.filter(player=player).delete()
    note_plans(player)
    for user in (former, player.user):
        push.tell(push.user_group(user.pk), "seat.changed")
