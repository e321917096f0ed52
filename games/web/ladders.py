"""The ladder of a game: its page, joining, leaving, and challenging a player above."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts.models import User
from accounts.requests import UserRequest
from games.kernel.contract import Meta
from games.kernel.errors import GameError
from games.ladders import selectors, services
from games.lobby.finding import is_for_two
from games.matches import formatting
from games.web import cards
from games.web.players import player_or_404
from games.web.titles import title_or_404

JOINED = "You are on the ladder."
LEFT = "You have left the ladder."


def ladder_meta(slug: str) -> Meta:
    """Return the facts of a game that has a ladder.

    :raises Http404: there is no such game, or two can't play it.
    """
    meta = title_or_404(slug).meta
    if not is_for_two(meta):
        raise Http404(f"{meta.name} has no ladder.")
    return meta


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the places of a ladder, its rules, and what the reader can do."""
    meta = ladder_meta(slug)
    reader = request.user if isinstance(request.user, User) else None
    context = {
        "meta": meta,
        "ladder": selectors.view(slug, reader, timezone.now()),
        "cannot_join": services.cannot_join(reader) if reader else "",
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
    last = formatting.counted(places.count(), "player") if lines else ""
    return cards.picture(request, cards.of_game(slug, f"{meta.name} ladder", lines, last))


@login_required
@require_POST
def join(request: UserRequest, slug: str) -> HttpResponse:
    return _changed(request, slug, services.join, JOINED)


@login_required
@require_POST
def leave(request: UserRequest, slug: str) -> HttpResponse:
    return _changed(request, slug, services.leave, LEFT)


def _changed(request: UserRequest, slug: str, act: Callable[..., None], done: str) -> HttpResponse:
    """Change the user's place and go back to the ladder. A refusal is a message."""
    ladder_meta(slug)
    limits.spend(request, "challenge")
    try:
        act(user=request.user, title=slug, now=timezone.now())
    except GameError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, done)
    return redirect("game-ladder", slug)


@login_required
@require_POST
def challenge(request: UserRequest, slug: str) -> HttpResponse:
    """Challenge the named player. Go to the challenge, or to the match if a bot accepts it."""
    ladder_meta(slug)
    other = player_or_404(request.POST.get("player", "").replace("\0", ""))
    limits.spend(request, "invite", others=[other.pk])
    try:
        made = services.challenge(
            user=request.user, other=other, title=slug, now=timezone.now()
        ).challenge
    except GameError as refusal:
        messages.error(request, str(refusal))
        return redirect("game-ladder", slug)
    made.refresh_from_db()
    return redirect(made.match or made)
