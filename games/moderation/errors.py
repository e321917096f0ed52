"""Why something about a report or a case was refused."""

from games.kernel.errors import GameError


class Refused(GameError):
    """Something that cannot be done now; the sentence says why."""

    code = "refused"


class NoSuchSubject(Refused):
    """Something reported that is not there, or that the reporter cannot see."""

    code = "no-such-subject"


class NotYours(Refused):
    """A case that the moderator has a part in, or that somebody else is working on."""

    code = "not-yours"
