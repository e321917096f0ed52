"""Boards in an address: nobody needs an account, and nothing is stored."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import limits
from accounts.requests import signed_in
from games.http.errors import status_of
from games.kernel.errors import GameError
from games.matches import selectors
from games.matches.errors import NoSuchMatch
from games.matches.models import LogEntry
from games.records import imports
from games.records.models import ImportedRecord
from games.screen.entry import Typed
from games.study import replaying, services
from games.study.addresses import MAX_MOVES, pack, unpack
from games.study.errors import BrokenBoard, TooLong
from games.study.tree import Tree
from games.web import refusals
from games.web.redirects import see_other
from games.web.study import expert
from games.web.study.edits import edit_of
from games.web.study.expert import Expert
from games.web.study.explorer import explorer
from games.web.study.forms import SettingsForm, StartForm, standard
from games.web.study.page import BoardPage, context
from games.web.titles import title_or_404

Form = TypeVar("Form", bound=SettingsForm)

SAVED_NAME = gettext_noop("Board of {game}")

EXPERT = "expert"
"""The part that scripts request until the expert has answered."""

PARTS = {
    "entry": "study/entry_part.html",
    "live": "study/entry_part.html",
    EXPERT: "study/expert.html",
}
"""The templates of the parts that scripts request."""

KEPT_MOVES = (MAX_MOVES, 100, 50, 25, 10)
"""How many earlier moves are tried to fit into an address."""

STEP = "step"
"""The part that scripts request to go to another position."""


def spend(request: HttpRequest) -> None:
    """Count a visit or a change of a board, since each replays moves.

    Of several moves in one form each counts: one that needs physics takes 0.1 s.
    """
    if request.method != "POST":
        limits.spend(request, "preview")
        return
    for _ in range(1 + len(request.POST.getlist("move"))):
        limits.spend(request, "board")


def broken(request: HttpRequest, slug: str, error: GameError) -> HttpResponse:
    """Return the page that says why a board can't be shown."""
    meta = title_or_404(slug).meta
    return render(request, "study/broken.html", {"error": error, "meta": meta}, status=400)


def show(request: HttpRequest, page: BoardPage, status: int = HTTPStatus.OK) -> HttpResponse:
    """Return the page of a board, or the part that a script requests."""
    if request.GET.get("part") == "why":
        return JsonResponse({"said": page.why(request.GET.get("mark", ""))})
    if status == HTTPStatus.OK and page.entered.error:
        status = status_of(page.entered.error)
    part = request.GET.get("part", "")
    is_step = part == STEP
    content = context(
        page,
        frame="study/step.html" if is_step else "base.html",
        has_lines=is_step and request.GET.get("lines") == page.list_key,
    )
    if part == EXPERT:
        content["expert"] = Expert(page, request.user)
    elif page.has_explorer and part not in PARTS:
        content["explorer"] = explorer(request, page)
        content["expert"] = Expert(page, request.user)
    return render(request, PARTS.get(part, page.template), content, status=status)


def go(request: HttpRequest, to: Any, *args: Any) -> HttpResponse:
    """Redirect after a form or a link. A script that requested a step gets one there."""
    answer = see_other(to, *args) if request.method == "POST" else redirect(to, *args)
    if request.GET.get("part") == STEP:
        asked = {name: request.GET[name] for name in ("part", "lines") if name in request.GET}
        answer["Location"] += f"?{urlencode(asked)}"
    return answer


def to_address(request: HttpRequest, tree: Tree, number: int = 0) -> HttpResponse:
    """Redirect to a board in an address, or save it if it is too long for that.

    :raises TooLong: nobody is signed in who could save it.
    """
    try:
        packed, ids = pack(tree)
    except TooLong:
        if not request.user.is_authenticated:
            raise
        name = gettext(SAVED_NAME).format(game=tree.title.meta.name)
        study = services.save(user=signed_in(request), tree=tree, name=name, now=timezone.now())
        return go(request, "study", study.key, number)
    return go(request, "board", tree.game, packed, ids[number])


@never_cache
@require_safe
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Set up a board with the standard settings, its dice rolled and its cards dealt."""
    title = title_or_404(slug)
    spend(request)
    return to_address(request, replaying.set_up(standard(title)))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """The form of another start."""
    return start_form(
        request, slug, StartForm, "study/new.html", lambda _, tree: _open(request, tree)
    )


def _open(request: HttpRequest, tree: Tree) -> HttpResponse:
    try:
        return to_address(request, tree)
    except TooLong as refusal:
        hint = gettext("Sign in to save it.")
        raise TooLong(f"{refusal} {hint}") from None


def start_form(
    request: HttpRequest,
    slug: str,
    form_type: type[Form],
    template: str,
    start: Callable[[Form, Tree], HttpResponse],
) -> HttpResponse:
    """Return the page of a form, or start with its data. A refusal is shown in the form."""
    title = title_or_404(slug)
    is_sent = request.method == "POST"
    if is_sent:
        spend(request)
    form = form_type(request.POST if is_sent else None, title=title)
    if is_sent and form.is_valid() and form.tree:
        with refusals.InForm(form):
            return start(form, form.tree)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, template, {"form": form, "meta": title.meta}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
def board(request: HttpRequest, slug: str, packed: str, number: int) -> HttpResponse:
    """Show a board in the address. A POST plays a move on it or changes its lines."""
    title_or_404(slug)
    spend(request)
    try:
        tree = unpack(slug, packed)
        tree.check_has(number)
        if request.method == "POST":
            return _edit(request, tree, number)
        return show(request, BoardPage(tree, number, Typed.read(request.GET)))
    except BrokenBoard as error:
        return broken(request, slug, error)


def _edit(request: HttpRequest, tree: Tree, number: int) -> HttpResponse:
    try:
        if request.POST.get("action") == expert.ACTION:
            expert.ask(request, tree, number)
            return to_address(request, tree, number)
        return to_address(request, *edit_of(request.POST, number)(tree))
    except GameError as refusal:
        return refused(request, tree, number, refusal)


def refused(request: HttpRequest, tree: Tree, number: int, refusal: GameError) -> HttpResponse:
    """Return the page of a board with the reason why a change was refused."""
    page = BoardPage(
        tree,
        number,
        Typed.read(request.POST),
        refusal,
        is_too_long=isinstance(refusal, TooLong),
        dice=request.POST.get("dice", "")[:100],
    )
    return show(request, page, status_of(refusal))


@require_safe
def from_match(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Open a position of an ended match on a board."""
    spend(request)
    try:
        tree = replaying.from_match(match_id, number)
        entries = selectors.log(selectors.snapshot(match_id).match, upto=number)
        return _try(request, tree, partial(replaying.from_match, match_id), entries)
    except NoSuchMatch:
        raise
    except GameError as refusal:
        return render(request, "study/broken.html", {"error": refusal}, status=409)


@require_safe
def from_import(request: HttpRequest, record_id: int, number: int) -> HttpResponse:
    """Open a position of an imported record on a board."""
    spend(request)
    record = get_object_or_404(ImportedRecord, pk=record_id)
    if number > record.length:
        raise Http404("The record is shorter.")
    tree = replaying.from_import(record, number)
    entries = imports.log(record, upto=number)
    return _try(request, tree, partial(replaying.from_import, record), entries)


def _try(
    request: HttpRequest, tree: Tree, begin: Callable[[int], Tree], entries: Sequence[LogEntry]
) -> HttpResponse:
    """Redirect to a position of a record with as many earlier moves as an address can hold."""
    for most in KEPT_MOVES:
        with suppress(BrokenBoard):
            longer, number = replaying.with_earlier(begin, entries, most)
            packed, ids = pack(longer)
            return go(request, "board", longer.game, packed, ids[number])
    return to_address(request, tree)
