"""Notifies open pages that their session has ended.

A background thread sends this, so that signing out doesn't wait for a channel layer that is down.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.utils import timezone

from accounts.models import User
from config.background import Background
from games.matches.notify import push

CHECKED = "session.checked"
"""The message that makes sockets check their session."""


def session_group(session_key: str) -> str:
    """Return the channel group of a session's pages: a hash, since the key is secret."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()}"


def connect() -> None:
    """Connect receivers for deleted sessions and closed accounts."""
    post_delete.connect(session_deleted, sender=Session, dispatch_uid="live.session_deleted")
    post_save.connect(user_saved, sender=User, dispatch_uid="live.user_saved")
    post_delete.connect(user_deleted, sender=User, dispatch_uid="live.user_deleted")


def session_deleted(instance: Session, **kwargs: Any) -> None:
    """Close the sockets of a deleted session. Those of an expired one are closed already."""
    if instance.expire_date > timezone.now():
        _send(session_group(instance.session_key), "session.ended")


def user_saved(instance: User, *, created: bool, **kwargs: Any) -> None:
    """Make the sockets of an account check their sessions, or read name and preferences again."""
    is_checked = not instance.is_active or instance.is_restricted
    if not created:
        _send(push.user_group(instance.pk), CHECKED if is_checked else "account.changed")


def user_deleted(instance: User, **kwargs: Any) -> None:
    """Make the sockets of a deleted account check their sessions."""
    _send(push.user_group(instance.pk), CHECKED)


def _send(group: str, kind: str) -> None:
    transaction.on_commit(lambda: waiting.put({group: kind}), robust=True)


def _send_now(kinds: Mapping[str, str]) -> None:
    send = async_to_sync(get_channel_layer().group_send)
    for group, kind in kinds.items():
        send(group, {"type": kind})


def _merge(older: str, newer: str) -> str:
    """Prefer a check of the session, which covers all other changes."""
    return CHECKED if CHECKED in (older, newer) else newer


waiting: Background[str, str] = Background("ended sessions", _send_now, _merge)
