"""Vacations: the balance of a player, planning and ending one, and the pauses of clocks.

Thirty days a year accrue daily, up to thirty. A vacation stops its owner's clocks. It is stored as
a pause of each running seat (:mod:`games.matches.pauses`).
"""

import logging
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from babel.units import format_unit
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.kernel.language import locale
from games.matches import deadlines, pauses, selectors
from games.matches.clock import DAY, Pause
from games.matches.errors import Refused
from games.matches.isolation import IsolatedErrors
from games.matches.models import Match, Player, Vacation
from games.matches.notify import notifications
from games.matches.pauses import PlayerPause, Reason
from games.matches.signals import vacations_changed

log = logging.getLogger(__name__)

YEAR = 365 * DAY
MAX_BALANCE = 30 * DAY
"""The yearly amount, and the maximum balance."""

MIN_VACATION = DAY
"""Minimum length, since vacations of hours could be used for stalling."""

FURTHEST = YEAR
"""How far ahead a vacation can be planned."""

RESCUE_MARGIN = timedelta(hours=1)
"""How long before a timeout an automatic vacation starts."""

AUTOMATIC = 7 * DAY
"""Length of an automatic vacation, if the balance allows it."""


def balance(user: User, at: datetime) -> timedelta:
    """Return a user's balance at a time, without the vacations planned before it."""
    return _balance(user.date_joined, _all(user), at)


def first_day(user: User, now: datetime) -> datetime | None:
    """Return when a user's balance reaches a day. ``None`` if it is a day already."""
    taken = _all(user)
    days = (now + number * DAY for number in range(YEAR // DAY))
    first = next(
        (day for day in days if _balance(user.date_joined, taken, day) >= MIN_VACATION), now
    )
    return first if first > now else None


def _all(user: User) -> list[Vacation]:
    return list(Vacation.objects.filter(user=user).order_by("begin"))


def _balance(joined: datetime, vacations: Iterable[Vacation], at: datetime) -> timedelta:
    left = timedelta()
    since = joined
    for taken in vacations:
        if taken.begin >= at:
            break
        left = _accrued(left, since, taken.begin)
        since = min(taken.end, at)
        left -= since - taken.begin
    return _accrued(left, since, at)


def _accrued(left: timedelta, since: datetime, until: datetime) -> timedelta:
    """Return a balance after the whole days between two times."""
    days = max((until - since) // DAY, 0)
    return min(left + days * MAX_BALANCE / 365, MAX_BALANCE)


def upcoming(user: User, now: datetime) -> list[Vacation]:
    """Return a user's current and planned vacations, the current one first."""
    return [one for one in _all(user) if one.end > now]


def away_since(user: User, since: datetime) -> list[Pause]:
    """Return a user's vacations that end after a time, including planned ones, in order."""
    return [(one.begin, one.end) for one in _all(user) if one.end > since]


def away(user_ids: Collection[int], now: datetime) -> dict[int, Vacation]:
    """Return the current vacations by user id."""
    vacations = Vacation.objects.filter(user__in=user_ids, begin__lte=now, end__gt=now)
    return {vacation.user_id: vacation for vacation in vacations}


def plan(
    *, user: User, begin: datetime | None, end: datetime, shows_end: bool, now: datetime
) -> Vacation:
    """Put a user on vacation, now (``None``) or later.

    A user may have one planned vacation, and begin another one before it.

    :raises Refused: it is too short, too far ahead or longer than the balance, leaves too little
        for the planned one, or there is another one already.
    """
    begin = max(begin or now, now)
    if end - begin < MIN_VACATION:
        raise Refused(_("A vacation lasts at least a day."))
    if begin - now > FURTHEST:
        raise Refused(_("A vacation can be planned for a year ahead."))
    with transaction.atomic():
        user.lock()
        others = upcoming(user, now)
        if any(begin > now or other.begin <= now for other in others):
            raise Refused(_("You have a vacation already. End or cancel it first."))
        made = Vacation(user=user, begin=begin, end=end, shows_end=shows_end)
        has = balance(user, begin)
        if _length(made) > has:
            raise Refused(
                _("This takes {days} of vacation, and you will have {left} then.").format(
                    days=_days(_length(made)), left=_days(has)
                )
            )
        for planned in others:
            if end > planned.begin:
                raise Refused(_("Your planned vacation begins before that. Cancel it first."))
            if lacking := _lacking(user, planned, made):
                raise Refused(
                    _(
                        "Your planned vacation would lack {days}. Come back sooner, or cancel it"
                        " first."
                    ).format(days=_days(lacking))
                )
        made.save()
        apply(user, now)
    return made


def _length(vacation: Vacation) -> timedelta:
    return vacation.end - vacation.begin


def _lacking(user: User, planned: Vacation, earlier: Vacation) -> timedelta:
    """Return how much balance is missing for a planned vacation after an earlier one."""
    taken = sorted([*_all(user), earlier], key=lambda one: one.begin)
    has = _balance(user.date_joined, taken, planned.begin)
    return max(_length(planned) - has, timedelta())


def _days(span: timedelta) -> str:
    days = float(f"{span / DAY:.3g}")
    return format_unit(days, "duration-day", "long", locale=locale())


def end(*, user: User, now: datetime, planned: bool | None = None) -> Vacation | None:
    """End the current vacation, at least a day after its start, or cancel a planned one.

    Return the vacation with its new end. ``None`` if it was cancelled.

    :param planned: whether to cancel the planned one. ``None`` for the earliest.
    :raises Refused: it does not exist.
    """
    with transaction.atomic():
        user.lock()
        found = upcoming(user, now)
        if planned is not None:
            found = [one for one in found if (one.begin > now) == planned]
        if not found:
            raise Refused(
                _("No vacation is planned.") if planned else _("You are not on vacation.")
            )
        vacation = found[0]
        if vacation.begin > now:
            vacation.delete()
        else:
            vacation.end = min(vacation.end, max(now, vacation.begin + MIN_VACATION))
            vacation.save(update_fields=["end"])
        apply(user, now)
    return vacation if vacation.pk else None


def apply(user: User, now: datetime) -> None:
    """Write a user's vacations as pauses into all their running matches, and announce them."""
    seats = Player.objects.filter(user=user, ended=None)
    ids = deadlines.lock(list(seats.values_list("match_id", flat=True)))
    seats = seats.filter(match_id__in=ids, match__status=Match.Status.RUNNING)
    players = list(seats.select_related("match").defer("match__position", "match__params"))
    _put(players, _all(user))
    deadlines.reset(players, selectors.past_outages())
    vacations_changed.send(User, user=user)


def _put(players: Iterable[Player], vacations: Iterable[Vacation]) -> None:
    own = [PlayerPause(Reason.VACATION, v.begin, v.end, hidden=not v.shows_end) for v in vacations]
    for player in players:
        later = (pause for pause in own if pause.end > player.match.created)
        pauses.put(player, Reason.VACATION, later)


def carry_into(players: Collection[Player], now: datetime) -> None:
    """Add the current and planned vacations of the players to a new match."""
    ids = [player.user_id for player in players]
    # a vacation planned concurrently waits for this lock, and then finds the match
    people = User.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
    list(people.values_list("pk"))
    vacations = list(Vacation.objects.filter(user__in=ids, end__gt=now).order_by("begin"))
    for player in players if vacations else ():
        _put([player], [vacation for vacation in vacations if vacation.user_id == player.user_id])


def rescue(*, now: datetime) -> int:
    """Start the automatic vacations of players about to time out, and return how many."""
    short = Player.objects.filter(
        deadline__gt=now,
        deadline__lte=now + RESCUE_MARGIN,
        match__status=Match.Status.RUNNING,
        user__auto_vacation=True,
    )
    soonest = {seat.user_id: seat for seat in short.select_related("user").order_by("-deadline")}
    done = 0
    for pk, seat in soonest.items():
        with IsolatedErrors(f"The vacation of user {pk}"):
            done += _rescue(seat, now)
    return done


def _rescue(seat: Player, now: datetime) -> bool:
    """Start an automatic vacation, if the user had none for a year and has a day left.

    A planned vacation keeps its days. One that is planned for the next day begins now.
    """
    user = seat.user
    with transaction.atomic():
        user.lock()
        others = upcoming(user, now)
        if any(other.begin <= now for other in others) or _had_automatic(user, now):
            return False
        made = _automatic(user, others[0] if others else None, now)
        if _length(made) < MIN_VACATION:
            return False
        made.save()
        apply(user, now)
        notifications.vacation(notifications.VACATION_BEGUN, made, now, match_id=seat.match_id)
    return True


def _automatic(user: User, planned: Vacation | None, now: datetime) -> Vacation:
    """Return the automatic vacation that a user can begin now, however short. Unsaved."""
    has = balance(user, now)
    if planned is None:
        return Vacation(user=user, begin=now, end=now + min(has, AUTOMATIC), automatic=True)
    if planned.begin < now + MIN_VACATION:
        planned.begin = now
        planned.end = min(planned.end, now + has)
        planned.automatic = True
        return planned
    end = min(now + min(has, AUTOMATIC), planned.begin)
    made = Vacation(user=user, begin=now, end=end, automatic=True)
    made.end -= _lacking(user, planned, made)
    return made


def _had_automatic(user: User, now: datetime) -> bool:
    return Vacation.objects.filter(user=user, automatic=True, begin__gt=now - YEAR).exists()


def notify_ends(*, now: datetime) -> int:
    """Notify users, once, whose vacation ends within a day. Return how many."""
    ending = Vacation.objects.filter(end__gt=now, end__lte=now + DAY, begin__lte=now)
    return sum(_tell_end(vacation, now) for vacation in ending.filter(end_told=False))


def _tell_end(vacation: Vacation, now: datetime) -> bool:
    with transaction.atomic():
        mine = Vacation.objects.filter(pk=vacation.pk, end_told=False).update(end_told=True)
        if mine and vacation.end - vacation.begin > MIN_VACATION:
            notifications.vacation(notifications.VACATION_ENDING, vacation, now)
    return bool(mine)
