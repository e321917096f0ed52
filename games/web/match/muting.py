"""Muting a match: no more mails about it, except that time runs short."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.delivery import muting
from accounts.limits import limited
from accounts.requests import UserRequest
from games.matches.models import Match
from games.matches.notifications import page_key


@login_required
@require_POST
@limited("profile")
def mute(request: UserRequest, match_id: int) -> HttpResponse:
    """Mute a match, or with ``unmute`` in the form hear of it again."""
    match = get_object_or_404(Match, pk=match_id)
    if "unmute" in request.POST:
        muting.unmute(request.user, page_key(match.pk))
        messages.success(request, "You get emails about this match again.")
    else:
        muting.mute(request.user, page_key(match.pk), now=timezone.now())
        messages.success(request, "Muted: no emails about this match, unless your time runs short.")
    return redirect(match)
