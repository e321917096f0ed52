"""Errors about chat lines."""

from games.kernel.errors import GameError
from games.matches.errors import Refused


class NoLine(GameError):
    """The text is empty, too long, or has characters that can't be shown."""

    code = "no-line"


class MayNotWrite(Refused):
    """The user may not write here, or nobody would read it."""

    code = "may-not-write"
