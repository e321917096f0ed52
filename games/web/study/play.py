"""Matches on one device: covers between turns, moves, Undo, the next match."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from msgspec import structs

from accounts import guests
from accounts.models import User
from accounts.requests import UserRequest
from games.http.errors import status_of
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.kernel.replay import Moment
from games.kernel.tree import ROOT
from games.matches import formatting
from games.matches.view.match_view import MatchView
from games.matches.view.parts import LogRow
from games.matches.view.seats import swatch
from games.screen.entry import Typed
from games.study import services
from games.study.errors import BrokenBoard
from games.study.models import Study
from games.study.replaying import moments_of, played, set_up
from games.study.tables import table_of
from games.study.tree import MAX_NAME_LENGTH, MAX_NODES, Node, Tree
from games.web.redirects import see_other
from games.web.study.edits import forgotten, turn_of
from games.web.study.forms import PlayForm
from games.web.study.page import HERE, BoardPage
from games.web.study.views import broken, show, spend, start_form

MOVED_ON = gettext_noop("The match has moved on. This is how it stands now.")


@dataclass(frozen=True)
class PlayPage(BoardPage):
    """A match on one device: only the seat to move sees its hand, and a cover hides that too."""

    names: Sequence[str] = ()
    is_covered: bool = False

    template = "study/play.html"
    is_played = True
    has_explorer = False
    asks_for_dice = False

    @cached_property
    def view(self) -> MatchView:
        """The match as the seat to move sees it. Under a cover, as a spectator does."""
        table = self.players_view.table
        viewer = None if self.is_covered else next(iter(table.actors), None)
        return MatchView(table, viewer, ())

    @cached_property
    def players_view(self) -> MatchView:
        """The match as a spectator sees it, since the players' places don't change with turns."""
        table = table_of(self.tree, self.moment, len(self.line), self.names)
        return MatchView(table, None, ())

    @cached_property
    def moments(self) -> Sequence[Moment]:
        """The position at the start and after each move."""
        return moments_of(self.tree, self.number)

    @property
    def moment(self) -> Moment:
        """The position, and what led to it."""
        return self.moments[-1]

    @property
    def seat(self) -> Seat | None:
        """The seat to move. ``None`` under a cover and at the end."""
        return self.view.viewer

    @property
    def shows_all(self) -> bool:
        """Whether the match is over, so that nothing is hidden."""
        return not self.view.match.is_running

    @property
    def needs_cover(self) -> bool:
        """Whether there are hands to hide before the next player looks."""
        return self.view.meta.has_secrets and not self.shows_all

    @property
    def here(self) -> str:
        """The address of this turn in the links and forms of the page."""
        return f"{self.number}/" if self.is_covered else HERE

    @property
    def can_undo(self) -> bool:
        """Whether the last move may be taken back: it showed neither dice nor secrets."""
        moment = self.moment
        is_bare = not moment.drawn and not any("hidden" in event.dump() for event in moment.events)
        return bool(self.line) and is_bare and not self.shows_all

    @property
    def log(self) -> Sequence[LogRow]:
        """The moves in words, the newest first. The notation of the newest may hide something."""
        rows = [self._row(*one) for one in enumerate(zip(self.line, self.moments[1:], strict=True))]
        if rows and not self.shows_all:
            notation = self.tree.title.redact(rows[-1].notation, self.view.position)
            rows[-1] = structs.replace(rows[-1], notation=notation)
        return rows[::-1]

    def _row(self, at: int, made: tuple[Node, Moment]) -> LogRow:
        title = self.tree.title
        viewer = self.view.viewer
        node, moment = made
        seen = [event.seen_by(viewer, over=self.shows_all) for event in moment.events]
        brief = [title.headline(event, viewer) for event in title.joined(seen)]
        return LogRow(
            at + 1,
            address="",
            told=" ".join(title.sentences(seen, viewer)),
            headline=" · ".join(filter(None, brief)),
            notation=node.text,
            swatch=swatch(self.view.meta, node.seat),
        )

    @property
    def setup(self) -> str:
        """The random part of the setup, in sentences. Empty without one."""
        if self.tree.start.setup is None:
            return ""
        viewer = self.view.viewer
        first = self.view.table.view(viewer, self.moments[0].state)
        return self.tree.title.describe_setup(first, viewer)

    @property
    def title(self) -> str:
        return f"{self.view.meta.name}, {formatting.names(self.names)} · Turnstone"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """The form of a match on one device. A visitor who sends it becomes a guest."""
    return start_form(
        request,
        slug,
        PlayForm,
        "study/play_new.html",
        lambda form, tree: _started(request, tree, form.names),
    )


def _started(request: HttpRequest, tree: Tree, names: Sequence[str]) -> HttpResponse:
    now = timezone.now()
    sender = request.user
    user = sender if isinstance(sender, User) else guests.sign_in(request, now=now)
    name = formatting.names(names)[:MAX_NAME_LENGTH]
    return _to(services.save(user=user, tree=tree, name=name, names=names, now=now))


def _to(study: Study, number: int | None = None) -> HttpResponse:
    """Redirect to a turn, or to the cover before the current one."""
    return see_other(study) if number is None else see_other("play-turn", study.key, number)


def _own(request: UserRequest, key: str) -> Study:
    return get_object_or_404(Study.objects.exclude(names=[]), key=key, owner=request.user)


def _page(study: Study, typed: Typed | None = None, *, is_covered: bool = False) -> PlayPage:
    """Return the page of the current match.

    :raises BrokenBoard: it can't be read.
    """
    tree = services.tree_of(study)
    last = tree.end(ROOT)
    return PlayPage(
        tree, last, typed or Typed(), study=study, names=study.names, is_covered=is_covered
    )


@login_required
@never_cache
@require_safe
def cover(request: UserRequest, key: str) -> HttpResponse:
    """The cover before a turn, which shows no hand. Without secrets the turn itself."""
    study = _own(request, key)
    spend(request)
    try:
        page = _page(study, is_covered=True)
    except BrokenBoard as error:
        return broken(request, study.title, error)
    return show(request, page) if page.needs_cover else _to(study, page.number)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def turn(request: UserRequest, key: str, number: int) -> HttpResponse:
    """The turn after move ``number``. A POST plays a move, or takes the last one back."""
    study = _own(request, key)
    spend(request)
    try:
        page = _page(study, Typed.read(request.GET))
        if page.number != number:
            if request.method == "POST":
                messages.error(request, _(MOVED_ON))
            return _to(study)
        return _act(request, study, page) if request.method == "POST" else show(request, page)
    except BrokenBoard as error:
        return broken(request, study.title, error)


def _act(request: UserRequest, study: Study, before: PlayPage) -> HttpResponse:
    act = request.POST.get("action")
    try:
        if act == "again":
            return _started(request, set_up(before.tree), before.names)
        edit = partial(_undo if act == "undo" else _play, before, request.POST)
        services.change(board=study, edit=edit, now=timezone.now())
    except GameError as refusal:
        if act:
            messages.error(request, str(refusal))
            return _to(study)
        page = replace(before, typed=Typed.read(request.POST), refusal=refusal)
        return show(request, page, status_of(refusal))
    study.refresh_from_db()
    after = _page(study)
    is_same = act != "undo" and after.seat == before.seat
    return _to(study, after.number if is_same or not after.needs_cover else None)


def _play(before: PlayPage, form: QueryDict, tree: Tree) -> tuple[Tree, int]:
    number = _checked(before, tree)
    seat, texts = turn_of(tree, number, form)
    if len(tree.nodes) + len(texts) > MAX_NODES:
        tree, number = forgotten(tree, number)
    return played(tree, number, seat, texts)


def _undo(before: PlayPage, _query: QueryDict, tree: Tree) -> tuple[Tree, int]:
    number = _checked(before, tree)
    if not before.can_undo:
        raise GameError(_("The last move can't be taken back: it showed dice or cards."))
    return tree.without(number), before.line[-1].parent


def _checked(before: PlayPage, tree: Tree) -> int:
    """Return the last move of the match if it is still the one that the sender saw."""
    if tree.end(ROOT) != before.number:
        raise GameError(_(MOVED_ON))
    return before.number
