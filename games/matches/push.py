"""Messages to pages that something has changed; sent after the commit.

A message says only *that* something changed. Sending neither fails nor slows the change: what
cannot be sent at once is sent by a thread as soon as the channel layer answers again.
"""

import asyncio
import logging
from asyncio import AbstractEventLoop
from collections.abc import Iterable, Mapping
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.utils import timezone

from config.background import Background

log = logging.getLogger(__name__)

AT_ONCE = 0.3
"""Seconds that a change waits for its messages to be sent."""

PATIENCE = 5.0
"""Seconds that the thread waits for the messages that were not sent at once."""

Messages = Mapping[str, dict[str, Any]]
"""Messages by the channel group that they are sent to."""


def match_group(match_id: int) -> str:
    """Return the channel group of a match's viewers."""
    return f"match.{match_id}"


def user_group(user_id: int) -> str:
    """Return the channel group of one user's pages."""
    return f"user.{user_id}"


LOBBY_GROUP = "lobby"
"""The channel group of the pages of the lobby."""


def match_changed(match_id: int, version: int, user_ids: Iterable[int]) -> None:
    """Send a match's version to its viewers and its players when the transaction is committed."""
    change = {"type": "match.changed", "version": version}
    group, others = match_group(match_id), _to_users(user_ids)
    transaction.on_commit(
        lambda: _send({group: {**change, "sent": timezone.now().timestamp()}, **others}),
        robust=True,
    )


def challenge_changed(user_ids: Iterable[int]) -> None:
    """Tell the lobby and some users that a challenge changed, once this is committed."""
    messages: Messages = {LOBBY_GROUP: {"type": "lobby.changed"}, **_to_users(user_ids)}
    transaction.on_commit(lambda: _send(messages), robust=True)


def tell(group: str, kind: str) -> None:
    """Send a message that says nothing but its kind to a channel group, once this is committed."""
    transaction.on_commit(lambda: _send({group: {"type": kind}}), robust=True)


def _to_users(user_ids: Iterable[int]) -> Messages:
    return {user_group(pk): {"type": "user.changed"} for pk in set(user_ids)}


_loops: list[AbstractEventLoop] = []
"""The loop in which this process serves its sockets; none in a process without any."""


def serve_in(loop: AbstractEventLoop) -> None:
    """Let changes hand their messages to a loop, and not wait for it."""
    _loops[:] = [loop]


def _send(messages: Messages) -> None:
    """Send messages at once, or later if earlier ones are still waiting or sending fails."""
    if not pushes.is_idle:
        pushes.put(messages)
    elif _loops and _loops[0].is_running():
        asyncio.run_coroutine_threadsafe(_send_or_leave(messages), _loops[0])
    else:
        async_to_sync(_send_or_leave)(messages)


async def _send_or_leave(messages: Messages) -> None:
    """Send messages, or leave them to the thread."""
    try:
        await _send_all(messages, AT_ONCE)
    except Exception as error:  # noqa: BLE001  # nothing may harm a change that is committed
        log.warning("Pushes are late: %s", type(error).__name__)
        pushes.put(messages)


async def _send_all(messages: Messages, seconds: float) -> None:
    """Send messages.

    :raises TimeoutError: sending took longer than ``seconds``.
    """
    layer = get_channel_layer()
    sending = (layer.group_send(group, message) for group, message in messages.items())
    await asyncio.wait_for(asyncio.gather(*sending), seconds)


def _newer(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the message with the higher version; two without a version are equal."""
    return max(one, other, key=lambda message: message.get("version", 0))


def _send_late(messages: Messages) -> None:
    async_to_sync(_send_all)(messages, PATIENCE)


pushes: Background[str, dict[str, Any]] = Background("pushes", _send_late, _newer)
