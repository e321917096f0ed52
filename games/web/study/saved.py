"""Saved boards: their list, their pages, and their owners' actions."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import texts
from accounts.limits import limited
from accounts.requests import UserRequest
from games.http.errors import status_of
from games.kernel import registry
from games.kernel.errors import GameError
from games.screen.entry import Typed
from games.study import services, text
from games.study.addresses import unpack
from games.study.errors import BrokenBoard
from games.study.models import Study
from games.study.tree import MAX_NAME_LENGTH, Tree
from games.web import refusals
from games.web.redirects import see_other
from games.web.study import expert
from games.web.study.edits import DIGITS, edit_of
from games.web.study.forms import StudyForm
from games.web.study.page import BoardPage
from games.web.study.views import SAVED_NAME, broken, go, show, spend
from games.web.titles import title_or_404


@login_required
@never_cache
@require_safe
def studies(request: UserRequest) -> HttpResponse:
    titles = registry.titles()
    names = {slug: title.meta.name for slug, title in titles.items()}
    own = services.own(request.user)
    rows = [(study, names.get(study.title, study.title)) for study in own]
    context = {"rows": rows, "titles": titles.values(), "most": services.MAX_STUDIES}
    return render(request, "study/studies.html", context)


@login_required
@require_POST
@limited("board")
def save(request: UserRequest, slug: str, packed: str, number: int) -> HttpResponse:
    """Save a board that is in the address."""
    meta = title_or_404(slug).meta
    name = texts.one_line(request.POST.get("name", "").replace("\0", ""))[:MAX_NAME_LENGTH]
    name = name or _(SAVED_NAME).format(game=meta.name)
    try:
        tree = unpack(slug, packed)
        tree.check_has(number)
        made = services.save(user=request.user, tree=tree, name=name, now=timezone.now())
    except BrokenBoard as error:
        return broken(request, slug, error)
    except GameError as refusal:
        messages.error(request, str(refusal))
        return redirect("board", slug, packed, number)
    messages.success(request, _("The board is saved."))
    return see_other("study", made.key, number)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
def study(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Show a saved board. Its owner can play on it."""
    board = get_object_or_404(services.readable(request.user), key=key)
    is_own = board.owner_id == request.user.pk
    spend(request)
    try:
        tree = services.tree_of(board)
        if not tree.has(number):
            raise Http404("This move is not on the board.")
        if request.method == "POST":
            return _edit(request, board, tree, number, is_own=is_own)
        typed = Typed.read(request.GET)
        return show(request, BoardPage(tree, number, typed, study=board, is_own=is_own))
    except BrokenBoard as error:
        return broken(request, board.title, error)


def _edit(
    request: HttpRequest, board: Study, tree: Tree, number: int, *, is_own: bool
) -> HttpResponse:
    typed = Typed.read(request.POST)
    try:
        if request.POST.get("action") == expert.ACTION:
            expert.ask(request, tree, number)
            return go(request, "study", board.key, number)
        edit = edit_of(request.POST, number) if is_own else _not_own
        at = services.change(board=board, edit=edit, now=timezone.now())
    except GameError as refusal:
        dice = request.POST.get("dice", "")[:100]
        page = BoardPage(tree, number, typed, refusal, board, is_own, dice=dice)
        return show(request, page, status_of(refusal))
    return go(request, "study", board.key, at)


def _not_own(_tree: Tree) -> tuple[Tree, int]:
    raise GameError(_("Only its owner can change this board. Copy it to play on."))


def _own(request: UserRequest, key: str) -> Study:
    return get_object_or_404(Study, key=key, owner=request.user)


def _number(request: HttpRequest) -> int:
    """Return the move that was shown when a form was sent. The start if it names no move."""
    text = request.POST.get("number", "")
    return int(text) if text.isdecimal() and len(text) <= DIGITS else 0


@login_required
@require_POST
@limited("board")
def change(request: UserRequest, key: str) -> HttpResponse:
    """Rename a board, share it by link, or hide it."""
    board = _own(request, key)
    form = StudyForm(request.POST, instance=board)
    if form.is_valid():
        try:
            services.describe(study=board, now=timezone.now(), **form.cleaned_data)
        except GameError as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("That is saved."))
    else:
        text = _("A board needs a name of at most {most} characters.")
        messages.error(request, text.format(most=MAX_NAME_LENGTH))
    return redirect("study", key, _number(request))


@login_required
@require_POST
@limited("board")
def copy(request: UserRequest, key: str) -> HttpResponse:
    """Copy a board to the user's own."""
    board = get_object_or_404(services.readable(request.user), key=key)
    with refusals.AsMessage(request):
        made = services.copy(user=request.user, study=board, now=timezone.now())
        messages.success(request, _("The board is copied to your boards."))
        return see_other("study", made.key, _number(request))
    return redirect("study", key, _number(request))


@login_required
@require_POST
@limited("board")
def delete(request: UserRequest, key: str) -> HttpResponse:
    _own(request, key).delete()
    messages.success(request, _("The board is deleted."))
    return redirect("studies")


@require_safe
@cache_control(private=True, no_cache=True)
def export_json(request: HttpRequest, key: str) -> HttpResponse:
    """All lines of a board as JSON, which another board can start from."""
    board = get_object_or_404(services.readable(request.user), key=key)
    try:
        content = services.exported(services.tree_of(board))
    except BrokenBoard as error:
        return broken(request, board.title, error)
    answer = JsonResponse(content, json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="board-{key}.json"'
    return answer


@require_safe
@cache_control(private=True, no_cache=True)
def export_text(request: HttpRequest, key: str) -> HttpResponse:
    """All lines of a board as text, which another board can start from."""
    board = get_object_or_404(services.readable(request.user), key=key)
    try:
        page = BoardPage(services.tree_of(board), 0, Typed(), study=board)
        facts = {"Board": board.name, "Game": page.view.meta.name, "Parameters": page.terms}
        written = text.write(page.tree, {name: fact for name, fact in facts.items() if fact})
    except BrokenBoard as error:
        return broken(request, board.title, error)
    answer = HttpResponse(written, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="board-{key}.txt"'
    return answer
