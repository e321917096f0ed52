"""A lock by which a player makes one change of a match at a time, in games with observations.

The duration of an observation can reveal its outcome, and of several at once the shortest would be
written first. So a player's change waits until the player's earlier change is done.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from django.core.cache import cache
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.kernel import registry
from games.matches.errors import Busy
from games.matches.models import Match

LOCK_LIFETIME = 30
"""Seconds after which the lock of a process that died is released."""

LOCK_TIMEOUT = 10
"""Seconds for which a change waits for the lock."""

RETRY_DELAY = 0.02
"""Seconds between two attempts to take the lock."""

STILL_BUSY = gettext_noop("Your last move is still being looked at. Please try again.")

MOST_OF_ONE = 1
"""Maximum number of one account's changes that wait in a process."""

MAX_WAITING = 2
"""Maximum number of all accounts' changes that wait in a process.

Each holds a thread and a database connection, which others need to read a page. asyncio has at
least five threads (``min(32, cores + 4)``), so most of them stay free.
"""

_waiting: Counter[int] = Counter()
"""Number of waiting changes of each account, by its id."""

_lock = Lock()


@contextmanager
def player_lock(match_id: int, user: User) -> Iterator[None]:
    """Hold the lock of a player in a match, if the match's game has observations.

    :raises Busy: the change before takes too long, or too many changes wait already.
    """
    if not _observes(match_id):
        yield
        return
    key = f"change:{match_id}:{user.pk}"
    if not cache.add(key, "taken", LOCK_LIFETIME):
        with _waiting_place(user):
            until = time.monotonic() + LOCK_TIMEOUT
            while not cache.add(key, "taken", LOCK_LIFETIME):
                if time.monotonic() > until:
                    raise Busy(_(STILL_BUSY))
                time.sleep(RETRY_DELAY)
    try:
        yield
    finally:
        cache.delete(key)


def _observes(match_id: int) -> bool:
    titles = [
        slug
        for slug, title in registry.titles().items()
        if any(version.meta.observes for version in (title, *title.older))
    ]
    if not titles:
        return False
    return Match.objects.filter(pk=match_id, title__in=titles).exists()


@contextmanager
def _waiting_place(user: User) -> Iterator[None]:
    """Count a change while it waits for the lock.

    :raises Busy: too many wait already, of this account or of all.
    """
    with _lock:
        if _waiting[user.pk] >= MOST_OF_ONE or _waiting.total() >= MAX_WAITING:
            raise Busy(_(STILL_BUSY))
        _waiting[user.pk] += 1
    try:
        yield
    finally:
        with _lock:
            _waiting[user.pk] -= 1
            if not _waiting[user.pk]:
                del _waiting[user.pk]
