"""Strict dice: each player commits to a nonce on sitting down, and reveals it when all have.

Nobody, the site included, knows all nonces before the last commitment is made, so that nobody can
choose one by what comes of it (docs/dice.md).
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.crypto import constant_time_compare

from accounts.models import User
from games.kernel.contract import Meta
from games.kernel.dice import SIZE, seal
from games.lobby import news, selectors
from games.lobby.models import Challenge, Place
from games.match.errors import Refused

PATIENCE = timedelta(days=3)
"""How long a player has to reveal a nonce."""

NEEDS_BROWSER = (
    "Strict dice need a random number from your own browser:"
    " turn JavaScript on, and open the site by HTTPS."
)

COMMITMENT = re.compile(f"[0-9a-f]{{{2 * SIZE}}}")


class WrongNonce(Refused):
    """A nonce that is not the one that was committed to."""

    code = "wrong-nonce"


def check_offered(meta: Meta) -> None:
    """Check that a game can be played with strict dice.

    :raises Refused: it has no dice.
    """
    if not meta.has_chance:
        raise Refused(f"{meta.name} has no dice.")


def check_commitment(found: Challenge, commitment: str) -> None:
    """Check the commitment of somebody who takes a seat.

    :raises Refused: there is none, or it is another player's.
    """
    if not COMMITMENT.fullmatch(commitment):
        raise Refused(NEEDS_BROWSER)
    taken = Place.objects.filter(challenge=found, state=Place.State.TAKEN)
    if taken.filter(nonce_commitment=commitment).exists():
        raise Refused("Another player has made the same commitment. Please try again.")


def begin(found: Challenge, seated: Sequence[Place], joiner: User, now: datetime) -> None:
    """Fix the seating before any nonce is known, and ask the players for their nonces."""
    for seat, place in enumerate(seated):
        place.seat = seat
        place.save(update_fields=["seat"])
        if place.user_id != joiner.pk:
            news.tell(news.REVEAL_DUE, found, place.user, joiner, now)
    found.status = Challenge.Status.REVEALING
    found.expires = now + PATIENCE


def check_nonce(place: Place, nonce: bytes) -> None:
    """Check a nonce against its commitment.

    :raises WrongNonce: it is another one, or not of 32 bytes.
    """
    fits = constant_time_compare(seal(nonce).hex(), place.nonce_commitment)
    if len(nonce) != SIZE or not fits:
        raise WrongNonce("This is not the number that your browser committed to.")


def awaited(found: Challenge) -> list[Place]:
    """Return the places whose nonces are still to be revealed, in seat order."""
    if not found.strict_dice:
        return []
    return [place for place in selectors.seated(found) if not place.has_revealed]


def tell_expired(found: Challenge, now: datetime) -> None:
    """Tell all players that a challenge has ended because a nonce was not revealed."""
    late = awaited(found)
    for place in found.places.all():
        if late and place.state == Place.State.TAKEN:
            news.tell(news.REVEAL_MISSED, found, place.user, late[0].user, now)
