"""Errors about boards."""

from games.kernel.errors import GameError


class BrokenBoard(GameError):
    """The board can't be read or replayed.

    The message says why.
    """

    code = "broken-board"


class TooLong(BrokenBoard):
    """The board doesn't fit in an address."""

    code = "too-long"


class MayNotSave(GameError):
    """The user may not save another board, or not publish one."""

    code = "may-not-save"
