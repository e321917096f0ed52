"""One change after another, where moves are observed.

How long an observation takes can tell what comes of it, and of several at once the shortest would
be written first. So what a player sends waits until what that player has sent before is done.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache

from accounts.models import User
from games.kernel import registry
from games.match.errors import Busy
from games.match.models import Match

LONGEST = 30
"""Seconds after which a change that was never done, on a machine that died, binds no more."""

PATIENCE = 10
"""Seconds for which another change waits for it."""

PAUSE = 0.02
"""Seconds between two looks whether it is done."""


@contextmanager
def alone(match_id: int, user: User) -> Iterator[None]:
    """Let a player make one change of a match at a time, if its moves are observed.

    :raises Busy: the change before it takes too long.
    """
    if not _observes(match_id):
        yield
        return
    key = f"change:{match_id}:{user.pk}"
    _wait(key)
    try:
        yield
    finally:
        cache.delete(key)


def _observes(match_id: int) -> bool:
    titles = [slug for slug, title in registry.titles().items() if title.meta.observes]
    return bool(titles) and Match.objects.filter(pk=match_id, title__in=titles).exists()


def _wait(key: str) -> None:
    until = time.monotonic() + PATIENCE
    while not cache.add(key, 1, LONGEST):
        if time.monotonic() > until:
            raise Busy("Your last move is still being looked at. Please try again.")
        time.sleep(PAUSE)
