"""The last rendered parts of matches, for all pages of a process: each is rendered once."""

import asyncio
import logging
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from games.live.threads import in_thread
from games.web.match import match_parts
from games.web.match.match_parts import MatchParts

log = logging.getLogger(__name__)

MOST = 256
"""How many are kept: the last ones that were asked for."""


class Key(NamedTuple):
    """A match as one of its players sees it, or as spectators in a time zone do."""

    match_id: int
    user_id: int | None
    zone: str


class Shelf:
    """The last parts of each key."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[Key, MatchParts] = OrderedDict()
        self._rendering: dict[Key, asyncio.Task[MatchParts]] = {}

    async def parts(self, key: Key, version: int) -> MatchParts:
        """Return the parts of a version or a later one.

        Pages that ask while they are rendered wait for the same ones.
        """
        found = self._kept.get(key)
        if found is None or found.version < version:
            found = await self._rendered(key, version)
        if found.version < version:
            # They were begun before the change.
            found = await self._rendered(key, version)
        return found

    async def _rendered(self, key: Key, version: int) -> MatchParts:
        return await asyncio.shield(self._rendering.get(key) or self._begin(key, version))

    def prepare(self, key: Key, version: int) -> None:
        """Render, in the calling thread, the parts that pages will ask for in a moment.

        A failure is logged; the pages fetch the match then.
        """
        try:
            self._keep(key, match_parts.read(*key, version))
        except Exception as error:  # noqa: BLE001 - the move is played, whatever fails after it
            log.warning("Parts of a match failed: %s", type(error).__name__)

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def _begin(self, key: Key, version: int) -> asyncio.Task[MatchParts]:
        self._rendering[key] = task = asyncio.create_task(_read_in_thread(key, version))
        task.add_done_callback(lambda done: self._end(key, done))
        return task

    def _end(self, key: Key, task: asyncio.Task[MatchParts]) -> None:
        del self._rendering[key]
        if not task.cancelled() and not task.exception():
            self._keep(key, task.result())

    def _keep(self, key: Key, found: MatchParts) -> None:
        """Keep parts unless some as late were kept meanwhile."""
        with self._lock:
            known = self._kept.get(key)
            if known is None or known.version < found.version:
                self._kept[key] = found
                self._kept.move_to_end(key)
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)


@in_thread
def _read_in_thread(key: Key, version: int) -> MatchParts:
    return match_parts.read(*key, version)


shelf = Shelf()
