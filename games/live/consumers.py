"""The socket of a page: sends it changes, and receives moves and steps of move entry.

The site sends, as JSON with a ``type``:

- ``match``, after a change: ``version`` and clock ``epoch``. Pages that asked for parts also get a
  ``patch`` of the parts they were sent before (:mod:`games.screen.parts`) and the ``targets``
  of the marks of the board. If they are several entries behind, ``steps`` holds a patch for each
  of the earlier entries.
- ``beat``, every 20 seconds: ``version`` and ``epoch``.
- ``played`` or ``refused``, in answer to a move: its ``submission`` and the fields of ``match``.
  The patch of a refusal brings the page with the move and the reason. If there is none, the page
  sends the move as a form.
- ``entered``, in answer to a step of move entry (:mod:`games.live.entry`).
- ``me``, when something changed for the reader. With parts: how many matches are ``waiting`` and
  how many notifications ``unseen``.
- ``here``: the ``seats`` of the other players who have the match open.
- ``lobby``, ``event`` and ``chat``, when a challenge or the tournament changed or somebody wrote.

A page answers a beat with ``here`` while it is visible. It sends ``ask`` for a beat now, ``play``
with a move (:class:`~games.live.moves.SentMove`), and ``enter`` with a step of move entry.
"""

import asyncio
import contextlib
import json
import logging
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import msgspec
from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation

from accounts import site_languages
from config import metrics
from games.kernel.errors import GameError
from games.live import lookups
from games.live.allowance import UNKNOWN_ADDRESS, AccountLimit, Allowance
from games.live.company import PresentPlayers, company_group
from games.live.entry import EntrySession, SentStep
from games.live.moves import SentMove
from games.live.parts import PageParts
from games.live.rooms import Mover, Room, room_of
from games.live.sessions import session_group
from games.matches.notify import push
from games.matches.store import NotPermitted, Permit

log = logging.getLogger(__name__)

BEAT_PERIOD = 20.0
"""Seconds between two beats, varied by a tenth so that pages spread out."""

MAX_MESSAGE_LENGTH = 100
"""Maximum length of a message without a move, in characters."""

MAX_MOVE_MESSAGE_LENGTH = 4000
"""Maximum length of a message with a move or a step. Pages send longer ones as forms."""

BURST = 60
"""Messages that a page may send in a burst, including moves and steps."""

REFILL_PER_SECOND = 10.0
"""Messages a second that a page may send after that."""

MAX_BEATS = 10
"""Beats that a page may ask for or answer in a burst, and one more a second. Others are ignored:
each uses the database, and the next beat replaces it.
"""

COUNT_INTERVAL = 2.0
"""Minimum seconds between two counts for a reader."""

PROTOCOL = "3"
"""The format of parts, patches and answers, as pages ask for it: ``&parts=3``.

If you change the format, raise the number here and in ``templates/match/match.html``.
"""

OUTDATED = 4426
"""A page of another release asks for a format that this process doesn't know. It reloads once."""

MALFORMED, FORBIDDEN, UNKNOWN, RATE_LIMITED = 4400, 4403, 4404, 4429
"""Close codes after which a page doesn't reconnect."""

SESSION_ENDED = 3000
"""The session has ended, or the reader's seat has changed hands (IANA: Unauthorized). The page
reconnects with its current session."""


class PageConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """One open page. Its query says what it watches, all of it optional.

    ``?match=42`` watches a match, ``?event=7`` a tournament, ``?lobby=1`` the lobby, and
    ``?watching=1`` the matches that its reader watches. With ``&parts=3`` the page gets patches of
    the match, and not only its version, with ``&lang=de`` in that language.
    """

    beating: asyncio.Task[None] | None = None
    counting: asyncio.Task[None] | None = None
    telling: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Accept the socket, subscribe to the page's groups and send the current version."""
        self.joined: list[str] = []
        self.closed = False
        self.allowance = Allowance(BURST, REFILL_PER_SECOND)
        self.beats = Allowance(MAX_BEATS, 1)
        self.room: Room | None = None
        self.mover: Mover | None = None
        self.parts: PageParts | None = None
        self.entry: EntrySession | None = None
        self.company: PresentPlayers | None = None
        self.newest = 0
        self.is_counted = True
        asked = _asked(self.scope["query_string"])
        self.match_id = asked.match_id
        self.event_id = asked.event_id
        self.user_id = self.scope["user"].pk
        self.session_key = getattr(self.scope.get("session"), "session_key", None)
        # Whatever this socket sends is worded in the language of its page.
        translation.activate(asked.language or site_languages.of_socket(self.scope["user"]))
        push.serve_in(asyncio.get_running_loop())
        await self.accept()
        is_kept_out = await lookups.is_kept_out(self.scope["user"])
        if is_kept_out or asked.refusal:
            await self.close(FORBIDDEN if is_kept_out else asked.refusal)
            return
        await self._join(asked)
        if self.match_id is not None:
            if await lookups.standing(self.match_id) is None:
                await self.close(UNKNOWN)
                return
            await self._enter(self.match_id, asked)
        self.beating = asyncio.create_task(self._beat_on())

    async def _enter(self, match_id: int, asked: "Subscriptions") -> None:
        """Enter the room of the match, and set up parts and moves."""
        self.room = room_of(match_id)
        user = self.scope["user"]
        if self.session_key is not None and self.user_id is not None:
            permit = Permit(self.session_key, self.user_id, user.password)
            self.mover = Mover(user, permit, AccountLimit(user, "move"))
        if asked.parts:
            await self._watch(match_id, self.room)

    async def _watch(self, match_id: int, room: Room) -> None:
        """Subscribe to the match and send its version, to users also the presence."""
        self.parts = PageParts(room, self.scope["user"])
        await self._safely(self.parts.open)
        if self.user_id is not None:
            address, *_ = self.scope.get("client") or [UNKNOWN_ADDRESS]
            self.entry = EntrySession(room, self.scope["user"], self.parts, self._say, address)
            self.company = PresentPlayers(match_id, self.scope["user"])
            self.joined.append(company_group(match_id))
            await self._safely(self._join_groups)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler of a message directly.

        Channels would first close old database connections in the thread of queries, for each
        message. Code here that uses the database returns its connection itself.
        """
        await getattr(self, get_handler_name(message))(message)

    async def _join(self, asked: "Subscriptions") -> None:
        """Join the groups before the first version is read, so that no change is lost."""
        if self.match_id is not None:
            self.joined.append(push.match_group(self.match_id))
        if self.user_id is not None:
            self.joined.append(push.user_group(self.user_id))
            if self.session_key is not None:
                self.joined.append(session_group(self.session_key))
        if asked.lobby:
            self.joined.append(push.LOBBY_GROUP)
        if asked.event_id is not None:
            self.joined.append(push.event_group(asked.event_id))
        if self.match_id is not None and self.user_id is not None:
            self.joined += await lookups.chats(self.match_id, self.scope["user"])
        if asked.watching and self.user_id is not None:
            self.joined += await lookups.watched(self.scope["user"])
        await self._join_groups()

    async def _join_groups(self) -> None:
        """Join all groups again, as memberships end after a day or when Redis restarts."""
        for group in self.joined:
            await self.channel_layer.group_add(group, self.channel_name)

    async def disconnect(self, code: int) -> None:
        """Leave all groups and stop all tasks."""
        for task in filter(None, (self.beating, self.counting, self.telling)):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if self.parts is not None:
            self.parts.close()
        if self.entry is not None:
            await self.entry.close()
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        message = _message(text_data)
        if self.parts is not None:
            self.parts.heard()
        if not self.allowance.spend():
            await self.close(RATE_LIMITED)
        elif message.get("type") == "play":
            sent = SentMove.read(message)
            await (self.close(MALFORMED) if sent is None else self._play(sent))
        elif message.get("type") == "enter":
            await self._hear_step(SentStep.read(message))
        else:
            await self._hear(message.get("type"))

    async def _hear_step(self, sent: SentStep | None) -> None:
        if sent is None:
            await self.close(MALFORMED)
        elif self.entry is None:
            await self._say("entered", step=sent.step)
        else:
            self.entry.take(sent)

    async def _hear(self, word: Any) -> None:
        if word not in ("here", "ask"):
            await self.close(MALFORMED)
            return
        if not self.beats.spend():
            return
        if word == "ask":
            await self._safely(self._beat)
        await self._safely(self._mark_seen)

    async def _play(self, sent: SentMove) -> None:
        """Play a move and answer.

        If the answer has no version, nobody knows whether the move was played, or the page of the
        match has to be fetched: the page then sends the move again as a form.
        """
        word = "refused"
        more: dict[str, Any] = {}
        try:
            if self.room is not None and self.mover is not None:
                word, more = await self._played(sent, self.room, self.mover)
        except NotPermitted:
            await self._safely(self._check_session)
        except Exception as error:  # noqa: BLE001 - whatever it is, the form meets it too
            log.warning("A move over a socket failed: %s", type(error).__name__)
        if not self.closed:
            await self._say(word, submission=str(sent.submission), **more)

    async def _played(self, sent: SentMove, room: Room, mover: Mover) -> tuple[str, dict[str, Any]]:
        """Play a move in its room; return the type of the answer, and the rest of it.

        :raises NotPermitted: see :meth:`Room.play`.
        """
        if mover.limit.is_reached:
            return "refused", {}
        mover.limit.count()
        try:
            # A socket that is closed meanwhile must not stop a move between its commit and the
            # push.
            version = await asyncio.shield(room.play(sent, mover))
        except GameError as refusal:
            if self.parts is None or self.parts.player_id is None:
                return "refused", {}
            parts = await room.refused(sent, mover, refusal)
            is_fit = parts.parts and not parts.version < self.parts.shown
            return "refused", self.parts.take(parts) if is_fit else {}
        return "played", await self._since(version)

    async def _since(self, version: int) -> dict[str, Any]:
        """Return the message about a match that has reached a version."""
        if self.parts is not None:
            try:
                return await self.parts.since(version)
            except Exception as error:  # noqa: BLE001 - the page fetches it then
                log.warning("Parts of a match failed: %s", type(error).__name__)
        return {"version": version}

    async def _beat_on(self) -> None:
        while True:
            for step in (
                self._check_session,
                self._beat,
                self._join_groups,
                self._refresh_presence,
            ):
                await self._safely(step)
            if self.closed:
                return
            await asyncio.sleep(BEAT_PERIOD * random.uniform(0.9, 1.1))  # noqa: S311 - no secret

    async def _safely(self, step: Callable[[], Awaitable[None]]) -> None:
        """Await a step, and keep the socket open if it fails.

        If the database or the channel layer is down, the next heartbeat tries again. Their monitors
        log the failure once, instead of once for each page.
        """
        try:
            await step()
        except Exception as error:  # noqa: BLE001 - whatever is away, the page stays
            log.debug("A step of a socket failed: %s", type(error).__name__)

    async def _open_chats(self) -> None:
        """Subscribe to both chat rooms once the match has ended."""
        if self.match_id is None or self.user_id is None:
            return
        chats = await lookups.chats(self.match_id, self.scope["user"])
        fresh = [group for group in chats if group not in self.joined]
        if fresh:
            self.joined += fresh
            await self._join_groups()
            await self._say("chat")

    async def _mark_seen(self) -> None:
        """Record that a signed-in user is on the site, and has the match open."""
        if self.user_id is None:
            return
        if await lookups.mark_seen(self.user_id, self.match_id) and self.match_id is not None:
            group = company_group(self.match_id)
            await self.channel_layer.group_send(group, {"type": "company.changed"})

    async def _refresh_presence(self) -> None:
        """Send a player the presence of the others if it has changed."""
        here = await self.company.news() if self.company and not self.closed else None
        if here is not None:
            await self._say("here", seats=here)

    async def _check_session(self) -> None:
        """Close the socket if its session no longer signs in the user who opened it.

        Also close it if the user has been suspended or banned.
        """
        if self.user_id is None or self.session_key is None:
            return
        user = await lookups.signed_in(self.session_key)
        if user.pk != self.user_id:
            await self._end()
        elif await lookups.is_kept_out(user):
            await self._end(FORBIDDEN)

    async def _end(self, code: int = SESSION_ENDED) -> None:
        self.closed = True
        await self.close(code)

    async def _beat(self) -> None:
        """Send the version again, in case a message was lost or came before the page connected."""
        if self.closed:
            return
        if self.event_id is not None:
            await self._say("beat", changes=await lookups.changes_of_event(self.event_id))
            return
        standing = None if self.match_id is None else await lookups.standing(self.match_id)
        if standing is None:
            await self._say("beat")
            return
        await self._say("beat", version=standing.version, epoch=standing.epoch)
        if not standing.is_running:
            await self._open_chats()

    async def _say(self, kind: str, **more: Any) -> None:
        await self.send(text_data=msgspec.json.encode({"type": kind, **more}).decode())

    # --- Messages from the channel layer --------------------------------------------------------

    async def match_changed(self, message: dict[str, Any]) -> None:
        if "sent" in message:
            metrics.PUSH_LAG.observe(max(0.0, time.time() - message["sent"]))
        self.newest = message["version"]
        wait = self.parts.wait() if self.parts else 0
        if not wait:
            await self._tell()
        elif self.telling is None or self.telling.done():
            self.telling = asyncio.create_task(self._send_later(wait))

    async def _send_later(self, wait: float) -> None:
        """Wait for the spectator's turn, then send the latest version."""
        await asyncio.sleep(wait)
        await self._safely(self._tell)

    async def _tell(self) -> None:
        if self.parts is None or not self.parts.has(self.newest):
            more = await self._since(self.newest)
            await self._say("match", **more)
            if "patch" not in more:
                # As at its end, when the page fetches it.
                await self._safely(self._open_chats)

    async def user_changed(self, message: dict[str, Any]) -> None:
        """Notify the page that something changed for its reader."""
        if self.parts is None:
            await self._say("me")
            return
        self.is_counted = False
        if self.counting is None or self.counting.done():
            self.counting = asyncio.create_task(self._count())

    async def _count(self) -> None:
        """Send the counts in the head of the page, at most once per ``COUNT_INTERVAL``."""
        while not self.is_counted:
            self.is_counted = True
            await self._safely(self._say_counts)
            await asyncio.sleep(COUNT_INTERVAL)

    async def _say_counts(self) -> None:
        await self._say("me", **await lookups.counts(self.user_id, self.match_id))

    async def lobby_changed(self, message: dict[str, Any]) -> None:
        await self._say("lobby")

    async def event_changed(self, message: dict[str, Any]) -> None:
        await self._say("event")

    async def chat_changed(self, message: dict[str, Any]) -> None:
        """Notify the page that the chat changed. It fetches the lines that its reader may see."""
        await self._say("chat")

    async def company_changed(self, message: dict[str, Any]) -> None:
        """Update the presence, since somebody has opened the match."""
        await self._safely(self._refresh_presence)

    async def session_ended(self, message: dict[str, Any]) -> None:
        """Close the socket, since its session was deleted, for example by signing out."""
        await self._end()

    async def seat_changed(self, message: dict[str, Any]) -> None:
        """Close the socket, since its reader's seat in the match has changed hands."""
        await self._end()

    async def account_changed(self, message: dict[str, Any]) -> None:
        """Have the room read the match again: the reader's name or preferences have changed."""
        if self.room is not None:
            self.room.forget()

    async def session_checked(self, message: dict[str, Any]) -> None:
        """Check the session again, since the account may have been closed.

        If the check fails, the next heartbeat repeats it.
        """
        await self._safely(self._check_session)


class Subscriptions(NamedTuple):
    """The subscriptions of a page.

    ``language`` is the code of the page's language, empty if it names none that is offered.
    ``refusal`` is the close code if the request is refused.
    """

    match_id: int | None = None
    event_id: int | None = None
    lobby: bool = False
    parts: bool = False
    watching: bool = False
    language: str = ""
    refusal: int | None = None


def _asked(query_string: bytes) -> Subscriptions:
    """Parse the query string of a socket."""
    query = parse_qs(query_string.decode("latin-1"))
    try:
        match_id = _id(query.get("match", []))
        event_id = _id(query.get("event", []))
    except ValueError:
        return Subscriptions(refusal=MALFORMED)
    parts = query.get("parts", [])
    named = query.get(site_languages.PARAMETER, [""])[0]
    return Subscriptions(
        match_id,
        event_id,
        lobby="lobby" in query,
        parts=match_id is not None and bool(parts),
        watching="watching" in query,
        language=named if site_languages.is_offered(named) else "",
        refusal=OUTDATED if parts not in ([], [PROTOCOL]) else None,
    )


def _id(values: Sequence[str]) -> int | None:
    """Return an id in a query, ``None`` if there is none.

    :raises ValueError: it isn't a single id.
    """
    if not values:
        return None
    text = values[0]
    if len(values) > 1 or not (text.isascii() and text.isdigit() and len(text) < len(str(2**63))):
        raise ValueError(text)
    return int(text)


def _message(text: str | None) -> dict[str, Any]:
    """Decode a message. Empty if it is malformed."""
    if text is None or len(text) > MAX_MOVE_MESSAGE_LENGTH:
        return {}
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(message, dict):
        return {}
    is_fit = len(text) <= MAX_MESSAGE_LENGTH or message.get("type") in ("play", "enter")
    return message if is_fit else {}
