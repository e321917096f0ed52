"""Errors about reports and cases."""

from games.kernel.errors import GameError


class Refused(GameError):
    """The request is refused; the message gives the reason."""

    code = "refused"


class NoSuchSubject(Refused):
    """The reported subject doesn't exist, or the reporter can't see it."""

    code = "no-such-subject"


class NotYours(Refused):
    """The moderator is part of the case, or somebody else has claimed it."""

    code = "not-yours"
