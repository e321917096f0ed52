"""The private board of a player on a match: its page, and the changes made on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.requests import UserRequest
from games.http.errors import status_of
from games.kernel.contract import Unseen
from games.kernel.errors import GameError
from games.kernel.tree import ROOT
from games.matches import formatting
from games.matches.errors import NoSuchMatch, Refused, StaleMove
from games.matches.plans import conditional
from games.matches.selectors import MatchSnapshot
from games.screen.entry import Typed
from games.study import private, services
from games.study.expert import OF_MATCH
from games.study.models import PrivateBoard, Study
from games.study.private import FollowedMatch
from games.study.tree import MAX_NAME_LENGTH, Node
from games.web.study import expert
from games.web.study.edits import edit_of
from games.web.study.page import BoardPage
from games.web.study.views import go, show, spend

ENDED = gettext_noop("The match has ended.")

UNSEEN = "unseen-"
"""Prefix of form fields for assumptions."""


@dataclass(frozen=True, kw_only=True)
class ThinkingPage(BoardPage):
    board: PrivateBoard
    snapshot: MatchSnapshot

    template = "study/thinking.html"

    @property
    def match_id(self) -> int:
        return self.snapshot.match.pk

    @property
    def version(self) -> int:
        """The version of the match that the page has seen."""
        return self.snapshot.match.version

    @property
    def is_running(self) -> bool:
        return self.snapshot.match.is_running

    @cached_property
    def standing(self) -> FollowedMatch:
        """The place of the match on the board."""
        return private.standing(self.board, self.tree, self.snapshot)

    @property
    def news(self) -> str:
        """Who has moved in the match since, in a sentence. Empty if the board is up to date."""
        standing = self.standing
        if standing.is_now:
            return ""
        if not self.is_running:
            return _(ENDED)
        if standing.is_lost:
            return _(private.LOST)
        others = {one.seat for one in standing.missing} - {self.snapshot.seat_of(self.board.owner)}
        players = [player for player in self.snapshot.players if player.seat in others]
        if not players:
            return _("You have moved.")
        names = formatting.names([player.user.shown_name for player in players])
        text = ngettext("{players} has moved.", "{players} have moved.", len(players))
        return text.format(players=names)

    @property
    def is_here(self) -> bool:
        """Whether the board shows the current position of the match."""
        return self.standing.is_now and self.standing.node == self.number

    @property
    def may_keep(self) -> bool:
        """Whether the moves that led here begin at the current position of the match."""
        is_on_line = self.standing.node in self._ids and not self.view.meta.has_secrets
        return self.is_running and self.standing.is_now and is_on_line and not self.is_here

    @cached_property
    def unseen(self) -> Sequence[Unseen]:
        """The hidden information about which the player may make assumptions now."""
        return private.unseen(self.board, self.snapshot)

    @property
    def _ids(self) -> list[int]:
        return [ROOT, *(node.id for node in self.line)]

    @property
    def _since(self) -> Sequence[Node]:
        """The moves from the current position of the match to here."""
        return self.line[self._ids.index(self.standing.node) :] if self.may_keep else ()

    @property
    def since(self) -> str:
        """These moves as text."""
        return ", ".join(node.text for node in self._since)

    @cached_property
    def is_kept(self) -> bool:
        """Whether the player's plan has these moves, up to the player's last one."""
        seat = self.snapshot.seat_of(self.board.owner)
        steps = [(node.seat, node.text) for node in self._since]
        return seat is not None and conditional.has_line(self.snapshot.table, seat, steps)

    @property
    def title(self) -> str:
        return _("Your board: {game} · Turnstone").format(game=self.view.meta.name)

    @property
    def published(self) -> Study | None:
        """The copy that was published. ``None`` without one."""
        return self.board.published


@login_required
@never_cache
@require_safe
def begin(request: UserRequest, match_id: int) -> HttpResponse:
    """Open the board at the position of the match, or the nearest one on the board."""
    spend(request)
    try:
        board, snapshot = _opened(request, match_id)
        stands = private.standing(board, services.tree_of(board), snapshot)
    except GameError as refusal:
        return _refused(request, match_id, refusal)
    return redirect("match-board", match_id, stands.node)


def _opened(request: UserRequest, match_id: int) -> tuple[PrivateBoard, MatchSnapshot]:
    try:
        return private.opened(request.user, match_id, timezone.now())
    except NoSuchMatch as unknown:
        raise Http404(str(unknown)) from unknown


def _refused(request: HttpRequest, match_id: int, refusal: GameError) -> HttpResponse:
    context = {"error": refusal, "match_id": match_id}
    return render(request, "study/broken.html", context, status=status_of(refusal))


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
@login_required
def board(request: UserRequest, match_id: int, number: int) -> HttpResponse:
    """Show the board after a move. A POST plays on it, or changes its lines."""
    spend(request)
    try:
        kept, snapshot = _opened(request, match_id)
        tree = services.tree_of(kept)
        if not tree.has(number):
            raise Http404("This move is not on the board.")
        if request.method == "POST":
            return _act(request, kept, snapshot, number)
        typed = Typed.read(request.GET)
        page = ThinkingPage(tree, number, typed, board=kept, snapshot=snapshot)
        return show(request, page)
    except GameError as refusal:
        return _refused(request, match_id, refusal)


def _act(
    request: UserRequest, kept: PrivateBoard, snapshot: MatchSnapshot, number: int
) -> HttpResponse:
    actions = {
        "follow": _follow,
        "assume": _assume,
        "again": _again,
        "keep": _keep,
        "publish": _publish,
        expert.ACTION: _ask,
    }
    act = actions.get(request.POST.get("action", ""), _edit)
    try:
        return act(request, kept, snapshot, number)
    except GameError as refusal:
        page = ThinkingPage(
            services.tree_of(kept),
            number,
            Typed.read(request.POST),
            refusal,
            dice=request.POST.get("dice", "")[:100],
            board=kept,
            snapshot=snapshot,
        )
        return show(request, page, status_of(refusal))


def _edit(
    request: UserRequest, kept: PrivateBoard, snapshot: MatchSnapshot, number: int
) -> HttpResponse:
    edit = edit_of(request.POST, number)
    at = services.change(board=kept, edit=edit, now=timezone.now())
    return go(request, "match-board", snapshot.match.pk, at)


def _ask(
    request: UserRequest, kept: PrivateBoard, snapshot: MatchSnapshot, number: int
) -> HttpResponse:
    if snapshot.match.is_running:
        raise Refused(OF_MATCH)
    expert.ask(request, services.tree_of(kept), number)
    return go(request, "match-board", snapshot.match.pk, number)


def _follow(
    request: UserRequest, kept: PrivateBoard, snapshot: MatchSnapshot, _: int
) -> HttpResponse:
    at = private.follow(kept, snapshot, timezone.now())
    return go(request, "match-board", snapshot.match.pk, at)


def _assume(
    request: UserRequest, kept: PrivateBoard, snapshot: MatchSnapshot, _: int
) -> HttpResponse:
    chosen = {
        name.removeprefix(UNSEEN): request.POST.getlist(name)
        for name in request.POST
        if name.startswith(UNSEEN)
    }
    at = private.assume(kept, snapshot, chosen, timezone.now())
    return go(request, "match-board", snapshot.match.pk, at)


def _again(
    request: UserRequest, kept: PrivateBoard, snapshot: MatchSnapshot, _: int
) -> HttpResponse:
    private.start_again(kept, snapshot, timezone.now())
    return go(request, "match-board", snapshot.match.pk, 0)


def _keep(
    request: UserRequest, kept: PrivateBoard, snapshot: MatchSnapshot, number: int
) -> HttpResponse:
    seen = request.POST.get("version", "")
    if seen != str(snapshot.match.version):
        raise StaleMove(_("The match has moved on since you planned this."))
    private.add_to_plan(kept, snapshot, number, request.user)
    messages.success(
        request, _("Kept. The site plays your replies in this line as soon as they fit.")
    )
    return go(request, "match-board", snapshot.match.pk, number)


def _publish(
    request: UserRequest, kept: PrivateBoard, snapshot: MatchSnapshot, number: int
) -> HttpResponse:
    text = _("{game}, match {number}")
    name = text.format(game=snapshot.title.meta.name, number=snapshot.match.pk)[:MAX_NAME_LENGTH]
    private.publish(kept, snapshot, name, timezone.now())
    messages.success(request, _("The board is published with the record of the match."))
    return go(request, "match-board", snapshot.match.pk, number)
