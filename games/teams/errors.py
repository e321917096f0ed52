"""Errors of team matches."""

from games.matches.errors import Unknown


class NoSuchTeamMatch(Unknown):
    """There is no team match with this id."""

    code = "no-such-team-match"
