"""The achievements of a game and of the site."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from config.postgresql.replica import from_replica
from games.achievements import selectors
from games.achievements.site import SITE
from games.kernel import registry
from games.web.titles import title_or_404


@require_safe
@from_replica
def of_game(request: HttpRequest, slug: str) -> HttpResponse:
    """List the achievements of a game, the rarest first, with those that the reader has."""
    meta = title_or_404(slug).meta
    context = {"meta": meta, "achievements": selectors.all_of(slug, _reader(request.user))}
    return render(request, "achievements/achievements.html", context)


@require_safe
@from_replica
def of_site(request: HttpRequest) -> HttpResponse:
    """List the achievements of the site, and lead to those of each game."""
    titles = [title.meta for title in registry.titles().values() if title.achievements]
    context = {
        "meta": None,
        "achievements": selectors.all_of(SITE, _reader(request.user)),
        "games": titles,
    }
    return render(request, "achievements/achievements.html", context)


def _reader(user: Any) -> User | None:
    return user if isinstance(user, User) and not user.is_guest else None
