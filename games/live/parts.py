"""The updates of one page: the parts that changed, or only the version if it is too far behind."""

import random
from typing import Any

from games.live.rooms import Room
from games.screen.match_parts import MatchParts
from games.screen.parts import Parts, patch

MAX_UNANSWERED = 32
"""Updates that a page gets without answering.

A page that nobody reads then uses no more memory. It fetches the rest later.
"""

MAX_SPECTATORS = 200
"""Spectators of a match who get parts from one process.

Parts are as large as the board, and the loop that sends them serves the players too. Further
spectators fetch the page, spread over some time.
"""

TURN = 0.02
"""Seconds by which each spectator lengthens the period over which updates are spread.

Players get updates first.
"""


class PageParts:
    """The state of a page: the parts of its match that it was sent.

    ``player_id`` is the id of the reader, if a player. ``shown`` is the version sent last.
    """

    def __init__(self, room: Room, user: Any) -> None:
        self._room = room
        self._user = user
        self.player_id: int | None = None
        self.shown = self._ahead = 0
        self._sent: Parts = {}
        self._is_counted = False

    async def open(self) -> None:
        """Look up the reader's seat, if any."""
        snapshot = await self._room.at(0)
        if snapshot.seat_of(self._user) is not None:
            self.player_id = self._user.pk
        elif self._room.spectators < MAX_SPECTATORS:
            self._is_counted = True
            self._room.spectators += 1

    @property
    def _has_parts(self) -> bool:
        return self.player_id is not None or self._is_counted

    def close(self) -> None:
        if self._is_counted:
            self._is_counted = False
            self._room.spectators -= 1

    def heard(self) -> None:
        self._ahead = 0

    def wait(self) -> float:
        """Return the delay of this page relative to the players, in seconds."""
        crowd = 0 if self.player_id is not None else self._room.spectators
        return random.uniform(0, TURN * crowd)  # noqa: S311 - no secret

    def has(self, version: int) -> bool:
        """Whether the page was sent a version already."""
        return self.shown >= version

    async def since(self, version: int) -> dict[str, Any]:
        """Return the message for the page about a version or a later one.

        It has version, clock epoch, a ``patch`` of the parts sent before, and the ``targets`` of
        the marks. Without a patch the page has to fetch the match; ``crowd`` says that many will. A
        new page gets all parts. A page that is several entries late gets a patch for each: all
        except the last are in ``steps``.
        """
        if not self._has_parts or self._ahead >= MAX_UNANSWERED:
            return {"version": version, **({} if self._has_parts else {"crowd": True})}
        parts = await self._room.parts(self.player_id, version)
        if not parts.parts or parts.version < version:
            return {"version": version}
        self._ahead += 1
        behind = self._room.steps(self.player_id, self.shown, parts.version) if self._sent else []
        steps = [self.take(step)["patch"] for step in behind]
        return {**self.take(parts), **({"steps": steps} if steps else {})}

    def take(self, parts: MatchParts) -> dict[str, Any]:
        """Return the message with the patch to these parts. Send it before any other."""
        changes = patch(self._sent, parts.parts)
        self._sent = parts.parts
        self.shown = parts.version
        return {
            "version": parts.version,
            "epoch": parts.epoch,
            "patch": changes,
            "targets": parts.targets,
        }
