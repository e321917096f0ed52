"""The rules of a game for players."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.web.rules.page import rules
from games.web.titles import title_or_404


def game_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game, with drawn examples."""
    title = title_or_404(slug)
    context = {"title": title, "meta": title.meta, "rules": rules(slug)}
    return render(request, "games/rules.html", context)
