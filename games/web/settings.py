"""The settings of a player, which belong to several applications."""

from datetime import date, datetime, time, timedelta
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import site_languages, texts
from accounts.forms import PreferencesForm
from accounts.limits import limited
from accounts.models import Block
from accounts.requests import UserRequest
from games.http.paging import page_of
from games.lobby import follows
from games.lobby import preferences as challenge_preferences
from games.lobby.models import ChallengePreferences
from games.matches import formatting
from games.matches.clock import DAY
from games.matches.clocks import vacations
from games.ratings import selectors as ratings
from games.talk import services
from games.talk.models import MAX_LINE_LENGTH, Greeting, Muting
from games.web import refusals
from games.web.match_rows import pages
from games.web.players import player_or_404

SAVED = gettext_lazy("Your settings are saved.")


class DayField(forms.DateField):
    """A day, as the browser's own calendar gives it."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class VacationForm(forms.Form):
    """The first and last day of a vacation, by the reader's time zone."""

    begin = DayField(
        label=pgettext_lazy("time", "From"),
        required=False,
        error_messages={
            "required": gettext_lazy("You have no vacation days yet. Enter a later day.")
        },
        help_text=gettext_lazy("Leave it empty to begin now."),
    )
    end = DayField(
        label=gettext_lazy("Back on"),
        error_messages={"required": gettext_lazy("Please enter the day on which you are back.")},
        help_text=gettext_lazy(
            "Your clocks resume at the start of this day. You can come back sooner."
        ),
    )
    shows_end = forms.BooleanField(
        label=gettext_lazy("Show others when I am back"), required=False, initial=True
    )

    def __init__(self, data: Any = None, *, first: datetime | None, is_now: bool = False) -> None:
        """Make the form.

        :param first: when the balance reaches a day, if it doesn't yet.
        :param is_now: the vacation begins now, since another one is planned.
        """
        super().__init__(data)
        if is_now:
            del self.fields["begin"]
        elif first is not None:
            begin = self.fields["begin"]
            begin.required = True
            begin.initial = timezone.localdate(first) + timedelta(days=1)
            begin.help_text = ""

    def arguments(self) -> dict[str, Any]:
        begin = self.cleaned_data.get("begin")
        return {
            "begin": _midnight(begin) if begin else None,
            "end": _midnight(self.cleaned_data["end"]),
            "shows_end": self.cleaned_data["shows_end"],
        }


class AutomaticForm(forms.Form):
    """Whether the site may start a vacation automatically."""

    auto_vacation = forms.BooleanField(
        label=gettext_lazy("Start a vacation automatically if I'm about to time out"),
        required=False,
        help_text=gettext_lazy(
            "It begins an hour before your time runs out in any match, and lasts up to 7 days if "
            "you have that many left besides a planned vacation. It happens once in 365 days at "
            "most, and we notify you."
        ),
    )


def _midnight(day: date) -> datetime:
    """Return the start of a day in the reader's time zone."""
    return timezone.make_aware(datetime.combine(day, time()))


class ChallengesForm(forms.ModelForm[ChallengePreferences]):
    """Who may challenge the user, and the limit of running matches."""

    challengers = forms.ChoiceField(
        label=gettext_lazy("Who can challenge me by name"),
        choices=ChallengePreferences.Challengers,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("You can always accept open challenges."),
    )
    most_matches = forms.IntegerField(
        label=gettext_lazy("Maximum matches with people at a time"),
        required=False,
        min_value=0,
        max_value=500,
        help_text=(
            gettext_lazy(
                "Leave it empty for no limit. Open challenges in which you have a seat count too."
                " Matches in progress continue."
            )
        ),
    )

    class Meta:
        model = ChallengePreferences
        fields: ClassVar = ["challengers", "most_matches"]


class GreetingForm(forms.Form):
    """The line that is written when a match begins."""

    text = texts.TextInput(
        label=gettext_lazy("Greeting"),
        required=False,
        max_length=MAX_LINE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy(
            "We post it when a match with people begins. Leave it empty to post nothing."
        ),
    )


class ListedForm(forms.Form):
    is_listed = forms.BooleanField(
        label=gettext_lazy("List me on leaderboards"),
        required=False,
        help_text=gettext_lazy("When off, your rating is still shown beside your name."),
    )


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
            "challenges": ChallengesForm(instance=challenge_preferences.of(user)),
            "count": challenge_preferences.playing(user),
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


def section(page: str, part: str) -> HttpResponse:
    """Redirect to a part of a settings page."""
    return redirect(f"{reverse(page)}#{part}")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def preferences(request: UserRequest) -> HttpResponse:
    """Show the preferences, or save those for the look of the site and for moves."""
    if request.method != "POST":
        return preferences_page(request)
    form = PreferencesForm(request.POST, instance=request.user, now=timezone.now())
    if not form.is_valid():
        return preferences_page(request, form=form)
    form.save()
    # The next page is in the language that was chosen here.
    with translation.override(site_languages.of_request(request)):
        messages.success(request, str(SAVED))
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
    return people_page(request)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def chat(request: UserRequest) -> HttpResponse:
    if request.method != "POST":
        return section("people", "chat")
    form = GreetingForm(request.POST)
    if form.is_valid():
        with refusals.InForm(form, "text"):
            services.set_greeting(user=request.user, text=form.cleaned_data["text"])
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
        messages.success(request, _("You no longer follow {player}.").format(player=other.username))
        return section("people", "following")
    with refusals.AsMessage(request):
        follows.follow(user=request.user, other=other, now=timezone.now())
        messages.success(request, _("You now follow {player}.").format(player=other.username))
    return redirect(other)


@login_required
@require_safe
def following(_request: UserRequest) -> HttpResponse:
    return section("people", "following")


@login_required
@require_safe
def blocks(_request: UserRequest) -> HttpResponse:
    return section("people", "blocked")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def vacation(request: UserRequest) -> HttpResponse:
    if request.method != "POST":
        return section("preferences", "vacation")
    now = timezone.now()
    planned = vacations.upcoming(request.user, now)
    first = vacations.first_day(request.user, now)
    form = VacationForm(request.POST, first=first, is_now=bool(planned))
    if form.is_valid():
        with refusals.InForm(form):
            made = vacations.plan(user=request.user, now=now, **form.arguments())
            if made.begin <= now:
                text = _("You are on vacation until {time}.")
            else:
                text = _("Your vacation is planned, until {time}.")
            messages.success(request, text.format(time=formatting.exact(made.end)))
            return section("preferences", "vacation")
    return preferences_page(request, vacation_form=form)


@login_required
@require_POST
@limited("profile")
def end_vacation(request: UserRequest) -> HttpResponse:
    """End the user's vacation, or cancel a planned one."""
    planned = {"yes": True, "no": False}.get(request.POST.get("planned", ""))
    with refusals.AsMessage(request):
        ended = vacations.end(user=request.user, now=timezone.now(), planned=planned)
        messages.success(request, _after_end(ended.end if ended else None))
    return section("preferences", "vacation")


def _after_end(moment: datetime | None) -> str:
    if moment is None:
        return _("Your vacation is cancelled.")
    if moment > timezone.now():
        return _("A vacation lasts at least a day: yours ends on {time}.").format(
            time=formatting.exact(moment)
        )
    return _("Welcome back. Your clocks are running again.")


@login_required
@require_POST
@limited("profile")
def automatic_vacation(request: UserRequest) -> HttpResponse:
    """Save whether the site may start a vacation automatically."""
    form = AutomaticForm(request.POST)
    if form.is_valid():
        request.user.auto_vacation = form.cleaned_data["auto_vacation"]
        request.user.save(update_fields=["auto_vacation"])
        messages.success(request, SAVED)
    return section("preferences", "vacation")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def listed(request: UserRequest) -> HttpResponse:
    """Save whether the user is listed on leaderboards."""
    if request.method == "POST":
        form = ListedForm(request.POST)
        if form.is_valid():
            ratings.set_listed(request.user, is_listed=form.cleaned_data["is_listed"])
            messages.success(request, SAVED)
    return section("preferences", "ratings")
