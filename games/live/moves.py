"""A move that a page sends over its socket: the checks of a request, and the service of every way.

What is refused here is sent by the page again as a form, under the same submission id; the answer
to that says why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone

from accounts import limits
from games.kernel.errors import GameError
from games.live.readers import reader
from games.live.shelf import Key, shelf
from games.live.threads import in_thread
from games.matches import services
from games.matches.play import move_input


@dataclass(frozen=True)
class SentMove:
    """The moves of one submission, and the version of the match that they were made for."""

    version: int
    submission: UUID
    texts: tuple[str, ...]

    @classmethod
    def read(cls, message: Mapping[str, Any]) -> "SentMove | None":
        """Read a message; ``None`` if it is none of a page of this site."""
        version, texts = message.get("version"), message.get("texts")
        if not isinstance(version, int) or version < 0 or not isinstance(texts, list):
            return None
        if not texts or not all(isinstance(text, str) for text in texts):
            return None
        try:
            return cls(version, UUID(str(message.get("submission"))), tuple(texts))
        except ValueError:
            return None


@in_thread
def play(sent: SentMove, match_id: int, session_key: str, key: Key | None = None) -> int | None:
    """Play a move as whoever a session signs in now; ``None`` if it is refused.

    Returns the version of the match after it. What the mover's page is given then, by its ``key``,
    is rendered at once.

    :raises SignedOut: the session signs in nobody any more.
    """
    version = _play(sent, match_id, session_key)
    if version is not None and key is not None:
        shelf.prepare(key, version)
    return version


def _play(sent: SentMove, match_id: int, session_key: str) -> int | None:
    """Play a move; the moves of an account are counted together with those that it sends as forms.

    :raises SignedOut: the session signs in nobody any more.
    """
    user = reader(session_key)
    if user.is_restricted:
        return None  # the form that follows is told why, or let through
    request = HttpRequest()
    request.user = user
    try:
        limits.spend(request, "move")
        move_input.check(sent.texts)
        outcome = services.play_move(
            match_id=match_id,
            user=user,
            texts=sent.texts,
            version=sent.version,
            submission=sent.submission,
            now=timezone.now(),
        )
    except (GameError, limits.TooMany):
        return None
    return outcome.version
