"""Who else looks at a match now: told to its players, as far as the others would have it known."""

from typing import Any

from channels.db import database_sync_to_async

from accounts import blocks, presence
from games.matches.models import Player
from games.matches.notifications import page_key


def company_group(match_id: int) -> str:
    """Return the channel group of the pages that are told who is here."""
    return f"company.{match_id}"


class Company:
    """The others who are here, as the page of one player was told."""

    def __init__(self, match_id: int, user: Any) -> None:
        self._match_id, self._user = match_id, user
        self._told: list[int] = []

    async def news(self) -> list[int] | None:
        """Return the seats of those who are here; ``None`` if the page knows that."""
        here: list[int] = await _here(self._match_id, self._user)
        if here == self._told:
            return None
        self._told = here
        return here


@database_sync_to_async  # type: ignore[untyped-decorator]
def _here(match_id: int, user: Any) -> list[int]:
    """Return the seats of the others who look at a match; none to who does not play in it."""
    others = Player.objects.filter(match=match_id, match__players__user=user, is_bot=False)
    shown = others.filter(user__shows_presence=True).exclude(user=user)
    found = shown.exclude(blocks.between(user, "user")).values_list("user", "seat")
    seats: dict[int, int] = dict(found)
    return sorted(seats[pk] for pk in presence.among(seats, page_key(match_id)))
