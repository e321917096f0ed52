"""Strict dice: players commit to their nonces when they take a seat, and reveal them later.

Nobody, not even the site, knows all nonces before the last commitment is made. So nobody can choose
a nonce by the dice that it leads to (docs/dice.md).
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.kernel.contract import Meta
from games.kernel.dice import SIZE, commitment
from games.lobby import notifications, selectors
from games.lobby.models import Challenge, Invitation
from games.matches.errors import Refused

REVEAL_PERIOD = timedelta(days=3)
"""How long a player has to reveal a nonce."""

NEEDS_BROWSER = gettext_lazy(
    "Strict dice need a random number from your own browser:"
    " turn JavaScript on, and open the site by HTTPS."
)

COMMITMENT = re.compile(f"[0-9a-f]{{{2 * SIZE}}}")


class WrongNonce(Refused):
    """The nonce doesn't match its commitment."""

    code = "wrong-nonce"


def check_offered(meta: Meta) -> None:
    """:raises Refused: the game has no dice."""
    if not meta.has_chance:
        raise Refused(_("{game} has no dice.").format(game=meta.name))


def check_commitment(challenge: Challenge, commitment: str) -> None:
    """:raises Refused: it isn't a SHA-256 in hexadecimal, or another player has sent the same."""
    if not COMMITMENT.fullmatch(commitment):
        raise Refused(NEEDS_BROWSER)
    taken = Invitation.objects.filter(challenge=challenge, state=Invitation.State.TAKEN)
    if taken.filter(nonce_commitment=commitment).exists():
        raise Refused(_("Another player has made the same commitment. Please try again."))


def begin(challenge: Challenge, seated: Sequence[Invitation], joiner: User, now: datetime) -> None:
    """Store the seating before any nonce is known, and ask the players for their nonces."""
    for seat, invitation in enumerate(seated):
        invitation.seat = seat
        invitation.save(update_fields=["seat"])
        if invitation.user_id != joiner.pk:
            notifications.notify(notifications.REVEAL_DUE, challenge, invitation.user, joiner, now)
    challenge.status = Challenge.Status.REVEALING
    challenge.expires = now + REVEAL_PERIOD


def check_nonce(invitation: Invitation, nonce: bytes) -> None:
    """:raises WrongNonce: the nonce doesn't match its commitment, or isn't 32 bytes long."""
    fits = constant_time_compare(commitment(nonce).hex(), invitation.nonce_commitment)
    if len(nonce) != SIZE or not fits:
        raise WrongNonce(_("This is not the number that your browser committed to."))


def awaited(challenge: Challenge) -> list[Invitation]:
    """Return the invitations without a revealed nonce, in seat order."""
    if not challenge.strict_dice:
        return []
    return [invitation for invitation in selectors.seated(challenge) if not invitation.has_revealed]


def notify_expired(challenge: Challenge, now: datetime) -> None:
    """Notify all players that a challenge has expired because of a missing nonce."""
    late = awaited(challenge)
    for invitation in challenge.invitations.all():
        if late and invitation.state == Invitation.State.TAKEN:
            notifications.notify(
                notifications.REVEAL_MISSED, challenge, invitation.user, late[0].user, now
            )
