"""Planning ahead: the page on which moves are planned, and the form that keeps them."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from accounts import limits
from accounts.requests import UserRequest
from games.http.errors import status_of
from games.http.redirects import see_other
from games.kernel.errors import GameError
from games.matches import selectors
from games.matches.errors import NoSuchMatch
from games.matches.plans import conditional
from games.web.match.entry import Typed
from games.web.match.plan import PlanPage


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
@login_required
def plan(request: UserRequest, match_id: int) -> HttpResponse:
    """The board on which the next moves are planned; a POST keeps them."""
    is_kept = request.method == "POST"
    opponents = selectors.opponents(match_id, request.user.pk)
    limits.spend(request, "plan" if is_kept else "preview", others=opponents)
    try:
        return _keep(request, match_id) if is_kept else _show(request, match_id)
    except NoSuchMatch as unknown:
        raise Http404(str(unknown)) from unknown
    except GameError as refusal:
        messages.error(request, str(refusal))
        return redirect("match", match_id)


def _show(request: HttpRequest, match_id: int, refusal: GameError | None = None) -> HttpResponse:
    query = request.GET if refusal is None else request.POST
    page = PlanPage.read(match_id, request.user, Typed.read(query), refusal)
    error = page.entered.error
    status = status_of(error) if error else HTTPStatus.OK
    is_part = request.GET.get("part") == "entry"
    template = "match/plan_part.html" if is_part else "match/plan.html"
    return render(request, template, {"page": page, "view": page.view}, status=status)


def _keep(request: UserRequest, match_id: int) -> HttpResponse:
    typed = Typed.read(request.POST)
    texts = [*typed.moves, *filter(None, [typed.text])]
    try:
        conditional.put(match_id=match_id, user=request.user, texts=texts, foreseen=True)
    except GameError as refusal:
        return _show(request, match_id, refusal)
    return see_other(f"{reverse('match', args=[match_id])}#match-private")
