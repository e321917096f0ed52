"""Errors of clubs."""

from games.matches.errors import Refused, Unknown


class NoSuchClub(Unknown):
    """There is no club with this id."""

    code = "no-such-club"


class NotALeader(Refused):
    """Only leaders of the club may do this."""

    code = "not-a-leader"


class MayNotJoin(Refused):
    """The user may not join the club, or not now."""

    code = "may-not-join"
