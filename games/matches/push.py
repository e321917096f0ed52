"""Telling pages and clockwork that something changed: after the commit, and only *that* it did.

Neither fails nor slows the change that it tells of: what does not go out at once does so from a
thread of its own as soon as the channel layer and the broker answer again.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import Any

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import get_channel_layer
from django.db import transaction

from config.background import Background

log = logging.getLogger(__name__)

AT_ONCE = 0.3
"""Seconds that a change waits for its pushes to go out."""

PATIENCE = 5.0
"""Seconds that the thread waits for those that did not."""

Messages = Mapping[str, dict[str, Any]]
"""What is sent, by the group that it is sent to."""

RUN_QUEUES = "games.matches.tasks.run_queues"
"""The task that runs the queues of a match."""


def match_group(match_id: int) -> str:
    """Return the channel group of a match's viewers."""
    return f"match.{match_id}"


def user_group(user_id: int) -> str:
    """Return the channel group of one person's pages."""
    return f"user.{user_id}"


LOBBY_GROUP = "lobby"
"""The channel group of those who look at the lobby."""


def match_changed(match_id: int, version: int, user_ids: Iterable[int]) -> None:
    """Announce a match's version to its viewers and its players once this is committed."""
    messages: Messages = {
        match_group(match_id): {"type": "match.changed", "version": version},
        **_to_users(user_ids),
    }
    transaction.on_commit(lambda: _send(messages), robust=True)


def challenge_changed(user_ids: Iterable[int]) -> None:
    """Announce to the lobby and to those concerned that a challenge changed."""
    messages: Messages = {LOBBY_GROUP: {"type": "lobby.changed"}, **_to_users(user_ids)}
    transaction.on_commit(lambda: _send(messages), robust=True)


def _to_users(user_ids: Iterable[int]) -> Messages:
    return {user_group(pk): {"type": "user.changed"} for pk in set(user_ids)}


def queues_wait(match_id: int) -> None:
    """Have any queues of a match run at once when this is committed; the sweep would, later."""
    transaction.on_commit(lambda: _wake(match_id), robust=True)


def _wake(match_id: int) -> None:
    """Leave it to the thread: how long a broker that hangs is waited for cannot be limited."""
    wakes.put({match_id: None})


def _send(messages: Messages) -> None:
    """Send at once, unless what came before is still waiting; what fails waits too."""
    if pushes.is_idle:
        try:
            _send_within(AT_ONCE, messages)
        except Exception as error:  # noqa: BLE001  # nothing may harm a change that is committed
            log.warning("Pushes are late: %s", type(error).__name__)
        else:
            return
    pushes.put(messages)


def _send_within(seconds: float, messages: Messages) -> None:
    """Send all messages.

    :raises TimeoutError: that took too long.
    """
    async_to_sync(_send_all)(messages, seconds)


async def _send_all(messages: Messages, seconds: float) -> None:
    layer = get_channel_layer()
    sending = (layer.group_send(group, message) for group, message in messages.items())
    await asyncio.wait_for(asyncio.gather(*sending), seconds)


def _newer(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the message with the higher version; of two without one, either says the same."""
    return max(one, other, key=lambda message: message.get("version", 0))


def _send_late(messages: Messages) -> None:
    _send_within(PATIENCE, messages)


def _send_wakes(match_ids: Iterable[int]) -> None:
    for match_id in match_ids:
        current_app.send_task(RUN_QUEUES, args=[match_id], retry=False)


pushes: Background[str, dict[str, Any]] = Background("pushes", _send_late, _newer)
wakes: Background[int, None] = Background("wakes", _send_wakes, lambda _, newer: newer)
