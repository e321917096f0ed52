"""One change after another, where moves are observed.

How long an observation takes can tell what comes of it, and of several at once the shortest would
be written first. So what a player sends waits until what that player has sent before is done.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from django.core.cache import cache

from accounts.models import User
from games.kernel import registry
from games.matches.errors import Busy
from games.matches.models import Match

LONGEST = 30
"""Seconds after which a change that was never done, on a machine that died, binds no more."""

PATIENCE = 10
"""Seconds for which another change waits for it."""

PAUSE = 0.02
"""Seconds between two looks whether it is done."""

STILL_BUSY = "Your last move is still being looked at. Please try again."

MOST_OF_ONE = 1
"""How many changes of one account may wait at once in a process."""

MOST = 4
"""How many changes of all accounts may wait at once in a process.

Each holds a thread and a connection to the database, which others need to read a page.
"""

_waiting: Counter[int] = Counter()
"""How many changes of each account wait, by its id."""

_lock = Lock()


@contextmanager
def player_lock(match_id: int, user: User) -> Iterator[None]:
    """Let a player make one change of a match at a time, if its moves are observed.

    :raises Busy: the change before it takes too long, or too many wait already.
    """
    if not _observes(match_id):
        yield
        return
    key = f"change:{match_id}:{user.pk}"
    if not cache.add(key, 1, LONGEST):
        with _place_in_line(user):
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
            raise Busy(STILL_BUSY)
        time.sleep(PAUSE)


@contextmanager
def _place_in_line(user: User) -> Iterator[None]:
    """Count one more change that waits.

    :raises Busy: too many wait already, of this account or of all.
    """
    with _lock:
        if _waiting[user.pk] >= MOST_OF_ONE or _waiting.total() >= MOST:
            raise Busy(STILL_BUSY)
        _waiting[user.pk] += 1
    try:
        yield
    finally:
        with _lock:
            _waiting[user.pk] -= 1
            if not _waiting[user.pk]:
                del _waiting[user.pk]
