"""Boards in posts and chat: the address of a board is shown as a small picture that links to it.

Only boards that anybody may open are shown. Of a match, the picture shows what its reader may see.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.kernel import registry
from games.kernel.palettes import PALETTES
from games.matches.models import Match
from games.matches.view import pictures
from games.screen.entry import Typed
from games.study import services
from games.study.addresses import unpack
from games.study.errors import BrokenBoard
from games.study.shapes import with_shapes
from games.study.tree import Tree
from games.web.pictures import position_board
from games.web.record.views import TYPES, YEAR
from games.web.study.page import BoardPage
from games.web.study.views import spend

MAX_BOARDS = 3
"""Maximum number of boards shown in one text. Further addresses stay links."""

ADDRESS = re.compile(r"https?://[^\s<>\"“”()]+/")
"""What the address of a board looks like."""

LINK = '<a class="embedded-board" href="{}">{}</a>'


class Written(Protocol):
    """A post or a line of chat."""

    text: Any


class Embedded(NamedTuple):
    """A page with a board: its path, and its URL name and arguments."""

    path: str
    name: str
    terms: Mapping[str, Any]


def board_pictures(written: Iterable[Written], reader: Any) -> dict[str, SafeString]:
    """Return the pictures of the boards in some texts, as links, by their addresses there."""
    boards = {address: board for one in written for address, board in _boards_in(one.text)}
    labels = {**_saved(boards.values()), **_of_matches(boards.values()), **_packed(boards.values())}
    return {
        address: format_html(LINK, board.path, position_board(board.path, reader, label))
        for address, board in boards.items()
        if (label := labels.get(board.path))
    }


def _boards_in(text: str) -> Iterable[tuple[str, Embedded]]:
    """Yield the first addresses of boards in a text."""
    found = ((one[0], _embedded(one[0])) for one in ADDRESS.finditer(text))
    boards = {address: board for address, board in found if board is not None}
    return islice(boards.items(), MAX_BOARDS)


def _embedded(address: str) -> Embedded | None:
    """Return the board with an address of this site."""
    try:
        parts = urlsplit(address)
        if parts.netloc != urlsplit(settings.SITE_URL).netloc:
            return None
        found = resolve(parts.path)
    except (ValueError, Resolver404):
        return None
    return Embedded(parts.path, found.url_name or "", found.kwargs)


def _packed(boards: Iterable[Embedded]) -> dict[str, str]:
    """Return what the boards in an address show, by path."""
    labels = {}
    for board in boards:
        if board.name == "board":
            try:
                tree = unpack(board.terms["slug"], board.terms["packed"])
                tree.check_has(board.terms["number"])
            except BrokenBoard:
                continue
            moves = len(tree.line(board.terms["number"]))
            text = ngettext(
                "Board of {game} after {count} move", "Board of {game} after {count} moves", moves
            )
            labels[board.path] = text.format(game=_name(tree.game), count=moves)
    return labels


def _saved(boards: Iterable[Embedded]) -> dict[str, str]:
    """Return what the saved boards show that anybody may open, by path."""
    saved = {board.path: board.terms["key"] for board in boards if board.name == "study"}
    if not saved:
        return {}
    rows = services.readable(AnonymousUser()).filter(key__in=saved.values())
    names = {
        key: _("{name}: a board").format(name=name) for key, name in rows.values_list("key", "name")
    }
    return {path: names[key] for path, key in saved.items() if key in names}


def _of_matches(boards: Iterable[Embedded]) -> dict[str, str]:
    """Return what the positions of matches show, by path."""
    shown = {board.path: board.terms for board in boards if board.name == "match-at"}
    if not shown:
        return {}
    rows = Match.objects.filter(pk__in=[terms["match_id"] for terms in shown.values()])
    matches = {match.pk: match for match in rows.only("title", "version")}
    labels = {}
    for path, terms in shown.items():
        match = matches.get(terms["match_id"])
        if match is not None and terms["number"] <= match.version:
            moves = terms["number"]
            text = ngettext(
                "Match {number} of {game} after {count} move",
                "Match {number} of {game} after {count} moves",
                moves,
            )
            labels[path] = text.format(number=match.pk, game=_name(match.title), count=moves)
    return labels


def _name(slug: str) -> str:
    titles = registry.titles()
    return titles[slug].meta.name if slug in titles else slug


@require_safe
@cache_control(public=True, max_age=YEAR, immutable=True)
def packed_picture(request: HttpRequest, slug: str, packed: str, number: int) -> HttpResponse:
    """A board in an address as a picture, ``?theme=light`` or ``dark``."""
    return _picture(request, lambda: unpack(slug, packed), number)


@require_safe
@cache_control(private=True, no_cache=True)
def saved_picture(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A saved board that anybody may open, as a picture."""
    board = get_object_or_404(services.readable(AnonymousUser()), key=key)
    return _picture(request, lambda: services.tree_of(board), number)


def _picture(request: HttpRequest, read: Callable[[], Tree], number: int) -> HttpResponse:
    theme = request.GET.get("theme", "light")
    if theme not in PALETTES:
        raise Http404("There is no such picture.")
    spend(request)
    try:
        tree = read()
        tree.check_has(number)
        drawing = BoardPage(tree, number, Typed()).drawing()
    except BrokenBoard as broken:
        raise Http404(str(broken)) from broken
    shown = with_shapes(drawing, tree.shapes_at(number))
    return HttpResponse(pictures.svg_document(shown, theme), content_type=TYPES["svg"])
