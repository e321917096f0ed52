"""Presence: which other players have a match open, if they share it."""

from typing import Any

from channels.db import database_sync_to_async

from accounts import blocks, presence
from games.matches.models import Player
from games.matches.notify.notifications import page_key


def company_group(match_id: int) -> str:
    """Return the channel group for the presence in a match."""
    return f"company.{match_id}"


class PresentPlayers:
    """The present players, as last sent to the page of one player."""

    def __init__(self, match_id: int, user: Any) -> None:
        self._match_id = match_id
        self._user = user
        self._told: list[int] = []

    async def news(self) -> list[int] | None:
        """Return the seats of the present players. ``None`` if nothing has changed."""
        here: list[int] = await _here(self._match_id, self._user)
        if here == self._told:
            return None
        self._told = here
        return here


@database_sync_to_async  # type: ignore[untyped-decorator]
def _here(match_id: int, user: Any) -> list[int]:
    """Return the seats of the other players present. Empty for spectators."""
    others = Player.objects.filter(match=match_id, match__players__user=user, is_bot=False)
    visible = others.filter(user__shows_presence=True).exclude(user=user)
    present = visible.exclude(blocks.between(user, "user")).values_list("user", "seat")
    seats: dict[int, int] = dict(present)
    return sorted(seats[pk] for pk in presence.among(seats, page_key(match_id)))
