"""Matches in lists: each with its board, its players and its last entry, as the reader may see."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.http.paging import Page
from games.matches import listing
from games.matches.models import Match
from games.matches.view.match_view import MatchView


def pages(lists: Mapping[str, Page], reader: Any) -> dict[str, Page]:
    """Return pages of matches as pages of rows for a user; a query or two for all of them."""
    all_matches = [match for page in lists.values() for match in page.items]
    by_id = {row.match.pk: row for row in rows(all_matches, reader)}
    return {
        key: page.shown_as(lambda matches: [by_id[match.pk] for match in matches])
        for key, page in lists.items()
    }


def rows(matches: Sequence[Match], reader: Any) -> list[MatchView]:
    """Return matches as a user may see them, each with its last entry alone."""
    return [
        MatchView(snapshot, snapshot.seat_of(reader), log)
        for snapshot, log in listing.with_last_entries(matches)
    ]
