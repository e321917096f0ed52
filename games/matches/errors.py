"""Why a change of a match was refused, apart from the rules of its game."""

from games.kernel.errors import GameError

TOO_EARLY = "Moves that follow a roll are sent after it has been seen."
"""The sentence for moves sent along with one of which nobody knows yet what comes of it."""


class Refused(GameError):
    """Something that the match does not allow now; the sentence says why."""

    code = "refused"


class NoSuchMatch(Refused):
    """An id that no match has."""

    code = "no-such-match"


class NotAPlayer(Refused):
    """Somebody who has no seat in the match."""

    code = "not-a-player"


class StaleMove(Refused):
    """A change made for a version that is no longer the last one."""

    code = "stale"


class SecretMissing(Refused):
    """Dice whose secret has been lost; a backup of the database has it."""

    code = "secret-missing"


class OutOfTime(Refused):
    """A change by a player whose time had run out."""

    code = "out-of-time"


class Busy(Refused):
    """So many changes at once that this one never found a quiet moment."""

    code = "busy"
