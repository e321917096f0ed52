"""Matches in lists: each with its board, players and last entry, as the reader may see them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games.http.paging import Page
from games.kernel.language import looked_up
from games.matches import listing
from games.matches.models import Match
from games.matches.view.match_view import MatchView
from games.screen import part_templates

NO_LINES: Mapping[int, int] = MappingProxyType({})


def pages(lists: Mapping[str, Page], reader: Any) -> dict[str, Page]:
    """Return pages of matches as pages of rows for a user, with a query or two for all of them."""
    all_matches = [match for page in lists.values() for match in page.items]
    by_id = {row.match.pk: row for row in rows(all_matches, reader)}
    return {
        key: page.shown_as(lambda matches: [by_id[match.pk] for match in matches])
        for key, page in lists.items()
    }


def rows(matches: Sequence[Match], reader: Any) -> list[MatchView]:
    """Return matches as a user may see them, each with only its last entry."""
    if not matches:
        return []
    return [
        MatchView(snapshot.table, snapshot.seat_of(reader), log)
        for snapshot, log in listing.with_last_entries(matches)
    ]


@looked_up()
def written(
    shown: Sequence[MatchView], reader: Any, unread: Mapping[int, int] = NO_LINES
) -> SafeString:
    """Return the rows as HTML, in the zone and the theme of a reader.

    :param unread: the number of new lines in the chat by match, if it is known.
    """
    context = {"rows": shown, "reader": reader, "unread": unread}
    # Jinja2 escapes what it is given.
    return mark_safe(part_templates.render("match_rows", context))  # noqa: S308
