"""Fragments of matches for all pages of a process: each is rendered once."""

import asyncio
import logging
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from games.live import deltas
from games.live.deltas import NOTHING, Text
from games.live.threads import in_thread
from games.web.match import pushed
from games.web.match.pushed import Pushed

log = logging.getLogger(__name__)

Base = tuple[object | None, object | None]
"""The marks of the last two editions, the last one first; ``None`` for none."""

MOST = 256
"""So many are kept, the last ones that were asked for."""


class Key(NamedTuple):
    """Whose fragments: of a match for one of its players, or for spectators in a time zone."""

    match_id: int
    user_id: int | None
    zone: str


class Edition:
    """Fragments as they were rendered once, and what makes them of the two editions before.

    ``mark`` tells an edition from any other, also from another of the same version; ``base`` are
    those of the two before.
    """

    def __init__(self, found: Pushed, before: "Edition | None" = None) -> None:
        self.version, self.epoch = found.version, found.epoch
        self.mark = object()
        self.base: Base = (before.mark, before.base[0]) if before else (None, None)
        self.text = Text.of(found.html)
        self.html = str(self.text)
        self.old = before.text if before else NOTHING
        self.changes = deltas.changes(self.text, self.old, before.old if before else NOTHING)


class Shelf:
    """The last fragments of each key."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[Key, Edition] = OrderedDict()
        self._rendering: dict[Key, asyncio.Task[Edition]] = {}

    async def fragments(self, key: Key, version: int) -> Edition:
        """Return the fragments of a version or a later one.

        Whoever asks while they are rendered waits for the same ones.
        """
        found = self._kept.get(key)
        if found is None or found.version < version:
            found = await self._rendered(key, version)
        if found.version < version:
            # They were begun before the change.
            found = await self._rendered(key, version)
        return found

    async def _rendered(self, key: Key, version: int) -> Edition:
        return await asyncio.shield(self._rendering.get(key) or self._begin(key, version))

    def prepare(self, key: Key, version: int) -> None:
        """Render, in the thread that calls, what pages will ask for in a moment.

        If it fails they are told so.
        """
        try:
            self._keep(key, _rendered(key, version, self._kept.get(key)))
        except Exception as error:  # noqa: BLE001 - what it is prepared for is done
            log.warning("Parts of a match failed: %s", type(error).__name__)

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def _begin(self, key: Key, version: int) -> asyncio.Task[Edition]:
        reading = _rendered_in_thread(key, version, self._kept.get(key))
        self._rendering[key] = task = asyncio.create_task(reading)
        task.add_done_callback(lambda done: self._end(key, done))
        return task

    def _end(self, key: Key, task: asyncio.Task[Edition]) -> None:
        del self._rendering[key]
        if not task.cancelled() and not task.exception():
            self._keep(key, task.result())

    def _keep(self, key: Key, edition: Edition) -> None:
        """Keep an edition unless one as late was kept meanwhile."""
        with self._lock:
            known = self._kept.get(key)
            if known is None or known.version < edition.version:
                self._kept[key] = edition
                self._kept.move_to_end(key)
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)


def _rendered(key: Key, version: int, before: Edition | None) -> Edition:
    return Edition(pushed.read(*key, version), before)


_rendered_in_thread = in_thread(_rendered)

shelf = Shelf()
