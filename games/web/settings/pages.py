"""The two pages. A view that refuses a form shows its page again with that form."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.forms import PreferencesForm
from accounts.models import Block
from accounts.requests import UserRequest
from games.http.paging import page_of
from games.lobby import follows, preferences
from games.matches.clocks import vacations
from games.matches.clocks.clock import DAY
from games.ratings import selectors as ratings
from games.talk.models import Greeting, Muting
from games.web.lists.rows import pages
from games.web.ratings.forms import ListedForm
from games.web.settings.forms import ChallengesForm, GreetingForm
from games.web.vacation.forms import AutomaticForm, VacationForm


def preferences_page(request: UserRequest, **forms: Any) -> HttpResponse:
    """Show the preferences: the site, and unless the user is a guest, challenges and vacation."""
    user = request.user
    now = timezone.now()
    context: dict[str, Any] = {"form": PreferencesForm(instance=user, now=now)}
    if not user.is_guest:
        first = vacations.first_day(user, now)
        upcoming = vacations.upcoming(user, now)
        goes_on = any(one.begin <= now for one in upcoming)
        context |= {
            "challenges": ChallengesForm(instance=preferences.of(user)),
            "count": preferences.playing(user),
            "listed": ListedForm(initial={"is_listed": ratings.is_listed(user)}),
            "vacation_form": VacationForm(first=first, is_now=bool(upcoming)),
            "automatic": AutomaticForm(initial={"auto_vacation": user.auto_vacation}),
            "vacations": upcoming,
            "goes_on": goes_on,
            "may_begin": not goes_on and not (first and upcoming),
            "now": now,
            "first": first,
            "days": vacations.balance(user, now) // DAY,
        }
    return render(request, "settings/preferences.html", {**context, **forms})


def people_page(request: UserRequest, **forms: Any) -> HttpResponse:
    """Show the players that the user follows, blocks or has muted, and the greeting."""
    user = request.user
    greeting = Greeting.objects.filter(user=user).values_list("text", flat=True).first()
    matches = page_of(follows.matches(user), request, by="-latest", key="matches")
    context = {
        "greeting": GreetingForm(initial={"text": greeting or ""}),
        "people": follows.followed(user),
        **pages({"matches": matches}, user),
        "blocks": Block.objects.filter(blocker=user).select_related("blocked"),
        "mutings": Muting.objects.filter(user=user).select_related("muted"),
    }
    return render(request, "settings/people.html", {**context, **forms})
