"""The matches that the user watches, and the button to start and stop."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited
from accounts.requests import UserRequest
from games.http.paging import page_of
from games.matches.notify import watching as watches
from games.web import refusals
from games.web.match_rows import pages


@login_required
@never_cache
@require_safe
def watching(request: UserRequest) -> HttpResponse:
    """List the matches that the user watches: running ones, then favourites."""
    lists = {
        "running": page_of(watches.running(request.user), request, by="-latest", key="running"),
        "ended": page_of(watches.ended(request.user), request, by="-latest", key="ended"),
    }
    return render(request, "my_matches/watching.html", pages(lists, request.user))


@login_required
@require_POST
@limited("profile")
def change(request: UserRequest, match_id: int) -> HttpResponse:
    """Watch a match, with ``tells_end`` in the form also get a notification of its end; or stop."""
    if "unwatch" in request.POST:
        watches.unwatch(user=request.user, match_id=match_id)
        messages.success(request, _("You do not watch this match any more."))
        return redirect("match", match_id)
    tells_end = "tells_end" in request.POST
    with refusals.AsMessage(request):
        watches.watch(user=request.user, match_id=match_id, tells_end=tells_end, now=timezone.now())
        messages.success(
            request, _("You watch this match. You'll find it under My matches, Watching.")
        )
    return redirect("match", match_id)
