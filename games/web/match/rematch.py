"""The dice in the form of a rematch."""

from dataclasses import dataclass

from accounts.models import User
from games.lobby import commitments, selectors
from games.lobby.models import Challenge
from games.matches.models import Match


@dataclass(frozen=True)
class RematchDice:
    """The commitment of a rematch, in hexadecimal, and whether its dice are strict.

    ``token`` stands for the secret; it is empty where another player has asked already.
    """

    commitment: str
    token: str
    is_strict: bool


@dataclass(frozen=True)
class Rematch:
    """How a rematch stands: ``asked`` the challenge that waits, ``match_id`` the one that began.

    ``is_own`` says that the reader has asked for it, or accepted it already.
    """

    asked: Challenge | None
    match_id: int | None
    is_own: bool


def rematch_of(match: Match, user: User) -> Rematch:
    """Return how the rematch of an ended match stands for a user."""
    asked = selectors.rematch_of(match)
    seated = selectors.taken(asked) if asked else []
    is_own = any(invitation.user_id == user.pk for invitation in seated)
    return Rematch(asked, selectors.begun_rematch_of(match), is_own)


def rematch_dice(match: Match, user: User) -> RematchDice:
    """Return the dice of the rematch that a user may ask for, or that another has asked for."""
    if challenge := selectors.rematch_of(match):
        return RematchDice(challenge.commitment, "", challenge.strict_dice)
    pending = commitments.make(user)
    return RematchDice(pending.commitment, pending.token, match.strict_dice)
