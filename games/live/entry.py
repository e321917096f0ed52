"""Entering a move over the socket: the site answers each step with a patch of the page.

A step is the query of a link or form of the page. The answer, ``entered``, brings the same parts
as the page at that address. A step with a ``mark`` asks why a click there leads nowhere, and the
answer is a sentence, ``said``.

An answer without a patch tells the page to follow the link: for spectators, for matches that pages
have to fetch, and where something failed.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, QueryDict

from accounts import limits
from games.live.parts import PageParts
from games.live.threads import in_thread
from games.web.match import match_parts
from games.web.match.entry import Typed
from games.web.match.match_parts import MatchParts

log = logging.getLogger(__name__)

LONGEST_MARK = 40
"""Characters of the name of a mark."""

Say = Callable[..., Awaitable[None]]


@dataclass(frozen=True)
class SentStep:
    """A step of the page: its number, and the version of the match that the page shows."""

    step: int
    version: int
    typed: Typed
    mark: str = ""

    @classmethod
    def read(cls, message: Mapping[str, Any]) -> "SentStep | None":
        """Read a message; ``None`` if no page of this site sends such a one."""
        step, version = message.get("step"), message.get("version")
        query, mark = message.get("query"), message.get("mark", "")
        if not isinstance(step, int) or not isinstance(version, int) or min(step, version) < 0:
            return None
        if not isinstance(query, str) or not isinstance(mark, str) or len(mark) > LONGEST_MARK:
            return None
        try:
            return cls(step, version, Typed.read(QueryDict(query)), mark)
        except SuspiciousOperation:  # more fields than a form may have
            return None


@in_thread
def entered(match_id: int, user_id: int, typed: Typed, version: int) -> MatchParts:
    """Return the parts of a match with what a player has entered, at a version or a later one."""
    return match_parts.read(match_id, user_id, "", version, typed)


@in_thread
def explained(match_id: int, user_id: int, typed: Typed, version: int, mark: str) -> str:
    """Return why a mark leads nowhere after what a player has entered."""
    return match_parts.explain(match_id, user_id, version, typed, mark)


class Entry:
    """The steps of one page. A newer step replaces an older one that has no answer yet."""

    def __init__(self, match_id: int, user: Any, parts: PageParts, say: Say) -> None:
        """``say`` sends a message of a type to the page."""
        self._match_id, self._parts, self._say = match_id, parts, say
        self._request = HttpRequest()
        self._request.user = user
        self._waiting: SentStep | None = None
        self._answering: asyncio.Task[None] | None = None
        self._counting: asyncio.Task[None] | None = None
        self._uncounted = 0
        self._closed_until = 0.0

    def take(self, sent: SentStep) -> None:
        """Answer a step instead of any earlier one."""
        self._waiting = sent
        if self._answering is None or self._answering.done():
            self._answering = asyncio.create_task(self._answer())

    async def close(self) -> None:
        """Stop what is under way."""
        tasks = [task for task in (self._answering, self._counting) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self) -> None:
        while (sent := self._waiting) is not None:
            self._waiting = None
            try:
                found = await self._found(sent)
            except Exception as error:  # noqa: BLE001 - whatever it is, the link meets it too
                log.warning("A step over a socket failed: %s", type(error).__name__)
                found = None
            if self._waiting is None:
                await self._say("entered", step=sent.step, **self._told(found))
            if found is not None:
                self._count()

    async def _found(self, sent: SentStep) -> MatchParts | str | None:
        """Compute a step; ``None`` if the page has to follow the link."""
        match_id, user_id = self._match_id, self._parts.player_id
        if user_id is None or time.monotonic() < self._closed_until:
            return None
        if sent.mark:
            return await explained(match_id, user_id, sent.typed, sent.version, sent.mark)
        found, version = None, sent.version
        while found is None or found.version < version:
            found = await entered(match_id, user_id, sent.typed, version)
            # The page may have been sent a newer version meanwhile.
            version = max(self._parts.shown, min(version, found.version))
        return found

    def _told(self, found: MatchParts | str | None) -> dict[str, Any]:
        if isinstance(found, str):
            return {"said": found}
        return self._parts.take(found) if found and found.parts else {}

    def _count(self) -> None:
        """Count a step in the account's limit, in the background."""
        self._uncounted += 1
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._count_all())

    async def _count_all(self) -> None:
        while self._uncounted:
            self._uncounted -= 1
            try:
                await asyncio.to_thread(limits.spend, self._request, "preview")
            except limits.TooMany as refusal:
                self._closed_until = time.monotonic() + refusal.wait
