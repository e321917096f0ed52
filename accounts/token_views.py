"""The pages about API tokens."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import tokens
from accounts.limits import limited
from accounts.requests import UserRequest
from accounts.security.event_details import ALL
from accounts.security.events import Kind, record
from accounts.token_forms import TokenForm


@login_required
@never_cache
@require_safe
def api_tokens(request: UserRequest) -> HttpResponse:
    return render(request, "accounts/tokens.html", {"tokens": tokens.of_user(request.user)})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
@limited("token")
def new_api_token(request: UserRequest) -> HttpResponse:
    """Create a token and show it this once. The user has just re-entered the password."""
    form = TokenForm(request.POST or None, user=request.user)
    now = timezone.now()
    made = form.save(now=now) if form.is_valid() else None
    if made:
        record(request.user, Kind.TOKEN_MADE, now=now, request=request)
    return render(request, "accounts/token_new.html", {"form": form, "made": made})


@login_required
@require_POST
@limited("token")
def revoke_all_api_tokens(request: UserRequest) -> HttpResponse:
    if tokens.revoke_all(request.user):
        record(request.user, Kind.TOKEN_REVOKED, now=timezone.now(), request=request, details=ALL)
        messages.success(request, _("All your API tokens are revoked."))
    return redirect("api-tokens")


@login_required
@require_POST
@limited("token")
def revoke_api_token(request: UserRequest, token_id: int) -> HttpResponse:
    if not tokens.revoke(user=request.user, token_id=token_id):
        raise Http404(_("You have no such token."))
    record(request.user, Kind.TOKEN_REVOKED, now=timezone.now(), request=request)
    messages.success(request, _("The token is revoked."))
    return redirect("api-tokens")
