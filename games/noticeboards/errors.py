"""Errors of noticeboards."""

from games.matches.errors import Refused


class NoSuchTopic(Refused):
    """There is no such topic or post, or the user can't read it."""

    code = "no-such-topic"
