"""Lists of matches: the user's own, a player's, all."""

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts import blocks
from accounts.requests import UserRequest
from accounts.sanctions import standing
from config.postgresql.replica import from_replica
from games.achievements import selectors as achievements
from games.bots import users as bots
from games.clubs import selectors as clubs
from games.events.selectors import titles_of
from games.http import activity
from games.http.archive import RUNNING, ArchiveFilter
from games.http.paging import page_of
from games.ladders import selectors as ladders
from games.lobby import follows, reliability
from games.lobby import selectors as lobby
from games.matches import listing
from games.ratings import selectors as ratings
from games.web.lists.badges import badges
from games.web.match_rows import pages, rows
from games.web.players import player_or_404
from games.web.ratings import most_played
from games.web.study.habits import of_player as habits_of

SHORT_LIST = 10

WON_SHOWN = 10
"""Maximum number of titles that a profile shows."""

CLUBS_SHOWN = 10
"""Maximum number of clubs that a profile shows."""

ACTIVITY_SHOWN = 6
"""Maximum number of events that a profile shows."""

_short = partial(page_of, length=SHORT_LIST)


@login_required
@require_safe
def my_matches(request: UserRequest) -> HttpResponse:
    """Show the user's matches: those that wait for the user first, the most urgent on top."""
    user = request.user
    lists = {
        "waiting": page_of(listing.waiting(user), request, by="due", key="waiting"),
        "playing": _short(listing.playing(user), request, by="-latest", key="playing"),
        "ended": _short(listing.ended(user), request, by="-seat_ended", key="ended"),
    }
    context = pages(lists, user)
    received, made = lobby.received_and_made(user, SHORT_LIST)
    is_new = not any((*(page.items for page in lists.values()), received, made))
    challenges = {"received": received, "made": made, "is_new": is_new}
    return render(request, "my_matches/my_matches.html", {**context, **challenges})


@login_required
@require_safe
def next_match(request: UserRequest) -> HttpResponse:
    """Go to the next match that waits for the user, after the match ``after``."""
    after = request.GET.get("after", "")
    waiting = list(listing.waiting(request.user).values_list("pk", flat=True))
    ahead = waiting[waiting.index(int(after)) + 1 :] if after in map(str, waiting) else []
    following = next(iter(ahead or waiting), None)
    return redirect("match", following) if following else redirect("my-matches")


@require_safe
@from_replica
def player(request: HttpRequest, name: str) -> HttpResponse:
    reader = request.user
    person = player_or_404(name, reader)
    lists = {
        "running": _short(listing.running(person), request, by="-latest", key="running"),
        "ended": _short(listing.ended(person), request, by="-seat_ended", key="ended"),
    }
    shown = pages(lists, request.user)
    counted = listing.results_by_title(person)
    results = {
        "results": [row for row in counted if not row.with_bots],
        "bot_results": [row for row in counted if row.with_bots],
    }
    blockers = set[int]()
    is_followed = False
    if reader.is_authenticated and reader != person:
        blockers = blocks.blockers(reader, person)
        is_followed = follows.is_following(reader, person)
    now = timezone.now()
    known = None if person.is_bot else reliability.of(person, now)
    standings = ratings.of_player(person, now)
    context = {
        "person": person,
        "about": bots.about(person),
        "is_blocked": reader.pk in blockers,
        "restriction": standing.refusal(person, now),
        "reliability": known,
        "ratings": standings,
        "rating_chart": most_played(person, standings),
        "clubs": clubs.shown_on_profile(person, reader)[:CLUBS_SHOWN],
        "won": titles_of(person)[:WON_SHOWN],
        **results,
        # Who has achieved something has played a rated match.
        "achieved": achievements.of_player(person) if standings else [],
        "activity": activity.of_people([person.pk])[:ACTIVITY_SHOWN],
        "badges": badges(results["results"], ladders.standing(person)),
        "own_habits": habits_of(person) if reader == person else None,
        **shown,
    }
    context |= {"is_followed": is_followed, "may_follow": not blockers}
    return render(request, "player/player.html", context)


@require_safe
@from_replica
def archive(request: HttpRequest) -> HttpResponse:
    """All matches, by game, player, result, ending, parameters and date."""
    form = ArchiveFilter(request.GET)
    matches, among = form.kept()
    page = page_of(matches, request, by=f"-{form.moment}", among=among)
    rows_of_page = page.shown_as(lambda matches: rows(matches, request.user))
    context = {"form": form, "page": rows_of_page, "all_ended": form.which != RUNNING}
    return render(request, "archive/archive.html", context)
