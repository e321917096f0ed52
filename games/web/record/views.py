"""The record of a match: every position, and files to download."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe
from django.views.decorators.vary import vary_on_cookie

from accounts import limits
from config.postgresql.replica import from_replica
from games.http.errors import status_of
from games.kernel.palettes import PALETTES
from games.kernel.views import Json
from games.matches import selectors
from games.matches.models import LogEntry, Match
from games.matches.view import pictures
from games.matches.view.match_view import MatchView
from games.records import record
from games.web.record.page import RecordPage
from games.web.record.text import text
from games.web.talk.comments import CommentsPanel
from games.web.talk.panel import ChatPanel

YEAR = 365 * 24 * 3600
"""Seconds that a response which never changes may be cached."""

PARTS = {"record": "match/position.html", "log": "match/record_log.html"}
"""The templates of the parts that scripts request. Other requests get the whole page."""

TYPES = {"svg": "image/svg+xml", "png": "image/png"}


def _read_whole(request: HttpRequest, match_id: int) -> tuple[MatchView, dict[str, Json]]:
    """Read a match with its whole log, and export it. An ended one as spectators read it."""
    snapshot = selectors.snapshot(match_id)
    seat = snapshot.seat_of(request.user) if snapshot.match.is_running else None
    log = selectors.log(snapshot.match)
    return MatchView(snapshot.table, seat, log), record.export(snapshot, log)


@require_safe
@from_replica
@cache_control(private=True, no_cache=True)
def match_at(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    page = RecordPage.read(match_id, number, request.user)
    return show(request, page, CommentsPanel(page.snapshot.match, request.user, number))


def show(request: HttpRequest, page: RecordPage, comments: CommentsPanel) -> HttpResponse:
    """Return a position with its comments: whole, or the part that a script requests."""
    status = status_of(comments.error) if comments.error else 200
    view = page.view
    context: dict[str, Any] = {"page": page, "view": view, "comments": comments}
    part = PARTS.get(request.GET.get("part", ""))
    if part:
        return render(request, part, context, status=status)
    context["chat"] = ChatPanel(page.snapshot.match, page.snapshot.players, request.user, request)
    return render(request, "match/record.html", context, status=status)


def _tag(request: HttpRequest, match_id: int, **what: Any) -> str | None:
    """Return the ETag of a file.

    It depends on match, version, status, user, language and the request.
    """
    match = Match.objects.filter(pk=match_id).values_list("version", "status").first()
    if match is None:
        return None
    theme = request.GET.get("theme", "")
    known = theme if theme in PALETTES else ""
    parts = (match_id, *match, request.user.pk, *what.values(), known, get_language())
    return f'"{"-".join(map(str, parts))}"'


@require_safe
@from_replica
@vary_on_cookie
@cache_control(private=True, no_cache=True)
@condition(etag_func=_tag)
def export_json(request: HttpRequest, match_id: int) -> HttpResponse:
    """The whole match as JSON, complete and replayable."""
    _, exported = _read_whole(request, match_id)
    options = {"indent": 2, "ensure_ascii": False}
    answer = JsonResponse(exported, json_dumps_params=options)
    answer["Content-Disposition"] = f'attachment; filename="match-{match_id}.json"'
    return answer


@require_safe
@from_replica
@vary_on_cookie
@cache_control(private=True, no_cache=True)
@condition(etag_func=_tag)
def export_text(request: HttpRequest, match_id: int) -> HttpResponse:
    """The match as text, to read and to paste into a mail."""
    shown, exported = _read_whole(request, match_id)
    written = text(shown, exported, shown.match.get_absolute_url(), lambda: shown.lines)
    answer = HttpResponse(written, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="match-{match_id}.txt"'
    return answer


@require_safe
@from_replica
@cache_control(public=True, max_age=YEAR, immutable=True)
def trace(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """The trace of an observation in an entry, for its animation (:mod:`games.kernel.trace`)."""
    entries = LogEntry.objects.filter(match_id=match_id, number=number, trace__isnull=False)
    stored_trace = entries.values_list("trace", flat=True).first()
    if stored_trace is None:
        raise Http404("This entry has no trace.")
    return JsonResponse(stored_trace)


@require_safe
@from_replica
@vary_on_cookie
@cache_control(private=True, no_cache=True)
@condition(etag_func=_tag)
def board(request: HttpRequest, match_id: int, number: int, kind: str) -> HttpResponse:
    """A position as a picture, ``?theme=light`` or ``dark``."""
    page = RecordPage.read(match_id, number, request.user)
    theme = request.GET.get("theme", "light")
    if theme not in PALETTES or kind not in TYPES:
        raise Http404("There is no such picture.")
    if kind == "png":
        limits.spend(request, "picture")
    make = pictures.png if kind == "png" else pictures.svg_document
    return HttpResponse(make(page.view.drawing, theme), content_type=TYPES[kind])
