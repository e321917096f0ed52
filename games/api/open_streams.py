"""The open streams of this process, counted by account and by network."""

import asyncio
import weakref
from collections.abc import Sequence
from weakref import WeakValueDictionary

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from accounts import limits
from config.server.clients import Slots, network_of

RETRY_AFTER = 10
"""Seconds after which to try again while too many streams are open."""

by_account = Slots(settings.OPEN_STREAMS["account"])
by_network = Slots(settings.OPEN_STREAMS["address"])

_turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


class Place:
    """A stream's place among the open ones, until ``free`` is called or nobody holds it.

    The streams of one caller share ``turn``, so that one of them at a time is worked on.
    """

    def __init__(self, caller: str, taken: Sequence[tuple[Slots, str]]) -> None:
        self.turn = _turns.setdefault(caller, asyncio.Lock())
        self.free = weakref.finalize(self, _give_back, taken)
        self.free.atexit = False


def take(request: Request) -> Place:
    """Return a place for a stream of the caller.

    :raises Throttled: the account or the network has too many streams open.
    """
    network = network_of(limits.address(request))
    wanted = [(by_network, network)]
    if request.user.is_authenticated:
        wanted.append((by_account, f"account {request.user.pk}"))
    taken: list[tuple[Slots, str]] = []
    for slots, key in wanted:
        if not slots.take(key):
            _give_back(taken)
            raise Throttled(RETRY_AFTER, "Too many streams are open. Close one.")
        taken.append((slots, key))
    return Place(wanted[-1][1], taken)


def _give_back(taken: Sequence[tuple[Slots, str]]) -> None:
    for slots, key in taken:
        slots.give_back(key)
