"""The rules pages of a game."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.screen import rules
from games.web.titles import title_or_404


@require_safe
def game_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game, with drawn examples."""
    title = title_or_404(slug)
    context = {"title": title, "meta": title.meta, "rules": rules.rules(slug)}
    return render(request, "games/rules.html", context)


@require_safe
def game_brief(request: HttpRequest, slug: str) -> HttpResponse:
    """The goal, three pictures and the rules of a game on one screen, for the drawer of a match."""
    title = title_or_404(slug)
    context = {"meta": title.meta, "brief": rules.brief(slug), "pictures": rules.pictures(slug)}
    return render(request, "games/brief.html", context)
