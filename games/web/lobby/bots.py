"""Playing a bot: the level, and the settings for who wants other ones."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone

from accounts import limits
from accounts.requests import UserRequest
from games.bots import services
from games.bots.levels import LEVELS
from games.kernel.contract import Meta
from games.kernel.errors import GameError
from games.web import parameters
from games.web.titles import title_or_404


class BotForm(forms.Form):
    """A match against bots; what is not sent takes its default."""

    level = forms.TypedChoiceField(
        label="Level",
        choices=[(level.name, level.label) for level in LEVELS],
        initial=LEVELS[0].name,
        coerce={level.name: level for level in LEVELS}.__getitem__,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, meta: Meta, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meta = meta
        low, high = meta.seats
        if low < high:
            self.fields["seats"] = forms.IntegerField(
                label="Players", min_value=low, max_value=high, initial=low, required=False
            )
        self.fields |= parameters.fields(meta)

    @property
    def parameter_fields(self) -> list[forms.BoundField]:
        """The fields of the game's parameters."""
        return [self[name] for name in self.fields if name.startswith(parameters.PREFIX)]

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of :func:`games.bots.services.play`."""
        return {
            "title": self.meta.slug,
            "level": self.cleaned_data["level"],
            "params": parameters.params(self.cleaned_data),
            "seats": self.cleaned_data.get("seats") or self.meta.seats[0],
        }


@login_required
@limits.limited("challenge")
def play_bot(request: UserRequest, slug: str) -> HttpResponse:
    """Start a match against bots, and go to its board."""
    title = title_or_404(slug)
    form = BotForm(request.POST or None, meta=title.meta)
    if form.is_valid() and (started := _started(request, form)):
        return started
    return render(
        request, "challenge/bots.html", {"form": form, "title": title, "meta": title.meta}
    )


@login_required
@limits.limited("challenge")
def play_bot_at_once(request: UserRequest, slug: str, level: str) -> HttpResponse:
    """Start a match against a bot with standard settings, and go to its board."""
    meta = title_or_404(slug).meta
    form = BotForm(_standard(meta) | {"level": level}, meta=meta)
    if request.method == "POST" and form.is_valid():
        return _started(request, form) or redirect("game", slug)
    return redirect("play-bot", slug)


def _standard(meta: Meta) -> dict[str, Any]:
    fields = parameters.fields(meta)
    return {name: field.initial for name, field in fields.items() if field.initial is not False}


def _started(request: UserRequest, form: BotForm) -> HttpResponseRedirect | None:
    """Go to a match that has started; a refusal is a message."""
    try:
        return redirect(services.play(user=request.user, now=timezone.now(), **form.arguments()))
    except GameError as refusal:
        messages.error(request, str(refusal))
        return None
