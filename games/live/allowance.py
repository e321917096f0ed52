"""Rate limits of sockets."""

import asyncio
import time
from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from django.http import HttpRequest

from accounts import limits
from games.matches.isolation import IsolatedErrors

COUNT_PERIOD = 0.1
"""Seconds in which a process gathers actions that one thread then counts."""

UNKNOWN_ADDRESS = "::"
"""Replaces the network address of a page if the server doesn't give it."""


class Allowance:
    """The messages that one page may still send: a token bucket."""

    def __init__(self, most: float, earned: float) -> None:
        self._most = most
        self._earned = earned
        self._left = most
        self._since = time.monotonic()

    def spend(self) -> bool:
        """Take a token. ``False`` if there is none."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._since) * self._earned)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class AccountLimit:
    """The rate limit of an account for one action, shared by all its pages and forms.

    A thread counts, and nothing waits for it. A page may therefore exceed the limit a little before
    it is stopped. :class:`Allowance` bounds by how much.
    """

    def __init__(self, user: Any, action: str, address: str = UNKNOWN_ADDRESS) -> None:
        """``action`` is a key of ``FORM_LIMITS``, ``address`` the network address of the page."""
        self._request = HttpRequest()
        self._request.user = user
        self._request.META["REMOTE_ADDR"] = address
        self._action = action
        self._seconds = 0.0
        self._closed_until = 0.0

    @property
    def is_reached(self) -> bool:
        """Whether the account has used up its limit."""
        return time.monotonic() < self._closed_until

    def measure(self, seconds: float) -> None:
        """Add processor time to the next action that is counted."""
        self._seconds += seconds

    def count(self) -> None:
        """Count one action soon, together with those of other pages."""
        loop = asyncio.get_running_loop()
        uncounted = _uncounted.setdefault(loop, [])
        if not uncounted:
            loop.call_later(COUNT_PERIOD, _count_all, loop)
        uncounted.append(self)

    def spend(self) -> None:
        seconds, self._seconds = self._seconds, 0.0
        try:
            limits.spend(self._request, self._action)
            limits.spend_work(self._request, seconds)
        except limits.TooMany as refusal:
            self._closed_until = time.monotonic() + refusal.wait


_uncounted: WeakKeyDictionary[asyncio.AbstractEventLoop, list[AccountLimit]] = WeakKeyDictionary()


def _count_all(loop: asyncio.AbstractEventLoop) -> None:
    # asyncio.to_thread would copy the context, in which Django keeps its cache clients: each call
    # would open a new connection to Redis.
    loop.run_in_executor(None, _spend_all, _uncounted.pop(loop))


def _spend_all(counted: Iterable[AccountLimit]) -> None:
    for limit in counted:
        with IsolatedErrors("Counting an action"):
            limit.spend()
