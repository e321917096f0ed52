"""The updates of one page: the parts that changed, or only the version if it is too far behind."""

import random
from typing import Any

from accounts import zones
from games.live.rooms import Room, Viewer
from games.web.match.match_parts import MatchParts
from games.web.match.parts import Parts, patch

AHEAD = 32
"""How many updates a page gets before it has to be heard of again.

A page that nobody reads any more fills no memory; it fetches what it needs later.
"""

CROWD = 200
"""How many spectators of a match get parts from one process.

The parts weigh as much as the board and are sent by the loop that serves the players. Further
spectators fetch the page, each a little later.
"""

TURN = 0.02
"""Seconds that each spectator adds to the period in which they all get a move.

Players get it first.
"""


class PageParts:
    """What a page was sent of its match.

    ``viewer`` is ``None`` for who gets no parts. ``shown`` is the version that was sent last.
    """

    def __init__(self, room: Room, user: Any) -> None:
        self._room, self._user = room, user
        self.viewer: Viewer | None = None
        self.shown = self._ahead = 0
        self._sent: Parts = {}
        self._is_counted = False

    async def open(self) -> None:
        """Find out which seat the reader has, if any."""
        snapshot = await self._room.at(0)
        if snapshot.seat_of(self._user) is not None:
            self.viewer = Viewer(self._user.pk, "")
        elif self._room.spectators < CROWD:
            self.viewer = Viewer(None, str(getattr(self._user, "zone", zones.UTC_NAME)))
            self._is_counted = True
            self._room.spectators += 1

    @property
    def player_id(self) -> int | None:
        """The reader, if a player."""
        return self.viewer.user_id if self.viewer else None

    def close(self) -> None:
        """Leave the place to another spectator."""
        if self._is_counted:
            self._is_counted = False
            self._room.spectators -= 1

    def heard(self) -> None:
        """Note that somebody reads the page, or plays on it."""
        self._ahead = 0

    def wait(self) -> float:
        """Return how many seconds after the players this page gets a move."""
        crowd = 0 if self.player_id is not None else self._room.spectators
        return random.uniform(0, TURN * crowd)  # noqa: S311 - no secret

    def has(self, version: int) -> bool:
        """Whether the page was sent a version already."""
        return self.shown >= version

    async def since(self, version: int) -> dict[str, Any]:
        """Return what to send to the page of a match at a version or a later one.

        That is version, clock epoch, a ``patch`` of the parts that this page was sent before, and
        the ``targets`` of its marks. Without a patch the page has to fetch the match; ``crowd``
        says that many will. A page that was sent nothing yet gets all parts. A page that is
        several entries behind gets a patch for each: those but the last are its ``steps``.
        """
        if self.viewer is None or self._ahead >= AHEAD:
            return {"version": version, **({} if self.viewer else {"crowd": True})}
        found = await self._room.parts(self.viewer, version)
        if not found.parts or found.version < version:
            return {"version": version}
        self._ahead += 1
        behind = self._room.steps(self.viewer, self.shown, found.version) if self._sent else []
        steps = [self.take(step)["patch"] for step in behind]
        return {**self.take(found), **({"steps": steps} if steps else {})}

    def take(self, found: MatchParts) -> dict[str, Any]:
        """Return the message that turns the page into these parts. Send it before any other."""
        changes = patch(self._sent, found.parts)
        self._sent, self.shown = found.parts, found.version
        return {
            "version": found.version,
            "epoch": found.epoch,
            "patch": changes,
            "targets": found.targets,
        }
