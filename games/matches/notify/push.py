"""Messages to pages that something has changed, sent after the commit.

A message says only *that* something changed. Sending neither fails nor slows the change: a thread
sends the rest as soon as the channel layer answers again.
"""

import asyncio
import logging
from asyncio import AbstractEventLoop
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from accounts.signals import notifications_changed
from config.background import Background

log = logging.getLogger(__name__)

SEND_TIMEOUT = 0.3
"""Seconds that a change waits for its messages to be sent."""

BACKGROUND_TIMEOUT = 5.0
"""Maximum seconds for messages for which no change waits: in the serving loop, or in the thread."""

SOME = 500
"""Maximum number of messages that the thread sends within that time."""

GATHER_PERIOD = 2.0
"""Seconds after messages to users in which a serving process collects more of them."""

Messages = Mapping[str, dict[str, Any]]
"""Messages by the channel group to which they are sent."""

USER_CHANGED = {"type": "user.changed"}
"""Tells a user's pages that something changed. Several changes are sent as one."""


def match_group(match_id: int) -> str:
    """Return the channel group of a match's viewers."""
    return f"match.{match_id}"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


def event_group(tournament_id: int) -> str:
    """Return the channel group of the pages of a tournament."""
    return f"event.{tournament_id}"


LOBBY_GROUP = "lobby"
"""The channel group of the pages of the lobby."""


def match_changed(match_id: int, version: int, user_ids: Iterable[int]) -> None:
    """Send a match's version to its viewers and its players when the transaction is committed."""
    users = set(user_ids)
    transaction.on_commit(lambda: send_match_changed(match_id, version, users), robust=True)


def send_match_changed(
    match_id: int, version: int, user_ids: Iterable[int], *, later: bool = False
) -> None:
    """Send a match's version to its viewers and players now. Callable from the serving loop.

    :param later: leave it to the thread, which merges the messages of many changes.
    """
    sent = timezone.now().timestamp()
    change = {"type": "match.changed", "version": version, "sent": sent}
    send = pushes.put if later else _send
    send({match_group(match_id): change, **_to_users(user_ids)})


def challenge_changed(user_ids: Iterable[int]) -> None:
    """Notify the pages of the lobby and of some users, once this is committed."""
    tell(LOBBY_GROUP, "lobby.changed", user_ids)


def event_changed(tournament_id: int, user_ids: Iterable[int]) -> None:
    """Notify the pages of a tournament and of some users, once this is committed."""
    tell(event_group(tournament_id), "event.changed", user_ids)


def tell(group: str, kind: str, user_ids: Iterable[int] = ()) -> None:
    """Send a message with nothing but its kind to a channel group, once this is committed.

    The pages of some users are notified that something changed for them.
    """
    messages: Messages = {group: {"type": kind}, **_to_users(user_ids)}
    transaction.on_commit(lambda: _send(messages), robust=True)


@receiver(notifications_changed)
def count_again(recipients: Collection[int], **_: Any) -> None:
    """Notify users' pages that their notifications changed."""
    _send(_to_users(recipients))


def _to_users(user_ids: Iterable[int]) -> Messages:
    return {user_group(pk): USER_CHANGED for pk in set(user_ids)}


_loops: list[AbstractEventLoop] = []
"""The loop that serves this process's sockets. Empty in a process without any."""


def serve_in(loop: AbstractEventLoop) -> None:
    """Let changes hand their messages to a loop, without waiting."""
    if _loops != [loop]:
        _loops[:] = [loop]
        _gathered.begin()


def _send(messages: Messages) -> None:
    """Send messages at once, or later if earlier ones are still waiting or sending fails."""
    if not pushes.is_idle:
        pushes.put(messages)
    elif _loops and _loops[0].is_running():
        _loops[0].call_soon_threadsafe(_send_here, messages)
    else:
        async_to_sync(_send_or_leave)(messages, SEND_TIMEOUT)


def _send_here(messages: Messages) -> None:
    """Send messages from the serving loop, those to users perhaps a little later."""
    users = {group: each for group, each in messages.items() if each == USER_CHANGED}
    others = {group: each for group, each in messages.items() if group not in users}
    if others:
        _start(others)
    if users:
        _gathered.put(users)


class _Gathered:
    """Coalesces bursts of messages per user.

    The first go out at once, and those during the pause after it when the pause is over.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self._waiting: dict[str, dict[str, Any]] = {}
        self._due = 0.0

    def put(self, messages: Messages) -> None:
        """Send messages now, or when the pause is over."""
        loop = asyncio.get_running_loop()
        was_empty = not self._waiting
        self._waiting |= messages
        if loop.time() >= self._due:
            self._flush()
        elif was_empty:
            loop.call_at(self._due, self._flush)

    def _flush(self) -> None:
        if self._waiting:
            messages = self._waiting
            self._waiting = {}
            self._due = asyncio.get_running_loop().time() + GATHER_PERIOD
            _start(messages)


_gathered = _Gathered()

_sending: set[asyncio.Task[None]] = set()
"""Running tasks, since the loop itself holds only weak references."""


def _start(messages: Messages) -> None:
    task = asyncio.create_task(_send_or_leave(messages, BACKGROUND_TIMEOUT))
    _sending.add(task)
    task.add_done_callback(_sending.discard)


async def _send_or_leave(messages: Messages, seconds: float) -> None:
    """Send messages, but leave them to the thread if that takes longer than ``seconds``."""
    try:
        await _send_all(messages, seconds)
    except Exception as error:  # noqa: BLE001  # nothing may harm a change that is committed
        log.warning("Pushes are late: %s", type(error).__name__)
        pushes.put(messages)


async def _send_all(messages: Messages, seconds: float) -> None:
    """Send messages concurrently, since groups may be at different servers.

    :raises TimeoutError: sending took longer than ``seconds``.
    """
    layer = get_channel_layer()
    sending = [layer.group_send(group, message) for group, message in messages.items()]
    async with asyncio.timeout(seconds):
        for failure in await asyncio.gather(*sending, return_exceptions=True):
            if failure is not None:
                raise failure


def _newer(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the message with the higher version. Two without a version are equal."""
    return max(one, other, key=lambda message: message.get("version", 0))


def _send_late(messages: Messages) -> None:
    waiting = iter(messages.items())
    while batch := dict(islice(waiting, SOME)):
        async_to_sync(_send_all)(batch, BACKGROUND_TIMEOUT)


pushes: Background[str, dict[str, Any]] = Background("pushes", _send_late, _newer)
