"""What one page is given of its match: the parts that changed, or, where it lags, the version."""

import random
from collections import Counter
from typing import Any

from channels.db import database_sync_to_async

from accounts import zones
from games.live.shelf import Key, shelf
from games.matches.models import Player
from games.web.match.match_parts import MatchParts
from games.web.match.parts import Parts, patch

AHEAD = 32
"""So many times a page is given parts before it has to be heard of again.

A page that is not read any more, or not seen, fills no memory; it fetches what it needs.
"""

CROWD = 200
"""So many spectators of a match are given parts by a process; more fetch it, each a little later.

What they get weighs as much as the board, and the players' own comes out of the same loop.
"""

TURN = 0.02
"""Seconds that each spectator adds to those within which all are told of a move.

Their pages come out of the same loop as the players', who hear first.
"""

_spectators: Counter[int] = Counter()
"""How many spectators of each match are given parts by this process."""


class PageParts:
    """What a page gets of a match, and how far it has got.

    ``key`` names the fragments of its reader: of a player they are another's never. It is ``None``
    for who is given no parts. ``shown`` is the version that was sent last.
    """

    def __init__(self, match_id: int, user: Any) -> None:
        self._match_id, self._user = match_id, user
        self.key: Key | None = None
        self.shown = self._ahead = 0
        self._sent: Parts = {}
        self._is_players = self._is_counted = False

    async def open(self) -> None:
        """Find out which seat the reader has, if any."""
        zone = str(getattr(self._user, "zone", zones.UTC_NAME))
        if self._user.pk is not None and await _plays(self._match_id, self._user.pk):
            self._is_players = True
            self.key = Key(self._match_id, self._user.pk, "")
        elif _spectators[self._match_id] < CROWD:
            self.key = Key(self._match_id, None, zone)
            self._is_counted = True
            _spectators[self._match_id] += 1

    @property
    def player_id(self) -> int | None:
        """The reader, if a player."""
        return self.key.user_id if self.key else None

    def close(self) -> None:
        """Leave the place to another spectator."""
        if self._is_counted:
            self._is_counted = False
            _spectators[self._match_id] -= 1
            if not _spectators[self._match_id]:
                del _spectators[self._match_id]

    def heard(self) -> None:
        """Note that the page is read, or its reader plays."""
        self._ahead = 0

    def wait(self) -> float:
        """Return how many seconds after the players this page is told of a move: its turn."""
        crowd = 0 if self._is_players else _spectators[self._match_id]
        return random.uniform(0, TURN * crowd)  # noqa: S311 - no secret

    def has(self, version: int) -> bool:
        """Whether the page was given a version already."""
        return self.shown >= version

    async def since(self, version: int) -> dict[str, Any]:
        """Return what to tell the page of a match at a version or a later one.

        That is version, clock epoch, a ``patch`` of the parts that this page was sent before, and
        the ``targets`` of its marks. There is no patch where the page has to fetch the match;
        ``crowd`` says that many will. A page that was sent nothing yet gets all parts.
        """
        if self.key is None or self._ahead >= AHEAD:
            return {"version": version, **({} if self.key else {"crowd": True})}
        found = await shelf.parts(self.key, version)
        if not found.parts or found.version < version:
            return {"version": version}
        self._ahead += 1
        return self.take(found)

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


@database_sync_to_async  # type: ignore[untyped-decorator]
def _plays(match_id: int, user_id: int) -> bool:
    return Player.objects.filter(match_id=match_id, user_id=user_id).exists()
