"""Why a line was refused."""

from games.kernel.errors import GameError
from games.matches.errors import Refused


class NoLine(GameError):
    """A text that is empty, too long, or holds what cannot be shown."""

    code = "no-line"


class MayNotWrite(Refused):
    """The user may not write here, or nobody would read it."""

    code = "may-not-write"
