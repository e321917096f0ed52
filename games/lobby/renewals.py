"""Standing challenges: open challenges that are posted again up to a number of matches.

A sweep posts the next challenge when there is room. It waits while the owner is on vacation or has
as many matches as they want. It stops when the owner times out in one of the matches or stays away.
"""

from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.kernel.errors import GameError
from games.lobby import preferences, services
from games.lobby.models import Challenge, StandingChallenge
from games.matches.clock import Clock
from games.matches.clocks import vacations
from games.matches.errors import Refused
from games.matches.isolation import IsolatedErrors
from games.matches.models import Player

MAX_STANDING_CHALLENGES = 5
"""Maximum number of standing challenges of a user."""

MAX_MATCH_LIMIT = 10
"""Maximum number of running matches of a standing challenge."""

IDLE = timedelta(days=14)
"""A standing challenge stops when its owner has been away for this long."""

Stop = StandingChallenge.Stop
PENDING = (Challenge.Status.OPEN, Challenge.Status.REVEALING)


def keep(*, user: User, most: int, terms: dict[str, Any], now: datetime) -> Challenge:
    """Create a standing challenge for up to ``most`` concurrent matches, and post the first one.

    :param terms: the arguments of :func:`games.lobby.services.challenge`.
    :raises Refused: it isn't open to everybody, has strict dice, or there are too many.
    """
    if terms["audience"] != Challenge.Audience.OPEN or terms.get("strict_dice"):
        raise Refused(_("Only open challenges without strict dice renew themselves."))
    if not 1 <= most <= MAX_MATCH_LIMIT:
        raise Refused(
            _("A challenge keeps you at {count} matches at most.").format(count=MAX_MATCH_LIMIT)
        )
    with transaction.atomic():
        user.lock()
        if StandingChallenge.objects.filter(user=user).count() >= MAX_STANDING_CHALLENGES:
            raise Refused(
                _("You have {count} challenges already that renew themselves.").format(
                    count=MAX_STANDING_CHALLENGES
                )
            )
        clock = terms["clock"]
        kept = StandingChallenge.objects.create(
            user=user,
            title=terms["title"],
            params=terms["params"],
            clock=clock.dump() if clock else None,
            seats=terms["seats"],
            seating=terms.get("seating", Challenge.Seating.RANDOM),
            message=terms.get("message", ""),
            least_reliability=terms.get("least_reliability", 0),
            rated=terms.get("rated", False),
            rating_within=terms.get("rating_within"),
            most=most,
            since=now,
        )
        return services.challenge(creator=user, now=now, renewal=kept, **terms)


def of(user: User) -> QuerySet[StandingChallenge]:
    """Return a user's standing challenges, oldest first."""
    return StandingChallenge.objects.filter(user=user).order_by("pk")


def running(kept: StandingChallenge) -> int:
    """Return how many running matches of its owner come from a standing challenge."""
    seats = Player.objects.filter(user=kept.user_id, ended=None, dropped="")
    return seats.filter(match__challenge__renewal=kept).count()


def end(*, user: User, pk: int, now: datetime) -> None:
    """Delete a user's standing challenge, if it still exists.

    Its open challenge is withdrawn. Running matches continue.
    """
    kept = StandingChallenge.objects.filter(user=user, pk=pk).first()
    if kept is not None:
        _withdraw(kept, now)
        kept.delete()


def go_on(*, user: User, pk: int, now: datetime) -> None:
    stopped = StandingChallenge.objects.filter(user=user, pk=pk).exclude(stopped="")
    if stopped.update(stopped="", since=now):
        renew_one(pk, now=now)


def renew(*, now: datetime) -> int:
    """Post challenges where there is room and stop others. Return how many were posted."""
    active = StandingChallenge.objects.filter(stopped="").order_by("pk")
    posted = 0
    for pk in list(active.values_list("pk", flat=True)):
        with IsolatedErrors(f"Standing challenge {pk}"):
            posted += renew_one(pk, now=now)
    return posted


def renew_one(pk: int, *, now: datetime) -> bool:
    """Post the next challenge if there is room. Of two concurrent calls one posts it."""
    with transaction.atomic():
        active = StandingChallenge.objects.select_for_update(of=("self",)).select_related("user")
        kept = active.filter(pk=pk, stopped="").first()
        if kept is None:
            return False
        if reason := _stopped(kept, now):
            kept.stopped = reason
            kept.save(update_fields=["stopped"])
        if reason or vacations.away([kept.user_id], now):
            _withdraw(kept, now)
            return False
        is_posted = kept.challenges.filter(status__in=PENDING).exists()
        return not is_posted and running(kept) < kept.most and _post(kept, now)


def _stopped(kept: StandingChallenge, now: datetime) -> str:
    """Return why it has to stop. Empty if it doesn't."""
    seats = Player.objects.filter(user=kept.user_id, match__challenge__renewal=kept)
    lost = seats.filter(dropped=Player.Dropped.TIMEOUT, match__created__gte=kept.since)
    if lost.exists():
        return Stop.TIMEOUT
    last: date = kept.user.last_here or kept.since.date()
    idle = max(last, kept.since.date()) < (now - IDLE).date()
    return Stop.IDLE if idle or not kept.user.is_active else ""


def _post(kept: StandingChallenge, now: datetime) -> bool:
    """Post the next challenge. ``False`` if the lobby refuses it."""
    try:
        preferences.check_room(kept.user)
        with transaction.atomic():
            services.challenge(
                creator=kept.user,
                title=kept.title,
                params=kept.params,
                clock=Clock.load(kept.clock),
                seats=kept.seats,
                audience=Challenge.Audience.OPEN,
                seating=Challenge.Seating(kept.seating),
                message=kept.message,
                least_reliability=kept.least_reliability,
                rated=kept.rated,
                rating_within=kept.rating_within,
                renewal=kept,
                now=now,
            )
    except GameError:
        return False
    return True


def _withdraw(kept: StandingChallenge, now: datetime) -> None:
    for pk in list(kept.challenges.filter(status__in=PENDING).values_list("pk", flat=True)):
        try:
            services.withdraw(challenge_id=pk, user=kept.user, now=now)
        except GameError:
            # somebody took the last seat concurrently
            continue
