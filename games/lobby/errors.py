"""Errors of the lobby."""

from games.matches.errors import Refused, Unknown


class NoSuchChallenge(Unknown):
    """The challenge doesn't exist, or this person may not see it."""

    code = "no-such-challenge"


class ChallengeClosed(Refused):
    """The challenge has started, expired, or was declined or withdrawn."""

    code = "challenge-closed"


class NotInvited(Refused):
    """The challenge is meant for others."""

    code = "not-invited"
