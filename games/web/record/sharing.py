"""Sharing a position: what to copy, the page that other sites embed, the picture of links."""

from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from config.postgresql.replica import from_replica
from games.kernel.palettes import PALETTES
from games.matches.view import cards
from games.web.cards import HOUR, picture
from games.web.record.animation import THEMES, StretchForm
from games.web.record.page import RecordPage

WIDTH, HEIGHT = 480, 640
"""The size of the frame for an embedded position, in pixels."""


@require_safe
@from_replica
@cache_control(private=True, no_cache=True)
def share(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Show what to copy for a position: its address, its pictures, and the lines that embed it."""
    page = RecordPage.read(match_id, number, request.user)
    form = None if page.view.match.is_running else StretchForm.around(page.snapshot.match, number)
    size = {"width": WIDTH, "height": HEIGHT}
    context = {"page": page, "view": page.view, "themes": THEMES, "form": form, **size}
    return render(request, "match/sharing.html", context)


@require_safe
@from_replica
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # views have arguments
@cache_control(public=True, max_age=HOUR)
def embed(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """A position for other sites to embed, always as a spectator sees it.

    It has no forms and no scripts, so that nothing can be clicked in a user's name.
    """
    page = RecordPage.read(match_id, number, AnonymousUser())
    theme = request.GET.get("theme", "")
    context = {"page": page, "view": page.view, "theme": theme if theme in PALETTES else ""}
    return render(request, "match/embedded.html", context)


@require_safe
@from_replica
@cache_control(public=True, max_age=HOUR)
def card(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Show the picture of a link to a position, 1200 × 630, as spectators see it."""
    page = RecordPage.read(match_id, number, AnonymousUser())
    return picture(request, cards.of_match(page.view, number, page.stage))
