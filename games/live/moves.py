"""A move that a page sends over its socket: the checks of a request, and the service of every way.

What is refused here is sent by the page again as a form, under the same submission id; the answer
to that says why.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts import limits
from accounts.models import User
from games.kernel.errors import GameError
from games.matches import move_input, services

THREADS = 4
"""How many moves a process works on at once: they wait for the database, and share a core."""

# SQLite has one writer, and in tests one connection: there the thread of all other queries serves.
_is_shared = connection.vendor == "sqlite"
_threads = None if _is_shared else ThreadPoolExecutor(THREADS, "moves")
in_thread = partial(database_sync_to_async, thread_sensitive=_is_shared, executor=_threads)
"""Makes of a function that uses the database one that the loop can await."""


class SignedOut(Exception):
    """The session of the page has ended, or its account was closed."""


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
def play(sent: SentMove, match_id: int, session_key: str) -> int | None:
    """Play a move as whoever a session signs in now; ``None`` if it is refused.

    Returns the version of the match after it. The moves of an account are counted together with
    those that it sends as forms.

    :raises SignedOut: the session signs in nobody any more.
    """
    user = reader(session_key)
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


def reader(session_key: str) -> User:
    """Return whom a session signs in now.

    :raises SignedOut: nobody.
    """
    session = import_string(f"{settings.SESSION_ENGINE}.SessionStore")(session_key)
    user = get_user(cast("HttpRequest", SimpleNamespace(session=session)))
    if not user.is_authenticated:
        raise SignedOut
    return user
