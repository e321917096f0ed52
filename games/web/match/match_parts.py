"""The parts of a match's page that change while it is open, as one seat or spectators see them.

They depend on the seat and the version alone, so that they are rendered once for all pages of a
seat. Each page fills in its own CSRF token and submission ids, and the version of the match, and
shows times, which are in UTC, in the zone of its reader.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from functools import lru_cache
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games.http.echo import shorten_echo
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.kernel.svg_writer import MarkStyle
from games.matches.errors import Unreadable
from games.matches.models import LogEntry, Player
from games.matches.play import move_input
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import MatchView
from games.matches.view.parts import LogTurn
from games.web.match import part_templates
from games.web.match.actions import ActionsRegion
from games.web.match.entered import EnteredMove
from games.web.match.entry import NOTHING_TYPED, Typed
from games.web.match.page import MatchPage
from games.web.match.parts import ROOT_PART, Parts, slot

TOKEN = "of-the-page"  # noqa: S105 - the opposite of a secret
"""Stands where each page fills in its own CSRF token."""

FIELDS = {"version": "", "submission": ""}
"""What each page fills in itself in the forms that change the match, beside the token."""

CACHE_SIZE = 500
"""How many actions, as they were written, a process keeps."""

REGIONS = (
    "head",
    "players",
    "board",
    "entry",
    "log",
    "type",
    "private",
    "actions",
    "board_text",
)
"""The templates of the regions that a page swaps, in their order on the page."""


@dataclass(frozen=True)
class MatchParts:
    """A match at a version and clock epoch; ``parts`` is empty where pages have to fetch it.

    The marks of the board are no links; ``targets`` holds the query that a click on each leads to,
    so that the same board serves every seat.
    """

    version: int
    epoch: int
    parts: Parts = field(default_factory=dict)
    targets: Mapping[str, str] = field(default_factory=dict)


def parts_of(
    snapshot: MatchSnapshot,
    log: Sequence[LogEntry],
    user_id: int | None,
    typed: Typed = NOTHING_TYPED,
    *,
    is_queue_long: bool | None = None,
    turns_made: MutableMapping[Any, LogTurn] | None = None,
) -> MatchParts:
    """Render a match as it stands for one of its players, or for spectators.

    :param log: as of :func:`~games.matches.log.log_entries.recent`.
    :param user_id: the reader; a user without a seat is a spectator.
    :param typed: what the reader has entered so far, as an address of the page says it.
    :param is_queue_long: as of :class:`MatchPage`.
    :param turns_made: as of :class:`MatchView`.
    """
    match = snapshot.match
    made = {} if turns_made is None else turns_made
    page = page_for(snapshot, log, user_id, typed, made, is_queue_long=is_queue_long)
    if page is None:
        return MatchParts(match.version, match.clock_epoch)
    try:
        with timezone.override(UTC):
            return render(page)
    except Unreadable:
        return MatchParts(match.version, match.clock_epoch)


def page_for(
    snapshot: MatchSnapshot,
    log: Sequence[LogEntry],
    user_id: int | None,
    typed: Typed,
    turns_made: MutableMapping[Any, LogTurn],
    *,
    is_queue_long: bool | None = None,
) -> MatchPage | None:
    """Return the page; ``None`` if the match has ended, or the reader has plans.

    Plans change without a version.
    """
    own = _own(snapshot, user_id)
    if not snapshot.match.is_running or (own is not None and own.plans):
        return None
    seat = None if own is None else Seat(own.seat)
    view = MatchView(snapshot, seat, log, turns_made=turns_made)
    return MatchPage(view, own.user if own else AnonymousUser(), typed, queue_is_long=is_queue_long)


def _own(snapshot: MatchSnapshot, user_id: int | None) -> Player | None:
    """Return a user as a player; ``None`` for one without a seat."""
    return next((player for player in snapshot.players if player.user_id == user_id), None)


def explain(snapshot: MatchSnapshot, user_id: int, typed: Typed, mark: str) -> str:
    """Return why a mark of the board leads nowhere; empty for a user without a seat."""
    own = _own(snapshot, user_id)
    if own is None:
        return ""
    try:
        return move_input.explain(snapshot, Seat(own.seat), typed.moves, typed.words, mark)
    except GameError as refusal:
        return shorten_echo(str(refusal))


def render(page: MatchPage) -> MatchParts:
    """Render a page in parts: regions, seats, layers and marks of the board, turns of the log."""
    texts = {ROOT_PART: "".join(map(slot, REGIONS))}

    def part(name: str, text: str) -> str:
        texts[name] = text
        return slot(name)

    context = {
        "page": page,
        "view": page.view,
        "user": page.user,
        "request": None,
        "is_part": True,
        "csrf_token": TOKEN,
        "fields": FIELDS,
        "place": part,
    }
    texts["actions"] = _actions(page.actions.region)
    for region in REGIONS:
        if region in texts:
            continue
        texts[region] = part_templates.render(region, context)
    match = page.view.match
    return MatchParts(match.version, match.clock_epoch, texts, _targets(page.entered, texts))


@lru_cache(CACHE_SIZE)
def _actions(part: ActionsRegion) -> str:
    """Return the region of actions: most pages show one of a few."""
    context = {"part": part, "csrf_token": TOKEN, "fields": FIELDS}
    return part_templates.render("actions", context)


def _targets(entered: EnteredMove, parts: Parts) -> dict[str, str]:
    """Return the query that a click on each mark leads to; marks in packed runs have links."""
    before = len(entered.path) + len("?")
    board = entered.board
    style = MarkStyle(board.links, board.alternatives, (), ())
    linked = (mark for mark in board.drawing.marks if mark.name in board.links)
    links = ((mark.name, style.link(mark)) for mark in linked)
    return {
        name: link[before:] for name, link in links if link is not None and f"mark {name}" in parts
    }
