"""The dice in the form of a rematch."""

from dataclasses import dataclass

from accounts.models import User
from games.lobby import commitments, selectors
from games.lobby.models import Challenge, Invitation
from games.matches.models import Match


@dataclass(frozen=True)
class RematchDice:
    """The commitment of a rematch, in hexadecimal, and whether its dice are strict.

    ``token`` stands for the secret. Empty if another player has asked already.
    """

    commitment: str
    token: str
    is_strict: bool


@dataclass(frozen=True)
class Rematch:
    """The state of a rematch: the pending challenge ``asked``, or the match that began.

    ``is_own`` says that the reader has asked for it, or accepted it already. ``decliner`` declined
    the latest one.
    """

    asked: Challenge | None
    match_id: int | None
    is_own: bool
    decliner: User | None


def rematch_of(match: Match, user: User) -> Rematch:
    """Return the state of the rematch of an ended match for a user."""
    rematches = match.rematches.select_related("creator").order_by("-pk")
    latest = rematches.first()
    if latest is None:
        return Rematch(None, None, is_own=False, decliner=None)
    asked = latest if latest.is_pending else None
    seated = selectors.taken(asked) if asked else []
    is_own = any(invitation.user_id == user.pk for invitation in seated)
    return Rematch(asked, latest.match_id, is_own, _decliner(latest))


def _decliner(challenge: Challenge) -> User | None:
    if challenge.status != Challenge.Status.DECLINED:
        return None
    declined = challenge.invitations.filter(state=Invitation.State.DECLINED)
    answer = declined.select_related("user").first()
    return answer.user if answer else None


def rematch_dice(match: Match, user: User) -> RematchDice:
    """Return the dice of the rematch that a user may ask for, or that another has asked for."""
    if challenge := selectors.rematch_of(match):
        return RematchDice(challenge.commitment, "", challenge.strict_dice)
    pending = commitments.make(user)
    return RematchDice(pending.commitment, pending.token, match.strict_dice)
