"""Errors of tournaments."""

from games.matches.errors import Refused, Unknown


class NoSuchTournament(Unknown):
    """There is no tournament with this id."""

    code = "no-such-tournament"


class EntryClosed(Refused):
    """The tournament has begun, is over or was cancelled."""

    code = "entry-closed"
