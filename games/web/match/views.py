"""The page of a match, and its players' changes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import limits, notifications
from accounts.delivery import muting
from accounts.limits import limited
from accounts.optional import optional_write
from accounts.requests import UserRequest
from games.http.errors import TooFast, status_of
from games.kernel.errors import GameError, MalformedMove
from games.lobby import services as lobby
from games.matches import selectors, services
from games.matches.models import Match
from games.matches.notify import notifications as match_notifications
from games.matches.plans import conditional, orders
from games.matches.play import move_input
from games.matches.update import Outcome
from games.screen.entry import NOTHING_TYPED, Typed
from games.screen.match_parts import is_beginning
from games.screen.page import MatchPage
from games.web.lobby.forms import DiceForm
from games.web.redirects import see_other
from games.web.talk.panel import ChatPanel

PARTS = {"live": "match/live.html", "entry": "match/entry_part.html"}
"""The templates of the parts that scripts request: all that can change, or what changes while a
move is entered.
"""

View = Callable[..., HttpResponse]


class ChangeForm(forms.Form):
    """The version of the match for which a change was made, and its submission id."""

    version = forms.IntegerField(min_value=0)
    submission = forms.UUIDField()


class LineForm(forms.Form):
    """The version of the match for which a line was planned."""

    version = forms.IntegerField(min_value=0)


@dataclass(frozen=True)
class ChangeFields:
    """The fields of each of those forms."""

    version: int

    @property
    def submission(self) -> UUID:
        """A new id for each form."""
        return uuid4()


@require_safe
@cache_control(private=True, no_cache=True)
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the match as the user may see it, with the user's input."""
    typed = Typed.read(request.GET)
    if request.user.is_authenticated and typed != NOTHING_TYPED:
        try:
            limits.spend(request, "preview")
        except limits.TooMany as refusal:
            return _too_fast(request, match_id, refusal)
    page = _read(request, match_id, typed)
    if request.user.is_authenticated and page.view.own is not None:
        with optional_write("which notifications were seen"):
            notifications.mark_seen(
                recipient=request.user,
                page_keys=[match_notifications.page_key(match_id)],
                now=timezone.now(),
            )
    refused = status_of(page.entered.error) if page.entered.error else HTTPStatus.OK
    return _answer(request, page, refused)


def _read(
    request: HttpRequest, match_id: int, typed: Typed, refusal: GameError | None = None
) -> MatchPage:
    return MatchPage.read(match_id, request.user, typed, refusal)


def _answer(
    request: HttpRequest, page: MatchPage, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    view = page.view
    context = {
        "page": page,
        "view": view,
        "fields": ChangeFields(view.match.version),
        "chat": None,
    }
    part = request.GET.get("part", "")
    if part in PARTS:
        return render(request, PARTS[part], {**context, "is_part": True}, status=status)
    context["chat"] = ChatPanel(page.snapshot.match, page.snapshot.players, request.user, request)
    return render(request, "match/match.html", context, status=status)


def _player_action(limit: str) -> Callable[[View], View]:
    """Limit signed-in users' POSTs by ``limit`` of ``FORM_LIMITS``.

    Others are sent to the sign-in page and come back to the match.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, match_id: int) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(reverse("match", args=[match_id]))
            try:
                opponents = selectors.opponents(match_id, request.user.pk)
                limits.spend(request, limit, others=opponents)
            except limits.TooMany as refusal:
                return _too_fast(request, match_id, refusal)
            return view(request, match_id)

        return require_POST(guarded)

    return decorate


def _too_fast(request: HttpRequest, match_id: int, refusal: limits.TooMany) -> HttpResponse:
    """Return the page with a refusal to its scripts. Others get the page for status 429.

    :raises TooMany: the request wasn't made by a script of the page.
    """
    if "part" not in request.GET:
        raise refusal
    error = TooFast(refusal.wait)
    answer = _answer(request, _read(request, match_id, Typed(), error), status_of(error))
    answer.headers["Retry-After"] = str(refusal.wait)
    return answer


def _change(
    request: UserRequest,
    match_id: int,
    service: Callable[..., Outcome],
    typed: Typed,
    **arguments: Any,
) -> HttpResponse:
    """Call a service with a form's data, and show the match after it, or the refusal."""
    form = ChangeForm(request.POST)
    try:
        if not form.is_valid():
            raise MalformedMove(_("The form did not arrive whole. Please try again."))
        move_input.check(arguments.get("texts", ()))
        service(
            match_id=match_id,
            user=request.user,
            now=timezone.now(),
            **form.cleaned_data,
            **arguments,
        )
    except GameError as refusal:
        page = _read(request, match_id, typed, refusal)
        if is_beginning(page, refusal):  # show how it can go on
            return see_other(page.entered.address)
        return _answer(request, page, status_of(refusal))
    if "part" in request.GET:
        return _answer(request, _read(request, match_id, Typed()))
    return see_other("match", match_id)


@_player_action("move")
def move(request: UserRequest, match_id: int) -> HttpResponse:
    typed = Typed.read(request.POST)
    texts = (*typed.moves, typed.text)
    return _change(request, match_id, services.play_move, typed, texts=texts)


def _action(service: Callable[..., Outcome], limit: str, asked: str = "") -> View:
    """Return the view of a change without a move. ``asked`` names it if it needs confirmation."""

    @_player_action(limit)
    def action(request: UserRequest, match_id: int) -> HttpResponse:
        return _change(request, match_id, service, Typed(asked=asked))

    return _confirm_on_get(action, asked) if asked else action


def _confirm_on_get(action: View, asked: str) -> View:
    """Redirect GET requests for an action to its confirmation."""

    @require_http_methods(["GET", "HEAD", "POST"])
    def view(request: HttpRequest, match_id: int) -> HttpResponse:
        if request.method == "POST":
            return action(request, match_id)
        return redirect(f"{reverse('match', args=[match_id])}?ask={asked}")

    return view


resign = _action(services.resign, "end", "resign")
offer = _action(services.offer_close, "offer", "offer")
pause = _action(services.offer_pause, "offer", "pause")
offer_cancel = _action(services.offer_cancel, "offer", "offer-cancel")
offer_take_back = _action(services.offer_take_back, "offer", "offer-take-back")
give_time = _action(services.give_time, "offer")
end_pause = _action(services.end_pause, "reply")
accept = _action(services.accept_offer, "reply")
decline = _action(services.decline_offer, "reply")
take_back = _action(services.take_back, "take-back")
cancel = _action(services.cancel, "end", "cancel")


def _store(request: UserRequest, match_id: int, store: Callable[[], None]) -> HttpResponse:
    """Store a queue or a standing order, and go back to the page with what is entered there.

    The drawer opens again, unless the button stood in the action area.
    """
    try:
        store()
    except GameError as refusal:
        page = _read(request, match_id, Typed.read(request.POST), refusal)
        return _answer(request, page, status_of(refusal))
    entered = request.headers.get("Referer", "").partition("#")[0].partition("?")[2]
    address = reverse("match", args=[match_id])
    anchor = "" if "beside_entry" in request.POST else "#match-private"
    return see_other(f"{address}?{entered}{anchor}")


@_player_action("plan")
def order(request: UserRequest, match_id: int) -> HttpResponse:
    name = request.POST.get("order", "")
    now = timezone.now()
    give = partial(orders.give, match_id=match_id, user=request.user, name=name, now=now)
    return _store(request, match_id, give)


@_player_action("plan")
def queue(request: UserRequest, match_id: int) -> HttpResponse:
    """Store a queue, a move on each line, or clear it."""
    how: dict[str, Any] = {"match_id": match_id, "user": request.user}
    texts = [line for line in request.POST.get("queue", "").splitlines() if line.strip()]
    if "clear" in request.POST or not texts:
        return _store(request, match_id, partial(conditional.clear, **how))
    return _store(request, match_id, partial(conditional.queue_moves, **how, texts=texts))


@_player_action("plan")
def lines(request: UserRequest, match_id: int) -> HttpResponse:
    """Add a line to the plan, a move on each line of text. With ``remove``, remove it."""
    texts = request.POST.get("line", "").splitlines()
    how: dict[str, Any] = {"match_id": match_id, "user": request.user}
    if "remove" in request.POST:
        return _store(request, match_id, partial(conditional.remove, **how, line=texts))
    form = LineForm(request.POST)
    version = form.cleaned_data["version"] if form.is_valid() else -1
    add = partial(conditional.add_line, **how, texts=texts, version=version)
    return _store(request, match_id, add)


def _dice(request: UserRequest) -> dict[str, Any]:
    """Return the browser's contribution to the dice of a rematch. Empty if it is invalid."""
    form = DiceForm(request.POST)
    if not form.is_valid():
        return {}
    dice = {name: form.cleaned_data[name] for name in ("nonce", "nonce_commitment")}
    return {"pending": form.pending_of(request.user), **dice}


@_player_action("rematch")
def rematch(request: UserRequest, match_id: int) -> HttpResponse:
    """Ask for a rematch or accept one. With ``decline`` in the form decline or withdraw it.

    Both players stay on the page of the ended match until the rematch has begun.
    """
    ended = get_object_or_404(Match, pk=match_id)
    now = timezone.now()
    try:
        if "decline" in request.POST:
            lobby.decline_rematch(match=ended, user=request.user, now=now)
            return see_other("match", match_id)
        made = lobby.rematch(match=ended, user=request.user, now=now, **_dice(request))
    except GameError as refusal:
        return _answer(request, _read(request, match_id, Typed(), refusal), status_of(refusal))
    return see_other("match", made.match_id or match_id)


@login_required
@require_POST
@limited("profile")
def mute(request: UserRequest, match_id: int) -> HttpResponse:
    """Mute a match, or unmute it with ``unmute`` in the form."""
    muted = get_object_or_404(Match, pk=match_id)
    key = match_notifications.page_key(match_id)
    if "unmute" in request.POST:
        muting.unmute(request.user, key)
        messages.success(request, _("You get emails about this match again."))
    else:
        muting.mute(request.user, key, now=timezone.now())
        messages.success(
            request, _("Muted: no emails about this match, unless your time runs short.")
        )
    return redirect(muted)
