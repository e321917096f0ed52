"""Animated pictures of matches: the request, and the page with their progress."""

from functools import partial

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts.limits import limited
from accounts.requests import UserRequest
from games.kernel.palettes import PALETTES
from games.matches.models import Match
from games.matches.view import pictures
from games.records import animations
from games.records.models import Animation
from games.web import refusals

WEEK = 7 * 24 * 3600

THEMES = {"light": pgettext_lazy("theme", "Light"), "dark": pgettext_lazy("theme", "Dark")}
"""The names of the palettes."""


class StretchForm(forms.Form):
    """The first and last entry, and the theme."""

    first = forms.IntegerField(label=gettext_lazy("From entry"), min_value=0)
    last = forms.IntegerField(
        label=gettext_lazy("To entry"),
        min_value=0,
        help_text=format_lazy(
            gettext_lazy("{count} positions at most."), count=animations.MAX_FRAMES
        ),
    )
    theme = forms.ChoiceField(
        label=gettext_lazy("Colours"), choices=[(name, THEMES[name]) for name in PALETTES]
    )

    match: Match

    @classmethod
    def of(cls, match: Match, data: object) -> "StretchForm":
        form = cls(data)  # type: ignore[arg-type]  # what a request has
        form.match = match
        return form

    @classmethod
    def around(cls, match: Match, number: int) -> "StretchForm":
        """Return a form for the whole match, or for what follows a position."""
        is_short = match.version < animations.MAX_FRAMES
        first = 0 if is_short else min(number, match.version - animations.MAX_FRAMES + 1)
        last = match.version if is_short else first + animations.MAX_FRAMES - 1
        form = cls(initial={"first": first, "last": last})
        form.match = match
        return form


@login_required
@require_POST
@limited("animation")
def ask(request: UserRequest, match_id: int) -> HttpResponse:
    """Request an animation, unless there is one."""
    match = get_object_or_404(Match, pk=match_id)
    form = StretchForm.of(match, request.POST)
    if form.is_valid():
        with refusals.InForm(form):
            made = animations.ask(
                match,
                **form.cleaned_data,
                now=timezone.now(),
                asker=limits.asker(request),
                admit=partial(limits.spend_for_all, request, "animation"),
            )
            return redirect(made)
    return render(request, "match/animation_refused.html", {"form": form}, status=422)


def _found(match_id: int, animation_id: int) -> Animation:
    rows = Animation.objects.select_related("match").defer("data")
    return get_object_or_404(rows, pk=animation_id, match=match_id)


@require_safe
@never_cache
def page(request: HttpRequest, match_id: int, animation_id: int) -> HttpResponse:
    """Show an animation, or its progress. Then the page reloads automatically."""
    animation = _found(match_id, animation_id)
    context = {"animation": animation, "match": animation.match, "width": pictures.GIF_WIDTH}
    return render(request, "match/animation.html", context)


@require_safe
def picture(request: HttpRequest, match_id: int, animation_id: int) -> HttpResponse:
    """An animation as a GIF."""
    animation = _found(match_id, animation_id)
    if animation.data is None:
        raise Http404("It is not made yet.")
    answer = HttpResponse(bytes(animation.data), content_type="image/gif")
    patch_cache_control(answer, public=True, max_age=WEEK, immutable=True)
    return answer
