"""The page of one's own blocks, and what the button on a player's page does."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import blocks
from accounts.limits import limited
from accounts.models import Block, User
from accounts.requests import UserRequest


@login_required
@never_cache
@require_safe
def block_list(request: UserRequest) -> HttpResponse:
    """List whom the user has blocked, the latest first."""
    found = Block.objects.filter(blocker=request.user).select_related("blocked")
    return render(request, "accounts/blocks.html", {"blocks": found})


@login_required
@require_POST
@limited("profile")
def change(request: UserRequest, name: str) -> HttpResponse:
    """Block a player, or with ``unblock`` in the form take the block away."""
    found = None if "\0" in name else User.objects.filter(username__iexact=name).first()
    if found is None or found.is_bot or found == request.user:
        raise Http404
    if "unblock" in request.POST:
        blocks.unblock(user=request.user, other=found)
        messages.success(request, f"You have unblocked {found.username}.")
    else:
        blocks.block(user=request.user, other=found, now=timezone.now())
        messages.success(request, f"You have blocked {found.username}.")
    return redirect("blocks")
