"""Bookmarks as pages show them: each with what its record is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from games.matches import selectors
from games.matches.store import read_players
from games.matches.view.match_view import MatchView
from games.records import rebuilding
from games.records.models import Bookmark, ImportedRecord


@dataclass(frozen=True)
class Mark:
    """A position that was kept; nothing of the log of its match is read."""

    view: MatchView
    bookmark: Bookmark

    @property
    def position(self) -> str:
        """Which position it is, in words."""
        return f"After {self.bookmark.number}" if self.bookmark.number else "Start"


def marks(bookmarks: Sequence[Bookmark], reader: Any) -> list[Mark]:
    """Return bookmarks with their matches and players, who are read in one query."""
    read_players([bookmark.match for bookmark in bookmarks if bookmark.match])
    return [_mark(bookmark, reader) for bookmark in bookmarks]


def _mark(bookmark: Bookmark, reader: Any) -> Mark:
    if bookmark.match:
        snapshot = selectors.snapshot_of(bookmark.match)
        return Mark(MatchView(snapshot, snapshot.seat_of(reader), []), bookmark)
    imported = cast("ImportedRecord", bookmark.imported)
    return Mark(MatchView(rebuilding.snapshot_of(imported.head), None, []), bookmark)
