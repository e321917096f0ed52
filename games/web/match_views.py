"""The page of a match and the doors through which its players change it."""

from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from accounts import notices
from accounts.requests import UserRequest
from games.kernel.errors import GameError, MalformedMove
from games.lobby import services as lobby
from games.match import entry, news, orders, services
from games.match import queue as queues
from games.match.change import Outcome
from games.match.errors import NoSuchMatch
from games.match.models import Match
from games.web.answers import status_of
from games.web.entry_panel import Typed
from games.web.forms import DiceForm
from games.web.match_page import MatchPage

PARTS = {"live": "match/live.html", "entry": "match/entry_part.html"}
"""The parts of the page that scripts ask for; all else gets the whole."""

View = Callable[..., HttpResponse]


class ChangeForm(forms.Form):
    """What every change of a match carries: the version it was made for, and an id of its own."""

    version = forms.IntegerField(min_value=0)
    submission = forms.UUIDField()


@require_safe
@cache_control(private=True, no_cache=True)
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """The match as the reader may see it, with the move as far as it has been entered."""
    page = _read(request, match_id, Typed.read(request.GET))
    if request.user.is_authenticated and page.own is not None:
        notices.mark_seen(recipient=request.user, place=news.place(match_id), now=timezone.now())
    refused = status_of(page.error) if page.error else HTTPStatus.OK
    return _answer(request, page, refused)


def _read(
    request: HttpRequest, match_id: int, typed: Typed, refusal: GameError | None = None
) -> MatchPage:
    try:
        return MatchPage.read(match_id, request.user, typed, refusal)
    except NoSuchMatch as unknown:
        raise Http404(str(unknown)) from unknown


def _answer(
    request: HttpRequest, page: MatchPage, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    part = request.GET.get("part") or ("live" if request.headers.get("HX-Request") else "")
    return render(request, PARTS.get(part, "match/match.html"), {"page": page}, status=status)


def _players_door(view: View) -> View:
    """Let only who is signed in through a door; others sign in and come to the page."""

    @wraps(view)
    def guarded(request: HttpRequest, match_id: int) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(reverse("match", args=[match_id]))
        return view(request, match_id)

    return require_POST(guarded)


def _change(
    request: UserRequest,
    match_id: int,
    service: Callable[..., Outcome],
    typed: Typed,
    **wishes: Any,
) -> HttpResponse:
    """Call a service with what a form sent; show the match after it, or why it was refused."""
    form = ChangeForm(request.POST)
    try:
        if not form.is_valid():
            raise MalformedMove("The form did not arrive whole. Please try again.")
        entry.check(wishes.get("texts", ()))
        service(
            match_id=match_id,
            user=request.user,
            now=timezone.now(),
            **form.cleaned_data,
            **wishes,
        )
    except GameError as refusal:
        return _refuse(request, _read(request, match_id, typed, refusal), refusal)
    if request.headers.get("HX-Request"):
        return _answer(request, _read(request, match_id, Typed()))
    return _see_other("match", match_id)


def _see_other(*to: Any) -> HttpResponse:
    """Send the reader to a page, by GET."""
    answer = redirect(*to)
    answer.status_code = HTTPStatus.SEE_OTHER
    return answer


def _refuse(request: HttpRequest, page: MatchPage, refusal: GameError) -> HttpResponse:
    """Show the page again with a refusal, but ask on after the beginning of a move."""
    if isinstance(refusal, MalformedMove) and page.is_unfinished and page.typed.words:
        return _see_other(page.address)
    return _answer(request, page, status_of(refusal))


@_players_door
def move(request: UserRequest, match_id: int) -> HttpResponse:
    """Play the moves of one submission."""
    typed = Typed.read(request.POST)
    texts = (*typed.moves, typed.text)
    return _change(request, match_id, services.play_move, typed, texts=texts)


def _action(service: Callable[..., Outcome], asked: str = "") -> View:
    """Return the door of a change that needs no words; ``asked`` is its question."""

    @_players_door
    def door(request: UserRequest, match_id: int) -> HttpResponse:
        return _change(request, match_id, service, Typed(asked=asked))

    return door


resign = _action(services.resign, "resign")
offer = _action(services.offer_close, "offer")
accept = _action(services.accept_close)
decline = _action(services.decline_close)
take_back = _action(services.take_back)
cancel = _action(services.cancel, "cancel")


def _leave(request: UserRequest, match_id: int, leave: Callable[[], None]) -> HttpResponse:
    """Leave something behind for later, and go back to the page and what is entered there."""
    try:
        leave()
    except GameError as refusal:
        page = _read(request, match_id, Typed.read(request.POST), refusal)
        return _answer(request, page, status_of(refusal))
    entered = request.headers.get("Referer", "").partition("#")[0].partition("?")[2]
    address = reverse("match", args=[match_id])
    return _see_other(f"{address}?{entered}#match-private")


@_players_door
def order(request: UserRequest, match_id: int) -> HttpResponse:
    """Give a standing order, or none."""
    name, now = request.POST.get("order", ""), timezone.now()
    give = partial(orders.give, match_id=match_id, user=request.user, name=name, now=now)
    return _leave(request, match_id, give)


@_players_door
def queue(request: UserRequest, match_id: int) -> HttpResponse:
    """Put down what is to follow, a move a line, or clear it."""
    lines = request.POST.get("queue", "").splitlines()
    texts = [line for line in lines if line.strip() and "clear" not in request.POST]
    put = partial(queues.put, match_id=match_id, user=request.user, texts=texts)
    return _leave(request, match_id, put)


def _dice(request: UserRequest) -> dict[str, Any]:
    """Read what the browser adds to the dice of a rematch; nothing where that cannot be read."""
    form = DiceForm(request.POST)
    if not form.is_valid():
        return {}
    given = {name: form.cleaned_data[name] for name in ("nonce", "nonce_commitment")}
    return {"pending": form.pending_of(request.user), **given}


@_players_door
def rematch(request: UserRequest, match_id: int) -> HttpResponse:
    """Ask for the same again, or say yes to who has asked."""
    ended = get_object_or_404(Match, pk=match_id)
    try:
        made = lobby.rematch(match=ended, user=request.user, now=timezone.now(), **_dice(request))
    except GameError as refusal:
        return _answer(request, _read(request, match_id, Typed(), refusal), status_of(refusal))
    if made.match_id:
        return _see_other("match", made.match_id)
    messages.success(request, "You have asked for a rematch.")
    return _see_other(made)
