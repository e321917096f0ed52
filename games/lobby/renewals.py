"""Open challenges that renew themselves: they keep their owner at up to so many matches.

A sweep posts the next one as soon as there is room for it. It waits while the owner is on vacation
or plays as many matches as they want to; it stops by itself where the owner's time ran out in one
of the matches, or nobody saw the owner for long.
"""

from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games.kernel.errors import GameError
from games.lobby import preferences, services
from games.lobby.models import Challenge, StandingChallenge
from games.matches.clocks import vacations
from games.matches.clocks.clock import Clock
from games.matches.errors import Refused
from games.matches.isolation import isolate_errors
from games.matches.models import Player

MAX_STANDING_CHALLENGES = 5
"""How many challenges that renew themselves somebody may have."""

MAX_MATCH_LIMIT = 10
"""The most matches at which one of them keeps its owner."""

IDLE = timedelta(days=14)
"""After so many days without a visit of its owner it stops."""

Stop = StandingChallenge.Stop
PENDING = (Challenge.Status.OPEN, Challenge.Status.REVEALING)


def keep(*, user: User, most: int, terms: dict[str, Any], now: datetime) -> Challenge:
    """Post an open challenge that renews itself, up to ``most`` running matches of it at a time.

    :param terms: the arguments of :func:`games.lobby.services.challenge`.

    :raises Refused: it is not open to all, asks for strict dice, or there are too many.
    """
    if terms["audience"] != Challenge.Audience.OPEN or terms.get("strict_dice"):
        raise Refused("Only open challenges without strict dice renew themselves.")
    if not 1 <= most <= MAX_MATCH_LIMIT:
        raise Refused(f"A challenge keeps you at {MAX_MATCH_LIMIT} matches at most.")
    with transaction.atomic():
        _lock_owner(user)
        if StandingChallenge.objects.filter(user=user).count() >= MAX_STANDING_CHALLENGES:
            raise Refused(
                f"You have {MAX_STANDING_CHALLENGES} challenges already that renew themselves."
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
            most=most,
            since=now,
        )
        return services.challenge(creator=user, now=now, renewal=kept, **terms)


def _lock_owner(user: User) -> None:
    """Let two requests of one user wait for each other."""
    list(User.objects.filter(pk=user.pk).select_for_update(no_key=True).values_list("pk"))


def of(user: User) -> QuerySet[StandingChallenge]:
    """Return the challenges of a user that renew themselves, the oldest first."""
    return StandingChallenge.objects.filter(user=user).order_by("pk")


def running(kept: StandingChallenge) -> int:
    """Return how many matches its owner plays that have come of it."""
    seats = Player.objects.filter(user=kept.user_id, ended=None, dropped="")
    return seats.filter(match__challenge__renewal=kept).count()


def end(*, user: User, pk: int, now: datetime) -> None:
    """Let one of a user's own renew itself no more; harmless where it is gone.

    The challenge that is open goes with it, running matches go on.
    """
    kept = StandingChallenge.objects.filter(user=user, pk=pk).first()
    if kept is not None:
        _withdraw(kept, now)
        kept.delete()


def go_on(*, user: User, pk: int, now: datetime) -> None:
    """Let one that has stopped renew itself again."""
    found = StandingChallenge.objects.filter(user=user, pk=pk).exclude(stopped="")
    if found.update(stopped="", since=now):
        renew_one(pk, now=now)


def renew(*, now: datetime) -> int:
    """Post what there is room for, take back what has to stop; return how many were posted."""
    active = StandingChallenge.objects.filter(stopped="").order_by("pk")
    posted = (
        isolate_errors(f"Standing challenge {pk}", partial(renew_one, pk, now=now))
        for pk in list(active.values_list("pk", flat=True))
    )
    return sum(filter(None, posted))


def renew_one(pk: int, *, now: datetime) -> bool:
    """Post the next challenge if there is room for it; of two calls at once one does."""
    with transaction.atomic():
        found = StandingChallenge.objects.select_for_update(of=("self",)).select_related("user")
        kept = found.filter(pk=pk, stopped="").first()
        if kept is None:
            return False
        if reason := _stopped(kept, now):
            kept.stopped = reason
            kept.save(update_fields=["stopped"])
        if reason or vacations.away([kept.user_id], now):
            _withdraw(kept, now)
            return False
        return _has_room(kept) and _post(kept, now)


def _stopped(kept: StandingChallenge, now: datetime) -> str:
    """Return why it has to stop; empty if it has not."""
    seats = Player.objects.filter(user=kept.user_id, match__challenge__renewal=kept)
    lost = seats.filter(dropped=Player.Dropped.TIMEOUT, match__created__gte=kept.since)
    if lost.exists():
        return Stop.TIMEOUT
    last: date = kept.user.last_here or kept.since.date()
    idle = max(last, kept.since.date()) < (now - IDLE).date()
    return Stop.IDLE if idle or not kept.user.is_active else ""


def _has_room(kept: StandingChallenge) -> bool:
    is_posted = kept.challenges.filter(status__in=PENDING).exists()
    return not is_posted and running(kept) < kept.most


def _post(kept: StandingChallenge, now: datetime) -> bool:
    """Post the next one; ``False`` where its owner may not just now, as with enough matches."""
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
            # Somebody took the last seat at this moment.
            continue
