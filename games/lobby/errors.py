"""Why something was refused in the lobby."""

from games.matches.errors import Refused


class NoSuchChallenge(Refused):
    """An id that no challenge has, or one that is not shown to this person."""

    code = "no-such-challenge"


class ChallengeClosed(Refused):
    """A challenge that has started, or was declined, withdrawn, or has expired."""

    code = "challenge-closed"


class NotInvited(Refused):
    """A challenge that is meant for others."""

    code = "not-invited"
