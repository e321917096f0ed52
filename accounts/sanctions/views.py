"""The page that shows an account's sanctions and takes appeals."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import texts
from accounts.limits import limited
from accounts.requests import UserRequest
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction


class AppealForm(forms.Form):
    text = texts.TextInput(
        label=gettext_lazy("Why should it be lifted?"),
        max_length=standing.MAX_APPEAL_LENGTH,
        widget=forms.Textarea(attrs={"rows": 6}),
    )


@login_required
@never_cache
@require_safe
def page(request: UserRequest) -> HttpResponse:
    """Show an account's sanctions, those in effect first."""
    holding = standing.active(request.user, timezone.now())
    earlier = Sanction.objects.filter(user=request.user).exclude(
        pk__in=[sanction.pk for sanction in holding]
    )
    context = {
        "holding": holding,
        "earlier": earlier.order_by("-since")[:20],
        "form": AppealForm(),
        "days": standing.ANSWER_WITHIN.days,
    }
    return render(request, "accounts/standing.html", context)


@login_required
@require_POST
@limited("profile")
def read_warning(request: UserRequest, sanction_id: int) -> HttpResponse:
    standing.read(request.user, sanction_id, now=timezone.now())
    return redirect("standing" if request.user.is_restricted else "my-matches")


@login_required
@require_POST
@limited("profile")
def appeal(request: UserRequest, sanction_id: int) -> HttpResponse:
    form = AppealForm(request.POST)
    try:
        if form.is_valid():
            text = form.cleaned_data["text"]
            standing.appeal(request.user, sanction_id, text, now=timezone.now())
            messages.success(request, _("Your appeal is with the moderators."))
        else:
            messages.error(request, _("Please write why, in at most 2,000 characters."))
    except standing.InvalidSanction as refusal:
        messages.error(request, str(refusal))
    return redirect("standing")
