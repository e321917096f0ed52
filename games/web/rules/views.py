"""The rules of a game for players."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.web.rules.page import brief, rules
from games.web.titles import title_or_404


@require_safe
def game_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game, with drawn examples."""
    title = title_or_404(slug)
    context = {"title": title, "meta": title.meta, "rules": rules(slug)}
    return render(request, "games/rules.html", context)


@require_safe
def game_brief(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game on one screen, as a part of another page; empty if it has none."""
    title = title_or_404(slug)
    return render(request, "games/brief.html", {"meta": title.meta, "brief": brief(slug)})
