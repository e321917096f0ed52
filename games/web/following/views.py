"""Following players."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.limits import limited
from accounts.requests import UserRequest
from games.lobby import follows
from games.matches.errors import Refused
from games.web.players import player_or_404


@login_required
@require_POST
@limited("profile")
def change(request: UserRequest, name: str) -> HttpResponse:
    """Follow a player, or stop following with ``unfollow`` in the form."""
    other = player_or_404(name)
    if "unfollow" in request.POST:
        follows.unfollow(user=request.user, other=other)
        messages.success(request, f"You no longer follow {other.username}.")
        return redirect(f"{reverse('people')}#following")
    try:
        follows.follow(user=request.user, other=other, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"You now follow {other.username}.")
    return redirect(other)
