"""Taking seats of a challenge, and starting the match when all are taken."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from games.kernel.dice import SIZE
from games.lobby import reveals, selectors
from games.lobby.models import Challenge, Invitation
from games.matches import services as match_services
from games.matches.services import Participant
from games.talk import services as talk


def take(
    challenge: Challenge, user: User, nonce: bytes, nonce_commitment: str, now: datetime
) -> None:
    """Give a user a seat. Without strict dice the server draws a missing nonce.

    :raises Refused: with strict dice, the commitment is invalid.
    """
    if challenge.strict_dice:
        reveals.check_commitment(challenge, nonce_commitment)
        fields = {"nonce": b"", "nonce_is_own": False, "nonce_commitment": nonce_commitment}
    else:
        drawn = nonce or secrets.token_bytes(SIZE)
        fields = {"nonce": drawn, "nonce_is_own": bool(nonce), "nonce_commitment": ""}
    Invitation.objects.update_or_create(
        challenge=challenge,
        user=user,
        defaults={"state": Invitation.State.TAKEN, "answered": now, **fields},
    )


def has_seat(challenge: Challenge, user: User) -> bool:
    invitation = selectors.invitation_of(challenge, user)
    return invitation is not None and invitation.state == Invitation.State.TAKEN


def taken(challenge: Challenge) -> QuerySet[Invitation]:
    """Return the invitations with a seat, read from the database."""
    return Invitation.objects.filter(challenge=challenge, state=Invitation.State.TAKEN)


def fill(challenge: Challenge, last_joiner: User, now: datetime) -> None:
    """Start the match if all seats are taken, or the reveals with strict dice."""
    seated = _in_seat_order(challenge, list(taken(challenge)))
    if challenge.strict_dice:
        reveals.begin(challenge, seated, last_joiner, now)
    else:
        start(challenge, seated, last_joiner, now)


def start(
    challenge: Challenge, seated: Iterable[Invitation], last_joiner: User, now: datetime
) -> None:
    """Start the match of a challenge; ``seated`` are in seat order. With a guest it is friendly."""
    seated = list(seated)
    challenge.match = match_services.start(
        title=challenge.title,
        params=challenge.params,
        clock=challenge.time_control,
        secret=challenge.secret,
        strict_dice=challenge.strict_dice,
        rated=challenge.rated and not any(p.user.is_guest for p in seated),
        participants=[
            Participant(p.user, p.nonce, p.nonce_is_own, p.nonce_commitment) for p in seated
        ],
        last_joiner=last_joiner,
        now=now,
    )
    challenge.status = Challenge.Status.STARTED
    talk.greet(challenge.match, now=now)


def _in_seat_order(challenge: Challenge, invitations: Sequence[Invitation]) -> list[Invitation]:
    """Return invitations in seat order: the creator's as chosen, the others at random."""
    own = [one for one in invitations if one.user_id == challenge.creator_id]
    others = [one for one in invitations if one.user_id != challenge.creator_id]
    draw = secrets.SystemRandom()
    draw.shuffle(others)
    if challenge.seating == Challenge.Seating.FIRST:
        return own + others
    if challenge.seating == Challenge.Seating.LAST:
        return others + own
    everybody = own + others
    draw.shuffle(everybody)
    return everybody
