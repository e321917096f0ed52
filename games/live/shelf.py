"""Fragments of matches for all pages of a process: each is rendered once."""

import asyncio
from collections import OrderedDict
from typing import NamedTuple

from games.live.threads import in_thread
from games.web.match import pushed
from games.web.match.pushed import Pushed

MOST = 256
"""So many are kept, the last ones that were asked for."""


class Key(NamedTuple):
    """Whose fragments: of a match for one of its players, or for spectators in a time zone."""

    match_id: int
    user_id: int | None
    zone: str


class Shelf:
    """The last fragments of each key."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Pushed] = OrderedDict()
        self._rendering: dict[Key, asyncio.Task[Pushed]] = {}

    async def fragments(self, key: Key, version: int) -> Pushed:
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

    async def _rendered(self, key: Key, version: int) -> Pushed:
        return await asyncio.shield(self._rendering.get(key) or self._begin(key, version))

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def _begin(self, key: Key, version: int) -> asyncio.Task[Pushed]:
        self._rendering[key] = task = asyncio.create_task(_read(*key, version))
        task.add_done_callback(lambda done: self._keep(key, done))
        return task

    def _keep(self, key: Key, task: asyncio.Task[Pushed]) -> None:
        del self._rendering[key]
        if task.cancelled() or task.exception():
            return
        self._kept[key] = task.result()
        self._kept.move_to_end(key)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)


_read = in_thread(pushed.read)
shelf = Shelf()
