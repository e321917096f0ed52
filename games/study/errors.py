"""Errors about boards."""

from games.kernel.errors import GameError


class BrokenBoard(GameError):
    """The board can't be read or replayed.

    The message says why.
    """

    code = "broken-board"


class BrokenMove(BrokenBoard):
    """The move of a ``node`` doesn't replay."""

    def __init__(self, message: str, node: int) -> None:
        super().__init__(message)
        self.node = node


class TooLong(BrokenBoard):
    """The board doesn't fit in an address."""

    code = "too-long"


class MayNotSave(GameError):
    """The user may not save another board, or not publish one."""

    code = "may-not-save"
