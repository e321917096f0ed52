"""Planning and ending one's vacation; the page with it is that of the preferences."""

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.limits import limited
from accounts.requests import UserRequest
from games.matches import formatting
from games.matches.clocks import vacations
from games.matches.errors import Refused
from games.web.settings.pages import preferences_page
from games.web.vacation.forms import AutomaticForm, VacationForm


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def vacation(request: UserRequest) -> HttpResponse:
    """Plan a vacation."""
    if request.method != "POST":
        return _shown()
    now = timezone.now()
    planned = vacations.upcoming(request.user, now)
    first = vacations.first_day(request.user, now)
    form = VacationForm(request.POST, first=first, is_now=bool(planned))
    if form.is_valid():
        try:
            made = vacations.plan(user=request.user, now=now, **form.arguments())
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            begun = "You are on vacation" if made.begin <= now else "Your vacation is planned,"
            messages.success(request, f"{begun} until {formatting.exact(made.end)}.")
            return _shown()
    return preferences_page(request, vacation_form=form)


def _shown() -> HttpResponse:
    return redirect(f"{reverse('preferences')}#vacation")


@login_required
@require_POST
@limited("profile")
def end(request: UserRequest) -> HttpResponse:
    """End a vacation of the user's, or cancel a planned one."""
    planned = {"yes": True, "no": False}.get(request.POST.get("planned", ""))
    try:
        ended = vacations.end(user=request.user, now=timezone.now(), planned=planned)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _after_end(ended.end if ended else None))
    return _shown()


def _after_end(moment: datetime | None) -> str:
    if moment is None:
        return "Your vacation is cancelled."
    if moment > timezone.now():
        return f"A vacation lasts at least a day: yours ends on {formatting.exact(moment)}."
    return "Welcome back. Your clocks are running again."


@login_required
@require_POST
@limited("profile")
def automatic(request: UserRequest) -> HttpResponse:
    """Keep whether the site may put the user on vacation."""
    form = AutomaticForm(request.POST)
    if form.is_valid():
        request.user.auto_vacation = form.cleaned_data["auto_vacation"]
        request.user.save(update_fields=["auto_vacation"])
        messages.success(request, "Your settings are saved.")
    return _shown()
