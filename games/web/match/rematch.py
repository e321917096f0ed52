"""The dice in the form of a rematch."""

from dataclasses import dataclass

from accounts.models import User
from games.lobby import commitments, selectors
from games.matches.models import Match


@dataclass(frozen=True)
class RematchDice:
    """The commitment of a rematch, in hexadecimal, and whether its dice are strict.

    ``token`` stands for the secret; it is empty where another player has asked already.
    """

    commitment: str
    token: str
    is_strict: bool


def rematch_dice(match: Match, user: User) -> RematchDice:
    """Return the dice of the rematch that a user may ask for, or that another has asked for."""
    if found := selectors.rematch_of(match):
        return RematchDice(found.commitment, "", found.strict_dice)
    pending = commitments.make(user)
    return RematchDice(pending.commitment, pending.token, match.strict_dice)
