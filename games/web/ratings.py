"""Leaderboards, and the ratings of a player."""

from collections.abc import Sequence

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts import dates
from accounts.models import User
from config.postgresql.replica import from_replica
from games.kernel import registry
from games.lobby.finding import is_for_two
from games.ratings import selectors
from games.ratings.calculation import Strength
from games.ratings.models import RatingChange
from games.ratings.selectors import PlayerRating
from games.study import puzzle_ratings
from games.web import cards
from games.web.players import player_or_404
from games.web.statistics import charts
from games.web.statistics.page import Figure
from games.web.titles import featured, title_or_404

MAX_PAGES = 1000


class LeaderboardFilter(forms.Form):
    """Which players are listed."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    who = forms.ChoiceField(
        label=gettext_lazy("Players"),
        choices=[
            ("", pgettext_lazy("ratings", "Established")),
            ("all", gettext_lazy("Provisional too")),
            ("bots", gettext_lazy("Bots too")),
        ],
        required=False,
    )
    page = forms.IntegerField(
        min_value=1, max_value=MAX_PAGES, required=False, widget=forms.HiddenInput
    )

    def clean_name(self) -> str:
        """Return the name without characters that no database can hold."""
        return str(self.cleaned_data["name"]).replace("\0", "")


CHARTED = 200
"""Maximum number of matches in a chart, the latest ones."""

LISTED = 50
"""Maximum number of matches in the table below it."""

LEAST_CHARTED = 2


def figures(person: User, standings: Sequence[PlayerRating]) -> list[Figure]:
    """Return the history of each rating of a player."""
    return [_figure(person, standing) for standing in standings]


def most_played(person: User, standings: Sequence[PlayerRating]) -> Figure | None:
    """Return the history of the rating in the game played most. ``None`` without a chart."""
    most = max(standings, key=lambda standing: standing.matches, default=None)
    if most is None or most.matches < LEAST_CHARTED:
        return None
    return _figure(person, most)


def _figure(person: User, standing: PlayerRating) -> Figure:
    latest = selectors.history(person, standing.title).order_by("-ended", "-match")
    changes = list(latest[:CHARTED])[::-1]
    titles = registry.titles()
    name = titles[standing.title].meta.name if standing.title in titles else standing.title
    points = [(change.ended, round(change.mu)) for change in changes]
    return Figure(
        key=f"history-{standing.title}",
        heading=name,
        note=in_words(standing),
        head=(
            _("Match"),
            pgettext("match", "Ended"),
            pgettext("rating", "Before"),
            pgettext("rating", "After"),
            pgettext("rating", "Change"),
        ),
        rows=[_row(change) for change in changes[::-1][:LISTED]],
        picture=charts.line(points, _("Rating in {game} over time").format(game=name))
        if len(points) >= LEAST_CHARTED
        else None,
    )


def in_words(standing: PlayerRating) -> str:
    """Describe a rating in a sentence or two."""
    rating = standing.rating
    if rating.is_provisional:
        words = ngettext(
            "{rating} ± {deviation}, {level}, provisional, after {count} rated match.",
            "{rating} ± {deviation}, {level}, provisional, after {count} rated matches.",
            standing.matches,
        )
    else:
        words = ngettext(
            "{rating} ± {deviation}, {level}, after {count} rated match.",
            "{rating} ± {deviation}, {level}, after {count} rated matches.",
            standing.matches,
        )
    sentence = words.format(
        rating=rating.number,
        deviation=rating.deviation,
        level=rating.shown_level,
        count=standing.matches,
    )
    if standing.percentile is None:
        return sentence
    higher = _("Higher than {number} % of the other established players.")
    return f"{sentence} {higher.format(number=standing.percentile)}"


def _row(change: RatingChange) -> tuple[object, ...]:
    before = selectors.shown(Strength(change.mu_before, change.sigma_before))
    shown = selectors.RatingDifference("", before, selectors.shown(change.strength))
    address = reverse("match", args=[change.match_id])
    return (
        format_html('<a href="{}">{}</a>', address, change.match_id),
        dates.brief_day(change.ended),
        shown.before.number,
        shown.after.number,
        shown.signed,
    )


@require_safe
@from_replica
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """The ratings of a game: established ones of people, unless the filters say otherwise."""
    title = title_or_404(slug)
    form = LeaderboardFilter(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    who = asked.get("who", "")
    page = selectors.leaderboard(
        slug,
        timezone.now(),
        page=asked.get("page") or 1,
        name=asked.get("name", ""),
        with_provisional=who == "all",
        with_bots=who == "bots",
    )
    context = {
        "meta": title.meta,
        "has_ladder": is_for_two(title.meta),
        "form": form,
        "page": page,
    }
    return render(request, "ratings/leaderboard.html", context)


@require_safe
@from_replica
@cache_control(public=True, max_age=cards.HOUR)
def leaderboard_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of a link to a leaderboard, 1200 × 630: the highest ratings."""
    meta = title_or_404(slug).meta
    board = selectors.leaderboard(slug, timezone.now())
    lines = [f"{place}. {row.user.shown_name}  {row.rating.number}" for place, row in board.items]
    return cards.picture(
        request, cards.of_game(slug, _("{game} ratings").format(game=meta.name), lines)
    )


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
    last = _("joined {date}").format(date=dates.month(person.date_joined))
    return cards.picture(request, cards.of_game(slug, person.username, lines, last))


@require_safe
@from_replica
def player(request: HttpRequest, name: str) -> HttpResponse:
    person = player_or_404(name)
    standings = selectors.of_player(person, timezone.now())
    context = {
        "person": person,
        "figures": figures(person, standings),
        "puzzle_ratings": puzzle_ratings.of_player(person, request.user),
    }
    return render(request, "ratings/player.html", context)
