"""The ladder of a game: its page, joining, leaving, and challenging a player above.

With a ``club_id`` it is the ladder of a club's members.
"""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe
from django_stubs_ext import StrOrPromise

from accounts import limits
from accounts.models import User
from accounts.requests import UserRequest
from games.clubs import selectors as clubs
from games.clubs.models import Club
from games.clubs.selectors import may_look_inside, membership
from games.kernel.contract import Meta
from games.ladders import selectors, services
from games.lobby.finding import is_for_two
from games.matches import formatting
from games.web import cards, refusals
from games.web.players import player_or_404
from games.web.titles import title_or_404

JOINED = gettext_lazy("You are on the ladder.")
LEFT = gettext_lazy("You have left the ladder.")


def ladder_meta(slug: str) -> Meta:
    """Return the facts of a game that has a ladder.

    :raises Http404: there is no such game, or two can't play it.
    """
    meta = title_or_404(slug).meta
    if not is_for_two(meta):
        raise Http404(_("{game} has no ladder.").format(game=meta.name))
    return meta


def _club(request: HttpRequest, slug: str, club_id: int | None) -> Club | None:
    """Return the club of a ladder. None for that of the whole site.

    :raises Http404: the club has no ladder of this game, or is closed to the reader.
    """
    ladder_meta(slug)
    if club_id is None:
        return None
    club = clubs.get(club_id)
    if selectors.club_ladder(slug, club) is None or not may_look_inside(club, request.user):
        raise Http404(_("This club has no such ladder."))
    return club


@require_safe
def ladder(request: HttpRequest, slug: str, club_id: int | None = None) -> HttpResponse:
    """Show the places of a ladder, its rules, and what the reader can do."""
    meta = ladder_meta(slug)
    club = _club(request, slug, club_id)
    reader = request.user if isinstance(request.user, User) else None
    shown = selectors.view(slug, reader, timezone.now(), club_id)
    context = {
        "meta": meta,
        "club": club,
        "club_own": membership(club, reader) if club and reader else None,
        "ladder": shown,
        "cannot_join": services.cannot_join(reader) if reader and not shown.own else "",
        "clock": formatting.clock(services.CLOCK),
        "reach": selectors.REACH,
        "answer_days": selectors.ANSWER.days,
        "rest_days": selectors.REST.days,
        "idle_days": selectors.IDLE.days,
        "most": selectors.MOST,
    }
    return render(request, "ladders/ladder.html", context)


@require_safe
@cache_control(public=True, max_age=cards.HOUR)
def ladder_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of a link to a ladder, 1200 × 630: who is at the top."""
    meta = ladder_meta(slug)
    places = selectors.places(slug)
    lines = [f"{one.position}. {one.user.shown_name}" for one in places[: cards.LINES]]
    count = places.count()
    last = ngettext("{count} player", "{count} players", count).format(count=count) if lines else ""
    heading = _("{game} ladder").format(game=meta.name)
    return cards.picture(request, cards.of_game(slug, heading, lines, last))


@login_required
@require_POST
def join(request: UserRequest, slug: str, club_id: int | None = None) -> HttpResponse:
    return _changed(request, slug, club_id, services.join, JOINED)


@login_required
@require_POST
def leave(request: UserRequest, slug: str, club_id: int | None = None) -> HttpResponse:
    return _changed(request, slug, club_id, services.leave, LEFT)


def _changed(
    request: UserRequest,
    slug: str,
    club_id: int | None,
    act: Callable[..., None],
    done: StrOrPromise,
) -> HttpResponse:
    """Change the user's place and go back to the ladder. A refusal is a message."""
    club = _club(request, slug, club_id)
    limits.spend(request, "challenge")
    with refusals.AsMessage(request):
        act(user=request.user, title=slug, club_id=club_id, now=timezone.now())
        messages.success(request, str(done))
    return _to_ladder(slug, club)


def _to_ladder(slug: str, club: Club | None) -> HttpResponse:
    return redirect("club-ladder", club.pk, slug) if club else redirect("game-ladder", slug)


@login_required
@require_POST
def challenge(request: UserRequest, slug: str, club_id: int | None = None) -> HttpResponse:
    """Challenge the named player. Go to the challenge, or to the match if a bot accepts it."""
    club = _club(request, slug, club_id)
    other = player_or_404(request.POST.get("player", "").replace("\0", ""))
    limits.spend(request, "invite", others=[other.pk])
    with refusals.AsMessage(request):
        made = services.challenge(
            user=request.user, other=other, title=slug, club_id=club_id, now=timezone.now()
        ).challenge
        made.refresh_from_db()
        return redirect(made.match or made)
    return _to_ladder(slug, club)


@login_required
@require_POST
@limits.limited("lead-club")
def found(request: UserRequest, club_id: int, slug: str) -> HttpResponse:
    """Found the ladder of a game for the members of a club, as its leader."""
    ladder_meta(slug)
    with refusals.AsMessage(request):
        services.found(club_id=club_id, leader=request.user, title=slug, now=timezone.now())
        messages.success(request, _("The ladder is open to the members of the club."))
        return redirect("club-ladder", club_id, slug)
    return redirect("club", club_id)


@login_required
@require_POST
@limits.limited("lead-club")
def close(request: UserRequest, club_id: int, slug: str) -> HttpResponse:
    """Close a ladder of a club, as its leader."""
    _club(request, slug, club_id)
    with refusals.AsMessage(request):
        services.close(club_id=club_id, leader=request.user, title=slug, now=timezone.now())
        messages.success(request, _("The ladder is closed."))
    return redirect("club", club_id)
