"""Finding an opponent: accept the open challenge that fits best, otherwise post one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.contract import Meta
from games.kernel.errors import GameError
from games.kernel.two_players import PAIR
from games.lobby import newcomers, preferences, reliability, selectors, services, strength
from games.lobby.commitments import PendingSecret
from games.lobby.models import Challenge, Search
from games.matches.clock import Clock
from games.matches.errors import Refused
from games.talk.models import Muting

CONSIDERED = 100
"""Maximum number of open challenges that a search considers, the oldest first."""

NOT_FOR_TWO = gettext_lazy("{game} is not a game for two players.")


@dataclass(frozen=True)
class Wanted:
    """The wish of a searching user: standard board, two seats, and these terms.

    ``within`` is the maximum difference from the user's own rating. ``None`` for any rating.
    """

    title: str
    clock: Clock
    rated: bool = True
    within: int | None = None


def is_for_two(meta: Meta) -> bool:
    low, high = meta.seats
    return low <= PAIR <= high


def find(
    *,
    user: User,
    wanted: Wanted,
    now: datetime,
    pending: PendingSecret | None = None,
    nonce: bytes = b"",
) -> Challenge:
    """Accept the open challenge that fits best, otherwise post one or return the one posted before.

    Searches of a game run one after the other, so that two people who search at the same moment
    meet. ``nonce`` goes into the dice, and ``pending`` is the secret of a new challenge, whose
    commitment was shown before.

    :raises Refused: the user may not start a match now, or the game isn't for two.
    """
    meta = registry.get(wanted.title).meta
    if not is_for_two(meta):
        raise Refused(NOT_FOR_TWO.format(game=meta.name))
    newcomers.check_may_challenge(user, [], Challenge.Audience.OPEN, is_rematch=False)
    with transaction.atomic():
        Search.objects.get_or_create(title=wanted.title)
        Search.objects.select_for_update().get(title=wanted.title)
        terms = _terms(meta, wanted)
        bounds = strength.bounds(user, wanted.title, wanted.within, now)
        if posted := _posted(user, terms, bounds, now):
            return posted
        preferences.check_room(user)
        reliability.check_may_begin(user, now)
        return _accepted(user, terms, bounds, nonce, now) or services.challenge(
            creator=user,
            title=wanted.title,
            params={},
            clock=wanted.clock,
            seats=PAIR,
            audience=Challenge.Audience.OPEN,
            rated=wanted.rated,
            rating_within=wanted.within,
            pending=pending,
            nonce=nonce,
            now=now,
        )


def _terms(meta: Meta, wanted: Wanted) -> dict[str, Any]:
    return {
        "title": wanted.title,
        "params": dict(parameters.complete(meta, {})),
        "clock": wanted.clock.dump(),
        "seats": PAIR,
        "rated": wanted.rated,
        "strict_dice": False,
    }


def _posted(
    user: User, terms: dict[str, Any], bounds: tuple[int, int] | None, now: datetime
) -> Challenge | None:
    """Return the user's own open challenge with the same terms."""
    low, high = bounds or (None, None)
    mine = Challenge.objects.filter(
        **terms,
        creator=user,
        status=Challenge.Status.OPEN,
        audience=Challenge.Audience.OPEN,
        expires__gt=now,
        lowest_rating=low,
        highest_rating=high,
    )
    return mine.first()


def _accepted(
    user: User,
    terms: dict[str, Any],
    bounds: tuple[int, int] | None,
    nonce: bytes,
    now: datetime,
) -> Challenge | None:
    """Accept the fitting challenge whose creator is nearest in rating. The oldest wins a tie."""
    open_now = selectors.by_people(selectors.open_to_others(user)).filter(**terms, expires__gt=now)
    muted = Muting.objects.filter(Q(user=user) | Q(muted=user)).values_list("user", "muted")
    apart = {pk for pair in muted for pk in pair}
    candidates = list(open_now.exclude(creator__in=apart).order_by("created", "pk")[:CONSIDERED])
    people = {user.pk, *(one.creator_id for one in candidates)}
    numbers = strength.numbers(people, terms["title"], now)
    if bounds:
        low, high = bounds
        candidates = [one for one in candidates if low <= numbers[one.creator_id] <= high]
    candidates.sort(key=lambda one: abs(numbers[one.creator_id] - numbers[user.pk]))
    for one in candidates:
        try:
            return services.accept(challenge_id=one.pk, user=user, nonce=nonce, now=now)
        except GameError:
            # the challenge asks for another rating or reliability, or was taken concurrently
            continue
    return None
