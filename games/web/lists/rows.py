"""Matches in lists: each with its board, its players and its last entry, as the reader may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.http.paging import Page
from games.matches import listing
from games.matches.errors import Unreadable
from games.matches.models import Match, Player
from games.matches.presentation import MatchPresentation


@dataclass(frozen=True)
class Row(MatchPresentation):
    """A match in a list; its log is the last entry alone, and empty before the first."""

    @property
    def awaited(self) -> list[Player]:
        """The players for whom the match waits, by the database.

        A position that cannot be read must not take the whole list down.
        """
        running = self.match.is_running
        return [player for player in self.players if running and player.to_move]

    @property
    def latest(self) -> str:
        """What the last entry did, in words; empty before the first, and if it cannot be read."""
        try:
            return super().latest
        except Unreadable:
            return ""


def pages(lists: Mapping[str, Page], reader: Any) -> dict[str, Page]:
    """Return pages of matches as pages of rows for a user; a query or two for all of them."""
    found = [match for page in lists.values() for match in page.items]
    by_id = {row.match.pk: row for row in rows(found, reader)}
    return {
        key: page.shown_as(lambda matches: [by_id[match.pk] for match in matches])
        for key, page in lists.items()
    }


def rows(matches: Sequence[Match], reader: Any) -> list[Row]:
    """Return matches as rows for a user; a query or two for all."""
    return [
        Row(snapshot, snapshot.seat_of(reader), log)
        for snapshot, log in listing.with_last_entries(matches)
    ]
