"""Errors of noticeboards."""

from games.matches.errors import Unknown


class NoSuchTopic(Unknown):
    """There is no such topic or post, or the user can't read it."""

    code = "no-such-topic"
