"""Whom the user follows and what they play; who may challenge the user."""

from typing import ClassVar

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import limited
from accounts.models import User
from accounts.requests import UserRequest
from games.http.paging import page_of
from games.lobby import follows, preferences
from games.lobby.models import ChallengePreferences
from games.matches.errors import Refused
from games.web.lists.rows import pages


class PlayingForm(forms.ModelForm[ChallengePreferences]):
    """Who may challenge, and how many matches are enough."""

    challengers = forms.ChoiceField(
        label="Who may challenge me by name",
        choices=ChallengePreferences.Challengers,
        widget=forms.RadioSelect,
        help_text="Open challenges of others you can always accept.",
    )
    most_matches = forms.IntegerField(
        label="Most matches with people at a time",
        required=False,
        min_value=0,
        max_value=500,
        help_text=(
            "Leave it empty for no limit. Open challenges in which you have a seat count too;"
            " running matches go on in any case."
        ),
    )

    class Meta:
        model = ChallengePreferences
        fields: ClassVar = ["challengers", "most_matches"]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def playing(request: UserRequest) -> HttpResponse:
    """Show or keep who may challenge the user, and how many matches they want."""
    found = preferences.of(request.user)
    form = PlayingForm(request.POST or None, instance=found)
    if form.is_valid():
        form.save()
        messages.success(request, "That is saved.")
        return redirect("playing")
    context = {"form": form, "count": preferences.playing(request.user)}
    return render(request, "accounts/playing.html", context)


@login_required
@never_cache
@require_safe
def following(request: UserRequest) -> HttpResponse:
    """List whom the user follows, and their running matches."""
    page = page_of(follows.matches(request.user), request, by="-latest", key="matches")
    context = {"people": follows.followed(request.user), **pages({"matches": page}, request.user)}
    return render(request, "accounts/following.html", context)


@login_required
@require_POST
@limited("profile")
def change(request: UserRequest, name: str) -> HttpResponse:
    """Follow a player, or with ``unfollow`` in the form no more."""
    other = User.objects.named(name)
    if other is None:
        raise Http404(f"There is no player called {name}.")
    if "unfollow" in request.POST:
        follows.unfollow(user=request.user, other=other)
        messages.success(request, f"You do not follow {other.username} any more.")
        return redirect("following")
    try:
        follows.follow(user=request.user, other=other, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"You follow {other.username}.")
    return redirect(other)
