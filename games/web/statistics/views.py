"""The statistics of a game and of a player, as counted by a scheduled task."""

from itertools import groupby
from operator import attrgetter

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.postgresql.replica import from_replica
from games.http.paging import page_of
from games.matches import listing
from games.statistics import openings, selectors
from games.statistics.models import Company
from games.web.match_rows import pages
from games.web.players import player_or_404
from games.web.statistics import page
from games.web.titles import title_or_404


@require_safe
@from_replica
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """The statistics of a game, among people, with bots, or with guests."""
    title = title_or_404(slug)
    company = _company(request)
    statistics = selectors.of_game(slug, company)
    figures = page.figures_of_game(title, statistics, timezone.now())
    context = {"meta": title.meta, "figures": figures, **_shared(company)}
    return render(request, "statistics/game.html", context)


@require_safe
@from_replica
def player(request: HttpRequest, name: str) -> HttpResponse:
    """The statistics of a player, among people, with bots, or with guests."""
    person = player_or_404(name)
    company = _company(request)
    statistics = selectors.of_player(person, company)
    figures = page.figures_of_player(statistics)
    if "openings" in request.GET:
        # They are read from matches, so only on request.
        figures += page.figures_of_openings(openings.of_player(person, company))
    context = {"person": person, "statistics": statistics, "figures": figures, **_shared(company)}
    return render(request, "statistics/player.html", context)


@require_safe
@from_replica
def head_to_head(request: HttpRequest, name: str, other: str) -> HttpResponse:
    """The results of two players against each other, and their matches."""
    person = player_or_404(name)
    opponent = player_or_404(other)
    if person == opponent:
        raise Http404(_("Nobody plays against themselves."))
    played = page_of(listing.ended_between(person, opponent), request, by="-seat_ended")
    met = selectors.of_pair(person, opponent)
    context = {
        "person": person,
        "opponent": opponent,
        "results": [(company, list(rows)) for company, rows in groupby(met, attrgetter("company"))],
        "counted": selectors.counted_until(),
        **pages({"page": played}, request.user),
    }
    return render(request, "statistics/head_to_head.html", context)


def _company(request: HttpRequest) -> Company:
    asked = request.GET.get("with", "")
    return Company(asked) if asked in Company.values else Company.PEOPLE


def _shared(company: Company) -> dict[str, object]:
    return {
        "companies": Company,
        "company": company,
        "counted": selectors.counted_until(),
    }
