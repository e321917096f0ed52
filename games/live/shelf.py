"""Fragments of matches for all pages of a process: each is rendered once."""

import asyncio
from collections import OrderedDict
from typing import NamedTuple

from games.live import deltas
from games.live.deltas import NOTHING, Text
from games.live.threads import in_thread
from games.web.match import pushed
from games.web.match.pushed import Pushed

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
        self.version, self.epoch, self.html = found.version, found.epoch, found.html
        self.mark = object()
        self.base: Base = (before.mark, before.base[0]) if before else (None, None)
        self.text = Text.of(self.html)
        self.old = before.text if before else NOTHING
        self.changes = deltas.changes(self.text, self.old, before.old if before else NOTHING)


class Shelf:
    """The last fragments of each key."""

    def __init__(self) -> None:
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

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def _begin(self, key: Key, version: int) -> asyncio.Task[Edition]:
        reading = _read(key, version, self._kept.get(key))
        self._rendering[key] = task = asyncio.create_task(reading)
        task.add_done_callback(lambda done: self._keep(key, done))
        return task

    def _keep(self, key: Key, task: asyncio.Task[Edition]) -> None:
        del self._rendering[key]
        if task.cancelled() or task.exception():
            return
        self._kept[key] = task.result()
        self._kept.move_to_end(key)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)


@in_thread
def _read(key: Key, version: int, before: Edition | None) -> Edition:
    return Edition(pushed.read(*key, version), before)


shelf = Shelf()
