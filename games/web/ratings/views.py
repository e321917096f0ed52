"""Leaderboards, the ratings of a player, and the preference about being listed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.limits import limited
from accounts.requests import UserRequest
from config.postgresql.replica import from_replica
from games.kernel import registry
from games.lobby.finding import is_for_two
from games.ratings import selectors
from games.study import puzzle_ratings
from games.web import cards
from games.web.players import player_or_404
from games.web.ratings.forms import LeaderboardFilter, ListedForm
from games.web.ratings.page import figures
from games.web.settings.views import SAVED, section
from games.web.titles import featured, title_or_404


@require_safe
@from_replica
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """The ratings of a game: established ones of people, unless the filters say otherwise."""
    title = title_or_404(slug)
    form = LeaderboardFilter(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    page = asked.get("page") or 1
    who = asked.get("who", "")
    board = selectors.leaderboard(
        slug,
        timezone.now(),
        page=page,
        name=asked.get("name", ""),
        with_provisional=who == "all",
        with_bots=who == "bots",
    )
    context = {
        "meta": title.meta,
        "has_ladder": is_for_two(title.meta),
        "form": form,
        "board": board,
        "newer": page - 1,
        "older": page + 1 if board.has_more else 0,
    }
    return render(request, "ratings/leaderboard.html", context)


@require_safe
@from_replica
@cache_control(public=True, max_age=cards.HOUR)
def leaderboard_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of a link to a leaderboard, 1200 × 630: the highest ratings."""
    meta = title_or_404(slug).meta
    board = selectors.leaderboard(slug, timezone.now())
    lines = [f"{place}. {row.user.shown_name}  {row.rating.number}" for place, row in board.places]
    return cards.picture(request, cards.of_game(slug, f"{meta.name} ratings", lines))


@require_safe
@from_replica
@cache_control(public=True, max_age=cards.HOUR)
def player_card(request: HttpRequest, name: str) -> HttpResponse:
    """The picture of a link to a profile, 1200 × 630: the ratings in the games played most."""
    person = player_or_404(name)
    titles = registry.titles()
    known = [one for one in selectors.of_player(person, timezone.now()) if one.title in titles]
    known.sort(key=lambda one: one.matches, reverse=True)
    lines = [f"{one.rating.number}  {titles[one.title].meta.name}" for one in known]
    slug = known[0].title if known else featured().meta.slug
    last = f"joined {date_format(person.date_joined, 'F Y')}"
    return cards.picture(request, cards.of_game(slug, person.username, lines, last))


@require_safe
@from_replica
def player(request: HttpRequest, name: str) -> HttpResponse:
    """The ratings of a player, each with its history."""
    person = player_or_404(name)
    standings = selectors.of_player(person, timezone.now())
    context = {
        "person": person,
        "figures": figures(person, standings),
        "puzzle_ratings": puzzle_ratings.of_player(person, request.user),
    }
    return render(request, "ratings/player.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def settings(request: UserRequest) -> HttpResponse:
    """Save whether the user is listed on leaderboards."""
    if request.method == "POST":
        form = ListedForm(request.POST)
        if form.is_valid():
            selectors.set_listed(request.user, is_listed=form.cleaned_data["is_listed"])
            messages.success(request, SAVED)
    return section("preferences", "ratings")
