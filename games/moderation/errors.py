"""Errors about reports and cases."""

from games.matches import errors


class ModerationRefused(errors.Refused):
    """The request is refused; the message gives the reason."""


class NoSuchSubject(ModerationRefused, errors.Unknown):
    """The reported subject doesn't exist, or the reporter can't see it."""

    code = "no-such-subject"


class NotYours(ModerationRefused):
    """The moderator is part of the case, or somebody else has claimed it."""

    code = "not-yours"
