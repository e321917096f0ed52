"""The parts of a match's page that change while it is open, for one seat or for spectators.

They depend only on the seat, the version and the language, so that they are rendered once for all
pages of a seat in a language. Each page fills in its own CSRF token and submission ids, and the
version of the match, and shows times, which are in UTC, in the zone of its reader.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games.http.echo import shorten_echo
from games.kernel.contract import Seat
from games.kernel.errors import GameError, MalformedMove
from games.kernel.language import cached, looked_up
from games.kernel.svg_writer import MarkStyle
from games.matches.errors import Unreadable
from games.matches.models import LogEntry, Player
from games.matches.play import move_input
from games.matches.selectors import MatchSnapshot
from games.matches.table import Table
from games.matches.view.match_view import MatchView
from games.matches.view.parts import LogTurn
from games.screen import part_templates
from games.screen.actions import ActionsRegion
from games.screen.entered import EnteredMove
from games.screen.entry import NOTHING_TYPED, Typed
from games.screen.page import MatchPage
from games.screen.parts import ROOT_PART, Parts, slot

TOKEN = "of-the-page"  # noqa: S105 - the opposite of a secret
"""Each page replaces this with its own CSRF token."""

FIELDS = {"version": "", "submission": ""}
"""Fields that each page fills in itself in the forms that change the match, besides the token."""

CACHE_SIZE = 500
"""Number of rendered regions of actions that a process caches."""

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
    """A match at a version and clock epoch. ``parts`` is empty if pages have to fetch it.

    The marks of the board are no links. ``targets`` holds the query of a click on each, so that the
    same board serves every seat.
    """

    version: int
    epoch: int
    parts: Parts = field(default_factory=dict)
    targets: Mapping[str, str] = field(default_factory=dict)


@looked_up()
def parts_of(
    snapshot: MatchSnapshot,
    log: Sequence[LogEntry],
    user_id: int | None,
    typed: Typed = NOTHING_TYPED,
    *,
    table: Table | None = None,
    is_queue_long: bool | None = None,
    turns_made: MutableMapping[Any, LogTurn] | None = None,
) -> MatchParts:
    """Render the current match for one of its players, or for spectators.

    :param log: see :func:`~games.matches.log.log_entries.recent`.
    :param user_id: the reader; a user without a seat is a spectator.
    :param typed: the reader's input, as in an address of the page.
    :param table: an earlier moment of the match, to show instead.
    :param is_queue_long: see :class:`MatchPage`.
    :param turns_made: see :class:`~games.matches.view.match_view.MatchView`.
    """
    match = (table or snapshot.table).match
    made = {} if turns_made is None else turns_made
    page = page_for(snapshot, log, user_id, typed, made, table=table, is_queue_long=is_queue_long)
    if page is None:
        return MatchParts(match.version, match.clock_epoch)
    try:
        with timezone.override(UTC):
            return render(page)
    except Unreadable:
        return MatchParts(match.version, match.clock_epoch)


@looked_up()
def refused(
    snapshot: MatchSnapshot,
    log: Sequence[LogEntry],
    user_id: int,
    typed: Typed,
    refusal: GameError,
    *,
    is_queue_long: bool,
) -> MatchParts:
    """Render a match with a move that was refused, and the reason.

    Without parts where pages have to fetch the match, and where the move is the beginning of one:
    the answer to a form then shows how it can go on.
    """
    match = snapshot.table.match
    page = page_for(snapshot, log, user_id, typed, {}, is_queue_long=is_queue_long, refusal=refusal)
    if page is None or is_beginning(page, refusal):
        return MatchParts(match.version, match.clock_epoch)
    with timezone.override(UTC):
        return render(page)


def is_beginning(page: MatchPage, refusal: GameError) -> bool:
    """Whether a refused move is the beginning of one, which is nothing to refuse."""
    is_malformed = isinstance(refusal, MalformedMove)
    return is_malformed and page.entered.is_unfinished and bool(page.typed.words)


def page_for(
    snapshot: MatchSnapshot,
    log: Sequence[LogEntry],
    user_id: int | None,
    typed: Typed,
    turns_made: MutableMapping[Any, LogTurn],
    *,
    table: Table | None = None,
    is_queue_long: bool | None = None,
    refusal: GameError | None = None,
) -> MatchPage | None:
    """Return the page. ``None`` if the match has ended, or the reader has plans.

    Plans change without a version.
    """
    table = table or snapshot.table
    own = _own(snapshot, user_id)
    if not table.match.is_running or (own is not None and own.plans):
        return None
    seat = None if own is None else Seat(own.seat)
    view = MatchView(table, seat, log, turns_made=turns_made)
    user = own.user if own else AnonymousUser()
    return MatchPage(snapshot, view, user, typed, refusal, is_queue_long)


def _own(snapshot: MatchSnapshot, user_id: int | None) -> Player | None:
    """Return a user as a player. ``None`` for one without a seat."""
    return next((player for player in snapshot.players if player.user_id == user_id), None)


@looked_up()
def explain(snapshot: MatchSnapshot, user_id: int, typed: Typed, mark: str) -> str:
    """Return why a mark of the board leads nowhere. Empty for a user without a seat."""
    own = _own(snapshot, user_id)
    if own is None:
        return ""
    try:
        return move_input.explain(snapshot.table, Seat(own.seat), typed.moves, typed.words, mark)
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


@cached(CACHE_SIZE)
def _actions(part: ActionsRegion) -> str:
    """Return the region of actions: most pages show one of a few."""
    context = {"part": part, "csrf_token": TOKEN, "fields": FIELDS}
    return part_templates.render("actions", context)


def _targets(entered: EnteredMove, parts: Parts) -> dict[str, str]:
    """Return the query of a click on each mark. Marks in packed runs have links."""
    before = len(entered.path) + len("?")
    board = entered.board
    style = MarkStyle(board.links, board.alternatives, (), ())
    linked = (mark for mark in board.drawing.marks if mark.name in board.links)
    links = ((mark.name, style.link(mark)) for mark in linked)
    return {
        name: link[before:] for name, link in links if link is not None and f"mark {name}" in parts
    }
