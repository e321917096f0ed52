"""The statistics of a game and of a player: numbers that the clockwork has counted."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games.statistics import selectors
from games.statistics.models import Company
from games.web.statistics import page
from games.web.titles import title_or_404


@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """The statistics of a game, among people, with bots, or with guests."""
    title, company = title_or_404(slug), _company(request)
    found = selectors.of_game(slug, company)
    figures = page.figures_of_game(title, found, timezone.now())
    context = {"meta": title.meta, "figures": figures, **_shared(company)}
    return render(request, "statistics/game.html", context)


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """The statistics of a player, among people, with bots, or with guests."""
    person, company = User.objects.named(name), _company(request)
    if person is None:
        raise Http404(f"There is no player called {name}.")
    found = selectors.of_player(person, company)
    figures = page.figures_of_player(found)
    context = {"person": person, "found": found, "figures": figures, **_shared(company)}
    return render(request, "statistics/player.html", context)


def _company(request: HttpRequest) -> Company:
    asked = request.GET.get("with", "")
    return Company(asked) if asked in Company.values else Company.PEOPLE


def _shared(company: Company) -> dict[str, object]:
    return {
        "companies": Company,
        "company": company,
        "counted": selectors.counted_until(),
    }
