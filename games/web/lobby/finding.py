"""Finding an opponent: one form that leads to a match or to an open challenge."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.limits import limited
from accounts.requests import UserRequest
from games.lobby import finding
from games.web import refusals
from games.web.lobby.forms import FindForm

POSTED = gettext_lazy("Nobody is looking for the same right now, so we posted your challenge.")
POSTED_BEFORE = gettext_lazy(
    "Your challenge is still open. We’ll notify you when somebody accepts it."
)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("challenge")
def find(request: UserRequest) -> HttpResponse:
    """Go to a match with a player with the same wishes, or to the user's open challenge."""
    if request.method != "POST":
        game = request.GET.get("game", "")
        return render(request, "lobby/find.html", {"find_form": FindForm(initial={"game": game})})
    form = FindForm(request.POST)
    if form.is_valid():
        now = timezone.now()
        with refusals.InForm(form):
            dice = form.contribution(request.user)
            result = finding.find(user=request.user, wanted=form.wanted, now=now, **dice)
            if result.match is None:
                messages.success(request, POSTED if result.created == now else POSTED_BEFORE)
            return redirect(result.match or result)
    return render(request, "lobby/find.html", {"find_form": form})
