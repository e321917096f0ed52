"""Telling pages and clockwork that something changed: after the commit, and only *that* it did.

A push that fails is logged and lost; the heartbeat of each page repeats what it said.
"""

import asyncio
from collections.abc import Iterable

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import get_channel_layer
from django.db import transaction

Message = tuple[str, dict[str, object]]
"""A group, and what is sent to it."""

RUN_QUEUES = "games.tasks.run_queues"
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
    messages: list[Message] = [
        (match_group(match_id), {"type": "match.changed", "version": version})
    ]
    messages += [(user_group(pk), {"type": "user.changed"}) for pk in set(user_ids)]
    transaction.on_commit(lambda: _send(messages), robust=True)


def challenge_changed(user_ids: Iterable[int]) -> None:
    """Announce to the lobby and to those concerned that a challenge changed."""
    messages: list[Message] = [(LOBBY_GROUP, {"type": "lobby.changed"})]
    messages += [(user_group(pk), {"type": "user.changed"}) for pk in set(user_ids)]
    transaction.on_commit(lambda: _send(messages), robust=True)


def queues_wait(match_id: int) -> None:
    """Have any queues of a match run at once when this is committed; the sweep would, later."""
    transaction.on_commit(lambda: _wake(match_id), robust=True)


def _wake(match_id: int) -> None:
    current_app.send_task(RUN_QUEUES, args=[match_id], retry=False)


def _send(messages: list[Message]) -> None:
    async_to_sync(_send_all)(messages)


async def _send_all(messages: list[Message]) -> None:
    layer = get_channel_layer()
    await asyncio.gather(*(layer.group_send(group, message) for group, message in messages))
