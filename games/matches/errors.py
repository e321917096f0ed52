"""Why a change of a match was refused, apart from the rules of its game."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.kernel.errors import BrokenPosition, GameError

RULES, POSITION, LOG = "rules", "position", "log"
"""The parts of a match that can be unreadable."""

UNREADABLE = {
    RULES: gettext_noop("The rules of match {number} cannot be read."),
    POSITION: gettext_noop("The position of match {number} cannot be read."),
    LOG: gettext_noop("The log of match {number} cannot be read."),
}

TOO_EARLY = gettext_noop("Moves that follow a roll are sent after it has been seen.")
"""Refuses moves that follow one with a hidden outcome in the same submission."""


class Refused(GameError):
    """The match doesn't allow the change now.

    The message says why.
    """

    code = "refused"


class Unknown(Refused):
    """There is no such thing, or the user may not see it. Each kind has a code of its own."""


class NoSuchMatch(Unknown):
    """There is no match with this id."""

    code = "no-such-match"


class NotAPlayer(Refused):
    """The user has no seat in the match."""

    code = "not-a-player"


class StaleMove(Refused):
    """The match has changed since the version of the request."""

    code = "stale"


class SecretMissing(Refused):
    """The secret of the match's dice is lost.

    A backup of the database has it.
    """

    code = "secret-missing"


class Unreadable(Refused, BrokenPosition):
    """The installed rules can't read the match.

    ``match`` is the :class:`~games.matches.models.Match`. ``part`` is the unreadable part:
    ``RULES`` if the game or the version of its rules isn't installed, else ``POSITION`` or ``LOG``.
    The message quotes no stored data, since that may be hidden.
    """

    code = "unreadable"

    def __init__(self, match: Any, part: str) -> None:
        super().__init__(match, part)
        self.match = match
        self.part = part

    def __str__(self) -> str:
        # Worded when it is shown: the mail to admins is in English.
        return _(UNREADABLE[self.part]).format(number=self.match.pk)


NOT_READABLE = (GameError, KeyError, TypeError, ValueError, IndexError, AttributeError)
"""Errors that rules raise for a position or a log that isn't theirs."""


@contextmanager
def reading(match: Any, part: str) -> Iterator[None]:
    """Turn errors of rules about stored data into :exc:`Unreadable`.

    The original error is dropped, since it may quote hidden cards.

    :param part: see :class:`Unreadable`.
    """
    try:
        yield
    except Unreadable:
        raise
    except NOT_READABLE:
        raise Unreadable(match, part) from None


class OutOfTime(Refused):
    """The player's time had run out."""

    code = "out-of-time"


class Busy(Refused):
    """The change lost to other changes, or waited for one, too often."""

    code = "busy"
