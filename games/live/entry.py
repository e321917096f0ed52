"""Entering a move over the socket: the site answers each step with a patch of the page.

A step is the query of a link or form of the page. The answer, ``entered``, brings the same parts
as the page at that address. A step with a ``mark`` asks why a click on it does nothing. The answer
to that is a sentence, ``said``.

An answer without a patch tells the page to follow the link. That is so for spectators, for matches
that pages have to fetch, and after errors.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from django.core.exceptions import SuspiciousOperation
from django.http import QueryDict

from games.live.allowance import UNKNOWN_ADDRESS, AccountLimit
from games.live.parts import PageParts
from games.live.rooms import Room
from games.screen.entry import Typed
from games.screen.match_parts import MatchParts

log = logging.getLogger(__name__)

MAX_MARK_LENGTH = 40
"""Maximum length of the name of a mark, in characters."""

Say = Callable[..., Awaitable[None]]


@dataclass(frozen=True)
class SentStep:
    """A step: its number, its query, and the version of the match that the page shows."""

    step: int
    version: int
    typed: Typed
    mark: str = ""

    @classmethod
    def read(cls, message: Mapping[str, Any]) -> "SentStep | None":
        """Parse a message. ``None`` if it is malformed."""
        step = message.get("step")
        version = message.get("version")
        query = message.get("query")
        mark = message.get("mark", "")
        if not isinstance(step, int) or not isinstance(version, int) or min(step, version) < 0:
            return None
        if not isinstance(query, str) or not isinstance(mark, str) or len(mark) > MAX_MARK_LENGTH:
            return None
        try:
            return cls(step, version, Typed.read(QueryDict(query)), mark)
        except SuspiciousOperation:  # more fields than Django allows in a form
            return None


class EntrySession:
    """The steps of one page. A newer step replaces an unanswered one.

    The pages of an account take turns.
    """

    def __init__(
        self, room: Room, user: Any, parts: PageParts, say: Say, address: str = UNKNOWN_ADDRESS
    ) -> None:
        """``say`` sends a message of a type to the page at the network address ``address``."""
        self._room = room
        self._parts = parts
        self._say = say
        self._limit = AccountLimit(user, "preview", address)
        self._turn = _turns.setdefault(user.pk, asyncio.Lock())
        self._waiting: SentStep | None = None
        self._answering: asyncio.Task[None] | None = None

    def take(self, sent: SentStep) -> None:
        """Answer a step, and cancel the earlier one."""
        self._waiting = sent
        if self._answering is None or self._answering.done():
            self._answering = asyncio.create_task(self._answer())

    async def close(self) -> None:
        """Cancel the current step."""
        if self._answering is not None:
            self._answering.cancel()
            await asyncio.gather(self._answering, return_exceptions=True)

    async def _answer(self) -> None:
        while (sent := self._waiting) is not None:
            self._waiting = None
            try:
                async with self._turn:
                    answer = await self._found(sent)
            except Exception as error:  # noqa: BLE001 - whatever it is, the link meets it too
                log.warning("A step over a socket failed: %s", type(error).__name__)
                answer = None
                self._limit.count()
            if self._waiting is None:
                await self._say("entered", step=sent.step, **self._told(answer))
            if answer is not None:
                self._limit.count()

    async def _found(self, sent: SentStep) -> MatchParts | str | None:
        """Compute a step. ``None`` if the page has to follow the link."""
        player_id = self._parts.player_id
        if player_id is None or self._limit.is_reached:
            return None
        if sent.mark:
            return await self._room.explained(
                player_id, sent.typed, sent.version, sent.mark, self._limit.measure
            )
        parts = None
        version = sent.version
        while parts is None or parts.version < version:
            parts = await self._room.entered(player_id, sent.typed, version, self._limit.measure)
            # The page may have been sent a newer version meanwhile.
            version = max(self._parts.shown, min(version, parts.version))
        return parts

    def _told(self, answer: MatchParts | str | None) -> dict[str, Any]:
        if isinstance(answer, str):
            return {"said": answer}
        return self._parts.take(answer) if answer and answer.parts else {}


_turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
"""The lock of each account with a page that enters moves."""
