"""Why a line was refused."""

from games.kernel.errors import GameError
from games.matches.errors import Refused


class NoLine(GameError):
    """A text that is empty, too long, or holds what cannot be shown."""

    code = "no-line"


class MayNotWrite(Refused):
    """Somebody who may not write to others here, or to whom nobody listens."""

    code = "may-not-write"
