"""Planning ahead: the page that shows each move on the board foreseen for it, and saves them."""

from dataclasses import dataclass, replace
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from accounts import limits
from accounts.requests import UserRequest
from games.http.errors import status_of
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches import selectors
from games.matches.plans import conditional, planning
from games.matches.play import move_input
from games.matches.table import Table
from games.matches.view.match_view import MatchView
from games.screen.entered import EnteredMove, enter
from games.screen.entry import Typed
from games.web import refusals
from games.web.redirects import see_other


@dataclass(frozen=True)
class PlanPage:
    """A match as foreseen after the ``planned`` moves, with one more being entered.

    ``phrases`` are those moves in words.
    """

    view: MatchView
    user: Any
    typed: Typed
    planned: tuple[str, ...]
    phrases: tuple[str, ...]
    refusal: GameError | None = None

    @classmethod
    def read(
        cls, match_id: int, user: Any, typed: Typed, refusal: GameError | None = None
    ) -> "PlanPage":
        """Read everything that the page shows.

        :raises NoSuchMatch: there is no such match.
        :raises Refused: the user has no seat in it, is to move already, or nothing can be foreseen.
        :raises RulesError: a planned move isn't legal in the position foreseen for it.
        """
        snapshot = selectors.snapshot(match_id)
        seat = snapshot.seat_for(user)
        planning.check_waits(snapshot.table, seat)
        move_input.check(typed.moves)
        foreseen, phrases = planning.next_turn(snapshot.table, seat, typed.moves)
        # without the log, as the current position reveals what its newest entry hides
        view = MatchView(foreseen, seat, ())
        entering = replace(typed, moves=())
        return cls(view, user, entering, typed.moves, tuple(phrases), refusal)

    @property
    def path(self) -> str:
        return reverse("match-plan", args=[self.view.match.pk])

    @cached_property
    def entered(self) -> EnteredMove:
        """The input for the next move, and the board with it."""
        view = self.view
        return EnteredMove(
            view.table,
            view.viewer,
            self.typed,
            self.path,
            lambda: view.drawing,
            self.refusal,
            self._enter,
        )

    def _enter(self, table: Table, seat: Seat, typed: Typed) -> move_input.MoveInput:
        entered = enter(table, seat, typed)
        goes_on = entered.preview is not None and planning.goes_on(table, seat, entered.preview)
        return replace(entered, moves=self.planned, phrases=self.phrases, goes_on=goes_on)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
@login_required
def plan(request: UserRequest, match_id: int) -> HttpResponse:
    """Show the board on which the next moves are planned. A POST saves them."""
    is_kept = request.method == "POST"
    opponents = selectors.opponents(match_id, request.user.pk)
    limits.spend(request, "plan" if is_kept else "preview", others=opponents)
    with refusals.AsMessage(request):
        return _keep(request, match_id) if is_kept else _show(request, match_id)
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
        if texts:
            conditional.plan_ahead(match_id=match_id, user=request.user, texts=texts)
        else:
            conditional.clear(match_id=match_id, user=request.user)
    except GameError as refusal:
        return _show(request, match_id, refusal)
    return see_other(f"{reverse('match', args=[match_id])}#match-private")
