"""Errors of team matches."""

from games.matches.errors import Refused


class NoSuchTeamMatch(Refused):
    """There is no team match with this id."""

    code = "no-such-team-match"
