"""Matches in lists: each with its board, its players and its last entry, as the reader may see."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from accounts.models import User
from games.http.paging import Page
from games.matches import listing
from games.matches.models import Match
from games.matches.view.match_view import MatchView

CACHE_SECONDS = 60
"""Seconds for which the row of a match for everybody is cached, until the match changes."""


class SharedRow(NamedTuple):
    """The row of a match as spectators see it, written in HTML."""

    match: Match
    html: SafeString


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
    if not matches:
        return []
    return [
        MatchView(snapshot, snapshot.seat_of(reader), log)
        for snapshot, log in listing.with_last_entries(matches)
    ]


def shared_rows(matches: Sequence[Match], reader: Any) -> list[SharedRow]:
    """Return the rows of matches as spectators see them, in the zone and the theme of a reader.

    They are cached: readers with the same zone and theme share them.
    """
    theme = getattr(reader, "theme", User.Theme.AUTO)
    zone = timezone.get_current_timezone_name()
    keys = {match.pk: _key(match, zone, theme) for match in matches}
    known: dict[str, str] = cache.get_many(keys.values())
    unknown = [match for match in matches if keys[match.pk] not in known]
    written = {keys[row.match.pk]: _written(row, reader) for row in rows(unknown, AnonymousUser())}
    cache.set_many(written, CACHE_SECONDS)
    html = known | written
    # Written by a template, which escapes what it is given.
    return [SharedRow(match, mark_safe(html[keys[match.pk]])) for match in matches]  # noqa: S308


def _key(match: Match, zone: str, theme: str) -> str:
    state = f"{match.pk}:{match.version}:{match.clock_epoch}:{match.status}"
    return f"match-row-1:{state}:{zone}:{theme}"


def _written(row: MatchView, reader: Any) -> str:
    return render_to_string("partials/match_rows.html", {"rows": [row], "user": reader})
