"""The socket of a page: it hears that something changed, and goes to look for itself.

What the site says: ``match`` and ``beat`` (with ``version`` and ``epoch``), ``me``, ``lobby``.
What a page says: ``here``, in answer to a beat, while somebody sees it; ``ask``, for a beat now.
"""

import asyncio
import contextlib
import json
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts import presence
from config import metrics
from games.live.sessions import session_group
from games.matches import notifications, push
from games.matches.models import Match

log = logging.getLogger(__name__)

PERIOD = 20.0
"""Seconds between two beats; each is off by a tenth at most, lest all pages beat at once."""

LONGEST = 100
"""Characters that a page may send at once."""

ALLOWANCE = 20
"""Messages that a page may send in a row; one more is earned every two seconds."""

EARNED = 0.5

MALFORMED, UNKNOWN, TALKATIVE = 4400, 4404, 4429
"""Why the site hangs up; a page does not call again after any of them."""

SESSION_ENDED = 3000
"""The session has ended (IANA: Unauthorized); a page connects again, as whoever it is then."""


class Allowance:
    """How much somebody may still say: a bucket that fills with time."""

    def __init__(self, most: float, earned: float) -> None:
        self._most, self._earned = most, earned
        self._left, self._since = most, time.monotonic()

    def spend(self) -> bool:
        """Take one; ``False`` if nothing is left."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._since) * self._earned)
        self._since = now
        self._left -= 1
        return self._left >= 0


class PageConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """One open page: ``?match=42`` watches a match, ``?lobby=1`` the lobby; either may lack."""

    async def connect(self) -> None:
        """Take the line, join what the page watches and say where it stands."""
        self.joined: list[str] = []
        self.beating: asyncio.Task[None] | None = None
        self.closed = False
        self.allowance = Allowance(ALLOWANCE, EARNED)
        self.match_id, lobby, valid = _asked(self.scope["query_string"])
        self.user_id = self.scope["user"].pk
        self.session_key = getattr(self.scope.get("session"), "session_key", None)
        await self.accept()
        if not valid:
            await self.close(MALFORMED)
            return
        await self._join(lobby=lobby)
        if self.match_id is not None and await _standing(self.match_id) is None:
            await self.close(UNKNOWN)
            return
        self.beating = asyncio.create_task(self._beat_on())

    async def _join(self, *, lobby: bool) -> None:
        """Join before the first version is read, so that no change falls between the two."""
        if self.match_id is not None:
            self.joined.append(push.match_group(self.match_id))
        if self.user_id is not None:
            self.joined.append(push.user_group(self.user_id))
            if self.session_key is not None:
                self.joined.append(session_group(self.session_key))
        if lobby:
            self.joined.append(push.LOBBY_GROUP)
        await self._join_groups()

    async def _join_groups(self) -> None:
        """Join; memberships end after a day, and with a channel layer that comes back empty."""
        for group in self.joined:
            await self.channel_layer.group_add(group, self.channel_name)

    async def disconnect(self, code: int) -> None:
        """Leave everything."""
        if self.beating is not None:
            self.beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.beating
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Hear one of the two things that a page says."""
        if not self.allowance.spend():
            await self.close(TALKATIVE)
            return
        word = _word(text_data)
        if word not in ("here", "ask"):
            await self.close(MALFORMED)
            return
        if word == "ask":
            await self._safely(self._beat)
        await self._safely(self._touch)

    async def _beat_on(self) -> None:
        while True:
            await self._beat_safely()
            if self.closed:
                return
            await asyncio.sleep(PERIOD * random.uniform(0.9, 1.1))  # noqa: S311 - no secret

    async def _beat_safely(self) -> None:
        """Do what is due with each heartbeat."""
        for step in (self._check_session, self._beat, self._join_groups):
            await self._safely(step)

    async def _safely(self, step: Callable[[], Awaitable[None]]) -> None:
        """Do something, and keep the socket open if it fails.

        Where the database or the channel layer is away, the next heartbeat may find it again. That
        is logged by who watches over them, not once for each page.
        """
        try:
            await step()
        except Exception as error:  # noqa: BLE001 - whatever is away, the page stays
            log.debug("A step of a socket failed: %s", type(error).__name__)

    async def _touch(self) -> None:
        """Note that somebody who is signed in sees the page of a match."""
        if self.user_id is not None and self.match_id is not None:
            await _touch(self.user_id, notifications.page_key(self.match_id))

    async def _check_session(self) -> None:
        """Close the socket if its session no longer signs in the one who opened it."""
        if self.user_id is None or self.session_key is None:
            return
        user = await get_user({"session": _session(self.session_key)})
        if user.pk != self.user_id:
            await self._end()

    async def _end(self) -> None:
        self.closed = True
        await self.close(SESSION_ENDED)

    async def _beat(self) -> None:
        """Repeat the version, so that a message that was lost heals itself."""
        if self.closed:
            return
        standing = None if self.match_id is None else await _standing(self.match_id)
        version, epoch = standing or (None, None)
        found = {} if standing is None else {"version": version, "epoch": epoch}
        await self._say("beat", **found)

    async def _say(self, kind: str, **more: Any) -> None:
        await self.send(text_data=json.dumps({"type": kind, **more}))

    # --- What the channel layer brings ----------------------------------------------------------

    async def match_changed(self, message: dict[str, Any]) -> None:
        """Tell the page that its match is at a new version."""
        if "sent" in message:
            metrics.PUSH_LAG.observe(max(0.0, time.time() - message["sent"]))
        await self._say("match", version=message["version"])

    async def user_changed(self, message: dict[str, Any]) -> None:
        """Tell the page that something changed for its reader."""
        await self._say("me")

    async def lobby_changed(self, message: dict[str, Any]) -> None:
        """Tell the page that a challenge changed."""
        await self._say("lobby")

    async def session_ended(self, message: dict[str, Any]) -> None:
        """Close the socket: its session was deleted, as by signing out."""
        await self._end()

    async def session_checked(self, message: dict[str, Any]) -> None:
        """Look whether the session still signs in, as the account may have been closed.

        Where that cannot be known, the next heartbeat looks again.
        """
        await self._safely(self._check_session)


def _session(session_key: str) -> Any:
    """Return a session as it is stored now."""
    return import_string(f"{settings.SESSION_ENGINE}.SessionStore")(session_key)


def _asked(query_string: bytes) -> tuple[int | None, bool, bool]:
    """Read what a page wants to watch: a match, the lobby; and whether that could be read."""
    query = parse_qs(query_string.decode("latin-1"))
    found = query.get("match", [])
    if not found:
        return None, "lobby" in query, True
    text = found[0]
    if len(found) > 1 or not (text.isascii() and text.isdigit() and len(text) < len(str(2**63))):
        return None, False, False
    return int(text), "lobby" in query, True


def _word(text: str | None) -> str:
    """Return the one word of a message; empty if there is none."""
    if text is None or len(text) > LONGEST:
        return ""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    return str(message.get("type", "")) if isinstance(message, dict) else ""


@database_sync_to_async  # type: ignore[untyped-decorator]
def _standing(match_id: int) -> tuple[int, int] | None:
    """Return version and clock epoch of a match; ``None`` if there is none."""
    found = Match.objects.filter(pk=match_id)
    return found.values_list("version", "clock_epoch").first()


@database_sync_to_async  # type: ignore[untyped-decorator]
def _touch(user_id: int, page_key: str) -> None:
    presence.touch(user_id, page_key, now=timezone.now())
