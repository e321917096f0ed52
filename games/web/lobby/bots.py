"""Playing a bot: one page to choose game, level and board. Visitors become guests."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import guests, limits
from accounts.models import User
from accounts.requests import UserRequest
from games.bots import services
from games.bots.levels import LEVELS
from games.kernel import registry
from games.kernel.contract import AnyGame, Meta
from games.kernel.errors import GameError
from games.lobby.finding import is_for_two
from games.lobby.models import Challenge
from games.matches.models import Match
from games.web import parameters
from games.web.lobby.forms import DiceForm, FindForm, levels
from games.web.titles import featured, title_or_404

FIRST = Challenge.Seating.FIRST


class BotForm(DiceForm, parameters.ParametersForm):
    """A match against bots. Missing fields have defaults."""

    level = forms.TypedChoiceField(
        label=gettext_lazy("Level"),
        choices=levels,
        initial=LEVELS[0].name,
        coerce={level.name: level for level in LEVELS}.__getitem__,
        error_messages={"required": gettext_lazy("Choose a level.")},
        widget=forms.RadioSelect,
    )
    seating = forms.TypedChoiceField(
        label=gettext_lazy("Who begins"),
        choices=[
            (FIRST, gettext_lazy("I begin")),
            ("last", gettext_lazy("The bot begins")),
            ("random", gettext_lazy("Random")),
        ],
        initial=FIRST,
        required=False,
        coerce=Challenge.Seating,
        empty_value=FIRST,
        widget=forms.RadioSelect,
    )

    rated = forms.BooleanField(
        label=gettext_lazy("Rated"),
        required=False,
        help_text=gettext_lazy("The result changes your rating, half as much as against people."),
    )

    def __init__(self, *args: Any, meta: Meta, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meta = meta
        low, high = meta.seats
        if low < high:
            self.fields["seats"] = forms.IntegerField(
                label=gettext_lazy("Players"),
                min_value=low,
                max_value=high,
                initial=low,
                required=False,
            )
        if meta.rolls_for_first:
            del self.fields["seating"]
        self.fields |= parameters.fields(meta)

    def arguments(self, user: User | AnonymousUser) -> dict[str, Any]:
        """Return the arguments of :func:`games.bots.services.play`.

        :raises CommitmentRefused: see :meth:`DiceForm.contribution`.
        """
        return {
            **self.contribution(user),
            "title": self.meta.slug,
            "level": self.cleaned_data["level"],
            "params": parameters.params(self.cleaned_data),
            "seats": self.seat_count,
            "seating": self.cleaned_data.get("seating", FIRST),
            "rated": self.cleaned_data["rated"],
        }


@never_cache
@require_safe
def play_now(request: HttpRequest) -> HttpResponse:
    """Show the choice of a game, the level of the bot and the board."""
    titles = registry.titles()
    slug = request.GET.get("game", "")
    title = titles[slug] if slug in titles else featured()
    chosen = {"level": request.GET["level"]} if "level" in request.GET else {}
    return _play_page(request, title, BotForm(meta=title.meta, initial=chosen))


def _play_page(request: HttpRequest, title: AnyGame, form: BotForm) -> HttpResponse:
    context = {
        "titles": registry.titles().values(),
        "title": title,
        "meta": title.meta,
        "form": form,
        "find_form": FindForm(initial={"game": title.meta.slug})
        if is_for_two(title.meta)
        else None,
        "full": _full(request.user),
        "most_of_members": services.MAX_RUNNING,
    }
    return render(request, "challenge/play.html", context)


def _full(user: User | AnonymousUser) -> Sequence[tuple[Match, str]]:
    """Return the running matches, with their games, that prevent another one, if any."""
    if not isinstance(user, User):
        return ()
    matches = list(services.running(user))
    if len(matches) < services.most_running(user):
        return ()
    titles = registry.titles()
    return [(match, titles[match.title].meta.name) for match in matches if match.title in titles]


@never_cache
@limits.limited("challenge")
def play_bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a match against bots, and go to its board."""
    title = title_or_404(slug)
    if request.method != "POST":
        return redirect(f"{reverse('play-now')}?game={slug}")
    form = BotForm(request.POST, meta=title.meta)
    if form.is_valid() and (started := _started(request, form)):
        return started
    return _play_page(request, title, form)


@limits.limited("challenge")
def play_bot_at_once(request: HttpRequest, slug: str, level: str) -> HttpResponse:
    """Start a match against a bot with standard settings, and go to its board."""
    meta = title_or_404(slug).meta
    sent = {name: request.POST.get(name, "") for name in DiceForm.base_fields}
    form = BotForm(_standard(meta) | sent | {"level": level}, meta=meta)
    if request.method == "POST" and form.is_valid():
        started = _started(request, form)
        if not started and _full(request.user):
            return redirect(f"{reverse('play-now')}?game={slug}")
        return started or redirect("game", slug)
    return redirect("play-bot", slug)


@login_required
@require_POST
@limits.limited("challenge")
def play_next_level(request: UserRequest, match_id: int) -> HttpResponse:
    """Play an ended match against bots again at the next level. A refusal is a message."""
    match = get_object_or_404(Match, pk=match_id)
    try:
        form = DiceForm(request.POST)
        dice = form.contribution(request.user) if form.is_valid() else {}
        started = services.play_next_level(
            match=match, user=request.user, now=timezone.now(), **dice
        )
    except GameError as refusal:
        if _full(request.user):
            return redirect(f"{reverse('play-now')}?game={match.title}")
        messages.error(request, str(refusal))
        started = match
    return redirect(started)


def _standard(meta: Meta) -> dict[str, Any]:
    fields = parameters.fields(meta)
    return {name: field.initial for name, field in fields.items() if field.initial is not False}


def _started(request: HttpRequest, form: BotForm) -> HttpResponseRedirect | None:
    """Go to a match that has started. A refusal is a message."""
    now = timezone.now()
    sender = request.user
    try:
        arguments = form.arguments(sender)
        user = sender if isinstance(sender, User) else guests.sign_in(request, now=now)
        return redirect(services.play(user=user, now=now, **arguments))
    except GameError as refusal:
        # The page itself says who has too many matches, and what to do about it.
        if not _full(sender):
            messages.error(request, str(refusal))
        return None
