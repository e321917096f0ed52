"""What people may not do in the lobby yet: guests, and who has not confirmed an address."""

from collections.abc import Sequence

from accounts import signup
from accounts.models import User
from games.lobby.models import Challenge
from games.matches.errors import Refused

GUEST_CHALLENGES = "Guests play bots, and people who send them a link. Join to challenge others."
GUEST_ACCEPTS = "Guests play bots, and people who send them a link. Join to accept open challenges."
UNCONFIRMED = "Confirm your email address first: then you can challenge players by name."

MAX_OPEN_UNCONFIRMED = 3
"""How many open challenges somebody may have who has not confirmed an address."""


def check_may_challenge(
    creator: User, invited: Sequence[User], audience: Challenge.Audience, *, is_rematch: bool
) -> None:
    """Check that no guest challenges people, nor is challenged by name, but for a rematch.

    Who has not confirmed an address names nobody: that would be a way to write mails to strangers.

    :raises Refused: somebody may not.
    """
    if is_rematch or is_among_bots(invited, audience):
        return
    people = [user for user in invited if not user.is_bot]
    if creator.is_guest:
        raise Refused(GUEST_CHALLENGES)
    if any(user.is_guest for user in people):
        raise Refused("Guests cannot be challenged by name.")
    if people and signup.awaits_confirmation(creator):
        raise Refused(UNCONFIRMED)


def is_among_bots(invited: Sequence[User], audience: Challenge.Audience) -> bool:
    """Whether nobody but bots can take the other seats of a challenge."""
    return audience == Challenge.Audience.NAMED and all(user.is_bot for user in invited)


def most_open(creator: User, most: int) -> int:
    """Return how many open challenges a user may have, of whom others may have ``most``."""
    return min(most, MAX_OPEN_UNCONFIRMED) if signup.awaits_confirmation(creator) else most


def check_may_accept(challenge: Challenge, user: User) -> None:
    """Check that no guest accepts a challenge that is open to all.

    :raises Refused: one does.
    """
    if user.is_guest and challenge.audience == Challenge.Audience.OPEN:
        raise Refused(GUEST_ACCEPTS)
