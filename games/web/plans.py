"""The user's plans, standing orders and renewing challenges, each with a way to end it."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited
from accounts.models import User
from accounts.requests import UserRequest
from games.lobby import renewals
from games.matches import listing
from games.matches.errors import NoSuchMatch, NotAPlayer, Unreadable
from games.matches.models import ConditionalMoves, Player, StandingOrder
from games.matches.plans import conditional, orders
from games.matches.plans.lines import WHATEVER, Lines
from games.matches.play import move_input
from games.matches.view.match_view import MatchView
from games.web.match_rows import rows


@dataclass(frozen=True)
class PlannedMatch:
    """The user's plan and standing order in a match.

    ``order`` is the standing order in words, empty without one.
    """

    row: MatchView
    plan: ConditionalMoves | None
    order: str

    @property
    def lines(self) -> list[str]:
        lines = conditional.lines_of(self.plan) if self.plan else Lines()
        moves = lines.unconditional_moves()
        if moves:
            return [move_input.in_order(moves)]
        words = {WHATEVER: _("whatever they play")}
        return [", ".join(words.get(text, text) for text in one) for one in lines.all_lines()]


@login_required
@never_cache
@require_safe
def plans(request: UserRequest) -> HttpResponse:
    kept = renewals.of(request.user)
    context = {
        "left": _planned(request.user),
        "standing": [(challenge, renewals.running(challenge)) for challenge in kept],
    }
    return render(request, "my_matches/plans.html", context)


def _planned(user: User) -> list[PlannedMatch]:
    seats = Player.objects.filter(user=user, plans=True).values("match")
    matches = listing.running(user).filter(pk__in=seats)
    planned = ConditionalMoves.objects.filter(player__user=user).select_related("player")
    kept = {one.player.match_id: one for one in planned}
    orders = StandingOrder.objects.filter(player__user=user)
    names = dict(orders.values_list("player__match", "name"))
    return [
        PlannedMatch(row, kept.get(row.match.pk), _in_words(row, names.get(row.match.pk, "")))
        for row in rows(list(matches), user)
    ]


def _in_words(row: MatchView, name: str) -> str:
    """Return a standing order in words. Its name if the match can't be read."""
    try:
        offered = orders.offered(row.table)
    except Unreadable:
        return name
    return _(offered[name].label) if name in offered else name


@login_required
@require_POST
@limited("plan")
def end(request: UserRequest, match_id: int) -> HttpResponse:
    """End the user's plan in a match, or with ``order`` in the form the standing order."""
    try:
        if "order" in request.POST:
            orders.give(match_id=match_id, user=request.user, name="", now=timezone.now())
            messages.success(request, _("The standing order is off."))
        else:
            conditional.clear(match_id=match_id, user=request.user)
            messages.success(request, _("The plan is cleared."))
    except (NoSuchMatch, NotAPlayer) as unknown:
        raise Http404(str(unknown)) from unknown
    return redirect("plans")


@login_required
@require_POST
@limited("challenge")
def change(request: UserRequest, pk: int) -> HttpResponse:
    """Stop renewing a challenge, or resume with ``go_on`` in the form."""
    now = timezone.now()
    if "go_on" in request.POST:
        renewals.go_on(user=request.user, pk=pk, now=now)
        messages.success(request, _("It renews itself again."))
    else:
        renewals.end(user=request.user, pk=pk, now=now)
        messages.success(request, _("It isn’t renewed any more. Running matches go on."))
    return redirect("plans")
