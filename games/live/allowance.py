"""Rate limits of sockets."""

import asyncio
import time
from typing import Any

from django.http import HttpRequest

from accounts import limits


class Allowance:
    """The messages that one page may still send: a token bucket."""

    def __init__(self, most: float, earned: float) -> None:
        self._most = most
        self._earned = earned
        self._left = most
        self._since = time.monotonic()

    def spend(self) -> bool:
        """Take a token; return ``False`` if there is none."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._since) * self._earned)
        self._since = now
        self._left -= 1
        return self._left >= 0


class AccountLimit:
    """The rate limit of an account for one action, shared by all its pages and forms.

    A thread counts, and nothing waits for it. A page may therefore exceed the limit a little before
    it is stopped. :class:`Allowance` bounds by how much.
    """

    def __init__(self, user: Any, action: str) -> None:
        """``action`` is a key of ``FORM_LIMITS``."""
        self._request = HttpRequest()
        self._request.user = user
        self._action = action
        self._uncounted = 0
        self._closed_until = 0.0
        self._counting: asyncio.Task[None] | None = None

    @property
    def is_reached(self) -> bool:
        """Whether the account has used up its limit."""
        return time.monotonic() < self._closed_until

    def count(self) -> None:
        """Count one action, in the background."""
        self._uncounted += 1
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._count_all())

    async def _count_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._uncounted:
            self._uncounted -= 1
            try:
                # asyncio.to_thread would copy the context, in which Django keeps its cache clients:
                # each call would open a new connection to Redis.
                await loop.run_in_executor(None, limits.spend, self._request, self._action)
            except limits.TooMany as refusal:
                self._closed_until = time.monotonic() + refusal.wait

    async def close(self) -> None:
        """Stop counting."""
        if self._counting is not None:
            self._counting.cancel()
            await asyncio.gather(self._counting, return_exceptions=True)
