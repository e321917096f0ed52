"""Blocking and unblocking a player."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import blocks
from accounts.limits import limited
from accounts.models import User
from accounts.requests import UserRequest


@login_required
@require_POST
@limited("profile")
def change(request: UserRequest, name: str) -> HttpResponse:
    """Block a player, or unblock with ``unblock`` in the form."""
    player = None if "\0" in name else User.objects.filter(username__iexact=name).first()
    if player is None or player.is_bot or player == request.user:
        raise Http404
    if "unblock" in request.POST:
        blocks.unblock(user=request.user, other=player)
        messages.success(request, _("You have unblocked {name}.").format(name=player.username))
    else:
        blocks.block(user=request.user, other=player, now=timezone.now())
        messages.success(request, _("You have blocked {name}.").format(name=player.username))
    return redirect(f"{reverse('people')}#blocked")
