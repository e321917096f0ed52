"""The page on which an account is declared a bot."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.limits import limited
from accounts.requests import UserRequest
from games.bots import declaring
from games.web import refusals


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def declare_bot(request: UserRequest) -> HttpResponse:
    """Explain what being a bot means, or declare the user one."""
    if request.method == "POST":
        with refusals.AsMessage(request):
            declaring.declare(user=request.user)
            messages.success(request, _("This account is a bot now."))
        return redirect("declare-bot")
    context = {"may_declare": declaring.may_declare(request.user), "too_late": declaring.TOO_LATE}
    return render(request, "accounts/bot.html", context)
