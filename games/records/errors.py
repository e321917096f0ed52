"""Errors about imported records."""

from games.matches.errors import Refused


class Damaged(Refused):
    """The file isn't a record, or the rules contradict it.

    The message says where.
    """

    code = "damaged-record"


class MayNotImport(Refused):
    """The user may not import records, or has too many."""

    code = "may-not-import"


class MayNotCollect(Refused):
    """The user may not save positions, or has too many."""

    code = "may-not-collect"


class NoAnimation(Refused):
    """There is no animation of this part of the match.

    The message says why.
    """

    code = "no-animation"
