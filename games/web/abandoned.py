"""Pages for opponents of an abandoned seat, and for people asked to take it over."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.limits import limited
from accounts.requests import UserRequest
from games.kernel import registry
from games.matches import formatting
from games.moderation import abandoned as seats
from games.moderation import substitutes
from games.moderation.models import AbandonedSeat
from games.web import refusals


class ChoiceForm(forms.Form):
    choice = forms.ChoiceField(
        label=gettext_lazy("What shall follow?"),
        choices=[(choice.value, choice.label) for choice in AbandonedSeat.CHOICES],
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "It is done when all opponents have chosen the same; until then the clock runs."
        ),
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("offer")
def abandoned(request: UserRequest, pk: int) -> HttpResponse:
    """Show an abandoned seat to its player, or to the opponents, who choose how to continue."""
    own_seat = seats.get_own(pk, request.user)
    if own_seat is not None:
        return _own(request, own_seat)
    return _chosen(request, seats.get_for(pk, request.user))


def _chosen(request: UserRequest, seat: AbandonedSeat) -> HttpResponse:
    """Show the choices about a seat, or store one."""
    own = seat.choices.filter(user=request.user).first()
    form = ChoiceForm(request.POST or None, initial={"choice": own.choice if own else ""})
    if form.is_valid():
        choice = form.cleaned_data["choice"]
        with refusals.InForm(form):
            seats.choose(seat, user=request.user, choice=choice, now=timezone.now())
            messages.success(request, _("Your choice is noted."))
            return redirect("abandoned", seat.pk)
    context = {
        "abandoned": seat,
        "form": form,
        "is_open": seats.is_open(seat),
        "game": registry.name_of(seat.match.title),
        "choices": seat.choices.select_related("user").exclude(user=request.user),
        "count": seats.opponents(seat).count(),
    }
    return render(request, "abandoned/choose.html", context)


def _own(request: UserRequest, seat: AbandonedSeat) -> HttpResponse:
    """Show players that their own seat counts as abandoned, or let them come back."""
    if request.method == "POST":
        with refusals.AsMessage(request):
            seats.come_back(seat, now=timezone.now())
            messages.success(request, _("You play on."))
            return redirect(seat.match)
        return redirect("abandoned", seat.pk)
    context = {
        "abandoned": seat,
        "can_come_back": seats.can_come_back(seat),
        "game": registry.name_of(seat.match.title),
    }
    return render(request, "abandoned/own.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("offer")
def substitute(request: UserRequest, pk: int) -> HttpResponse:
    """Show an offer of a seat, or store the answer."""
    now = timezone.now()
    offer = substitutes.get_for(pk, request.user)
    if request.method == "POST":
        answer = substitutes.take if "take" in request.POST else substitutes.decline
        with refusals.AsMessage(request):
            answer(offer, now)
            return redirect(offer.match if "take" in request.POST else "my-matches")
        return redirect("substitute", pk)
    context = {
        "offer": offer,
        "is_open": substitutes.is_open(offer, now),
        "game": registry.name_of(offer.match.title),
        "clock": formatting.clock(offer.match.time_control),
        "players": offer.match.players.select_related("user"),
    }
    return render(request, "abandoned/substitute.html", context)
