"""Why a board cannot be shown, or not be changed."""

from games.kernel.errors import GameError


class BrokenBoard(GameError):
    """A board that cannot be read or replayed; the sentence says why."""

    code = "broken-board"


class TooLong(BrokenBoard):
    """A board that does not fit in an address."""

    code = "too-long"


class MayNotSave(GameError):
    """Somebody may not save another board, or not publish one."""

    code = "may-not-save"
