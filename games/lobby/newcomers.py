"""Restrictions in the lobby for guests and users without a confirmed address."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from accounts import signup
from accounts.models import User
from games.lobby.models import Challenge
from games.matches.errors import Refused

GUEST_CHALLENGES = gettext_lazy(
    "Guests play bots, and people who send them a link. Join to challenge others."
)
GUEST_ACCEPTS = gettext_lazy(
    "Guests play bots, and people who send them a link. Join to accept open challenges."
)
UNCONFIRMED = gettext_lazy(
    "Confirm your email address first: then you can challenge players by name."
)

MAX_OPEN_UNCONFIRMED = 3
"""Maximum number of open challenges of a user without a confirmed address."""


def check_may_challenge(
    creator: User, invited: Sequence[User], audience: Challenge.Audience, *, is_rematch: bool
) -> None:
    """Check that no guest challenges people or is challenged by name, except for a rematch.

    Users without a confirmed address may name nobody, as the site would mail strangers for them.

    :raises Refused: the challenge isn't allowed.
    """
    if is_rematch or is_among_bots(invited, audience):
        return
    people = [user for user in invited if not user.is_bot]
    if creator.is_guest:
        raise Refused(GUEST_CHALLENGES)
    if any(user.is_guest for user in people):
        raise Refused(gettext_lazy("Guests cannot be challenged by name."))
    if people and signup.awaits_confirmation(creator):
        raise Refused(UNCONFIRMED)


def is_among_bots(invited: Sequence[User], audience: Challenge.Audience) -> bool:
    """Whether only bots can take the other seats of a challenge."""
    return audience == Challenge.Audience.NAMED and all(user.is_bot for user in invited)


def most_open(creator: User, most: int) -> int:
    """Return how many open challenges a user may have, up to ``most``."""
    return min(most, MAX_OPEN_UNCONFIRMED) if signup.awaits_confirmation(creator) else most


def check_may_accept(challenge: Challenge, user: User) -> None:
    """:raises Refused: a guest accepts a challenge open to everybody."""
    if user.is_guest and challenge.audience == Challenge.Audience.OPEN:
        raise Refused(GUEST_ACCEPTS)
