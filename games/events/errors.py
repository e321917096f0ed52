"""Errors of tournaments."""

from games.matches.errors import Refused


class NoSuchTournament(Refused):
    """There is no tournament with this id."""

    code = "no-such-tournament"


class EntryClosed(Refused):
    """The tournament has begun, is over or was cancelled."""

    code = "entry-closed"
