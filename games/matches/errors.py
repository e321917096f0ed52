"""Why a change of a match was refused, apart from the rules of its game."""

from typing import Any

from games.kernel.errors import BrokenPosition, GameError

RULES, POSITION, LOG = "rules", "position", "log"
"""The parts of a match that can be unreadable."""

TOO_EARLY = "Moves that follow a roll are sent after it has been seen."
"""Refuses moves that follow one whose outcome is hidden, in the same submission."""


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
    """A roll in a match whose secret was lost; a backup of the database has it."""

    code = "secret-missing"


class Unreadable(Refused, BrokenPosition):
    """A match that the rules installed now cannot read.

    ``match`` is the :class:`~games.matches.models.Match`. ``part`` is what of it they cannot read:
    ``RULES`` if the game or the version of its rules is not installed, else ``POSITION`` or
    ``LOG``. The message repeats nothing of what is stored, since that may be hidden.
    """

    code = "unreadable"

    def __init__(self, match: Any, part: str) -> None:
        super().__init__(f"The {part} of {match} cannot be read.")
        self.match = match
        self.part = part


class OutOfTime(Refused):
    """A change by a player whose time had run out."""

    code = "out-of-time"


class Busy(Refused):
    """A change that lost to other changes, or waited for one, too often."""

    code = "busy"
