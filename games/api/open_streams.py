"""The open streams of this process: how many a caller has, and the work that they take."""

import asyncio
import time
import weakref
from collections.abc import Awaitable, Callable, Sequence
from weakref import WeakValueDictionary

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from accounts import limits
from config.server.clients import Share, Slots, network_of

RETRY_AFTER = 10
"""Seconds after which to try again while too many streams are open."""

by_account = Slots(settings.OPEN_STREAMS["account"])
by_network = Slots(settings.OPEN_STREAMS["address"])

_turns: "WeakValueDictionary[str, Turn]" = WeakValueDictionary()


class Turn:
    """Limits the streams of one caller to one at a time, and a share of a core in the long run."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._share = Share(**settings.STREAM_WORK)

    async def work(self, step: Callable[[], Awaitable[tuple[bytes | None, float]]]) -> bytes | None:
        """Wait for the turn, then return the line of a step, which also reports its seconds."""
        async with self._lock:
            await asyncio.sleep(self._share.wait(time.monotonic()))
            began = time.monotonic()
            line, seconds = await step()
            self._share.spend(began, seconds)
        return line


class OpenStream:
    """A stream's place among the open ones, until ``free`` is called or it is garbage collected."""

    def __init__(self, caller: str, taken: Sequence[tuple[Slots, str]]) -> None:
        self.turn = _turns.setdefault(caller, Turn())
        self.free = weakref.finalize(self, _give_back, taken)
        self.free.atexit = False


def take(request: Request) -> OpenStream:
    """:raises Throttled: the account or the network has too many streams open."""
    network = network_of(limits.address(request))
    caller = network
    wanted = [(by_network, network)]
    if request.user.is_authenticated:
        account = f"account {request.user.pk}"
        wanted.append((by_account, account))
        # Anybody can be many guests.
        caller = network if request.user.is_guest else account
    taken: list[tuple[Slots, str]] = []
    for slots, key in wanted:
        if not slots.take(key):
            _give_back(taken)
            raise Throttled(RETRY_AFTER, _("Too many streams are open. Close one."))
        taken.append((slots, key))
    return OpenStream(caller, taken)


def _give_back(taken: Sequence[tuple[Slots, str]]) -> None:
    for slots, key in taken:
        slots.give_back(key)
