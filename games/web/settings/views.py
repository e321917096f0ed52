"""Preferences and people: both pages, their forms, and the addresses that their parts once had."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.forms import PreferencesForm
from accounts.limits import limited
from accounts.requests import UserRequest
from games.lobby import follows
from games.lobby import preferences as challenge_preferences
from games.matches.errors import Refused
from games.talk import services
from games.talk.errors import NoLine
from games.web.players import player_or_404
from games.web.settings.forms import ChallengesForm, GreetingForm
from games.web.settings.pages import people_page, preferences_page

SAVED = "Your settings are saved."


def section(page: str, part: str) -> HttpResponse:
    """Redirect to a part of a settings page."""
    return redirect(f"{reverse(page)}#{part}")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def preferences(request: UserRequest) -> HttpResponse:
    """Show the preferences, or save how the site looks and how moves are made."""
    if request.method != "POST":
        return preferences_page(request)
    form = PreferencesForm(request.POST, instance=request.user, now=timezone.now())
    if not form.is_valid():
        return preferences_page(request, form=form)
    form.save()
    messages.success(request, SAVED)
    return redirect("preferences")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def playing(request: UserRequest) -> HttpResponse:
    """Save who may challenge the user, and how many matches they want."""
    if request.method != "POST":
        return section("preferences", "challenges")
    form = ChallengesForm(request.POST, instance=challenge_preferences.of(request.user))
    if not form.is_valid():
        return preferences_page(request, challenges=form)
    form.save()
    messages.success(request, SAVED)
    return section("preferences", "challenges")


@login_required
@never_cache
@require_safe
def people(request: UserRequest) -> HttpResponse:
    """Show the players that the user follows, blocks or has muted."""
    return people_page(request)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def chat(request: UserRequest) -> HttpResponse:
    """Save the user's greeting."""
    if request.method != "POST":
        return section("people", "chat")
    form = GreetingForm(request.POST)
    if form.is_valid():
        try:
            services.set_greeting(user=request.user, text=form.cleaned_data["text"])
        except NoLine as refusal:
            form.add_error("text", str(refusal))
        else:
            messages.success(request, SAVED)
            return section("people", "chat")
    return people_page(request, greeting=form)


@login_required
@require_POST
@limited("profile")
def follow(request: UserRequest, name: str) -> HttpResponse:
    """Follow a player, or stop following with ``unfollow`` in the form."""
    other = player_or_404(name)
    if "unfollow" in request.POST:
        follows.unfollow(user=request.user, other=other)
        messages.success(request, f"You no longer follow {other.username}.")
        return section("people", "following")
    try:
        follows.follow(user=request.user, other=other, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"You now follow {other.username}.")
    return redirect(other)


@login_required
@require_safe
def following(_request: UserRequest) -> HttpResponse:
    """Redirect to where the followed players are now."""
    return section("people", "following")


@login_required
@require_safe
def blocks(_request: UserRequest) -> HttpResponse:
    """Redirect to where the blocked players are now."""
    return section("people", "blocked")
