"""What the leaders of a club do: its terms, its members, who waits, and messages to all."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_stubs_ext import StrOrPromise

from accounts import limits
from accounts.limits import limited
from accounts.models import User
from accounts.requests import UserRequest
from games.clubs import candidates, selectors, services
from games.clubs import messages as club_messages
from games.clubs.errors import NotALeader
from games.clubs.models import Candidate, Club, Membership
from games.kernel.errors import GameError
from games.matches.errors import Unknown
from games.web import refusals
from games.web.clubs.forms import ClubForm, InviteForm, MessageForm, RemoveForm
from games.web.players import player_or_404

Kind = Candidate.Kind

SHOWN_ACTS = 20
"""How many acts of leaders the page shows."""


def _led(request: UserRequest, club_id: int) -> Club:
    """Return an open club that the user leads.

    :raises Unknown: it does not exist.
    :raises Http404: it is closed.
    :raises PermissionDenied: the user doesn't lead it.
    """
    club = selectors.get(club_id)
    if not club.is_open:
        raise Http404(_("This club is closed."))
    own = selectors.membership(club, request.user)
    if own is None or not own.leads:
        raise PermissionDenied
    return club


def _lead_page(request: UserRequest, club: Club, status: int = 200, **forms: Any) -> HttpResponse:
    """Show who waits and whom the leaders keep out, what they did, and the forms."""
    now = timezone.now()
    context = {
        "club": club,
        "requests": selectors.waiting(club, Kind.REQUEST, now),
        "invitations": selectors.waiting(club, Kind.INVITATION, now),
        "excluded": selectors.excluded(club, now),
        "invite": InviteForm(),
        "message": MessageForm(),
        "next_message": club_messages.next_due(club.pk, now),
        "acts": selectors.leader_acts().filter(club=club)[:SHOWN_ACTS],
        **forms,
    }
    return render(request, "clubs/lead.html", context, status=status)


@login_required
@never_cache
@require_safe
def club_lead(request: UserRequest, club_id: int) -> HttpResponse:
    return _lead_page(request, _led(request, club_id))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("lead-club")
def club_edit(request: UserRequest, club_id: int) -> HttpResponse:
    club = _led(request, club_id)
    terms = services.Terms.of(club)
    form = ClubForm(request.POST if request.method == "POST" else None, initial=vars(terms))
    if form.is_valid():
        how: dict[str, Any] = {"leader": request.user, "now": timezone.now()}
        with refusals.InForm(form):
            services.edit(club_id=club_id, terms=form.terms(), **how)
            messages.success(request, _("Your changes are saved."))
            return redirect("club", club_id)
    context = {"club": club, "form": form}
    return render(request, "clubs/edit.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@require_safe
def club_member(request: UserRequest, club_id: int, name: str) -> HttpResponse:
    return _member_page(request, _led(request, club_id), name, RemoveForm())


def _member_page(
    request: UserRequest, club: Club, name: str, form: RemoveForm, status: int = 200
) -> HttpResponse:
    """Show what a leader can do with a member."""
    member = selectors.membership(club, player_or_404(name))
    own = selectors.membership(club, request.user)
    if member is None or own is None:
        raise Http404(_("{name} is not a member.").format(name=name))
    context = {
        "club": club,
        "member": member,
        "is_own": member.pk == own.pk,
        "may_dismiss": member.leads and (member.pk == own.pk or services.outranks(own, member)),
        "form": form,
    }
    return render(request, "clubs/member.html", context, status=status)


@login_required
@require_POST
@limited("lead-club")
def club_remove(request: UserRequest, club_id: int, name: str) -> HttpResponse:
    """Remove a member, who reads the reason."""
    club = _led(request, club_id)
    form = RemoveForm(request.POST)
    if form.is_valid():
        user = player_or_404(name)
        how: dict[str, Any] = {"leader": request.user, "user": user, "now": timezone.now()}
        try:
            services.remove(club_id=club_id, **how, **form.cleaned_data)
        except GameError as refusal:
            if selectors.membership(club, user) is None:
                messages.error(request, str(refusal))
                return redirect("club-members", club_id)
            form.add_error(None, str(refusal))
        else:
            done = _("{name} is removed, and reads your reason.")
            messages.success(request, done.format(name=user.username))
            return redirect("club-members", club_id)
    return _member_page(request, club, name, form, status=422)


@login_required
@require_POST
def club_invite(request: UserRequest, club_id: int) -> HttpResponse:
    """Invite a player by name."""
    club = _led(request, club_id)
    form = InviteForm(request.POST)
    user = User.objects.named(request.POST.get("player", ""))
    limits.spend(request, "club-invite", others=[user.pk] if user else [])
    if form.is_valid():
        how: dict[str, Any] = {"leader": request.user, "now": timezone.now()}
        with refusals.InForm(form, "player"):
            done = candidates.invite(club_id=club_id, user=user, **how)
            name = user.username if user else ""
            if isinstance(done, Membership):
                said = _("{name} had asked to join, and is a member now.")
            else:
                said = _("{name} is invited.")
            messages.success(request, said.format(name=name))
            return redirect("club-lead", club_id)
    return _lead_page(request, club, status=422, invite=form)


@login_required
@require_POST
@limited("club-message")
def club_message(request: UserRequest, club_id: int) -> HttpResponse:
    """Write to all members."""
    club = _led(request, club_id)
    form = MessageForm(request.POST)
    if form.is_valid():
        how: dict[str, Any] = {"leader": request.user, "now": timezone.now()}
        with refusals.InForm(form):
            club_messages.write(club_id=club_id, text=form.cleaned_data["text"], **how)
            messages.success(request, _("The members get your message within a minute."))
            return redirect("club", club_id)
    return _lead_page(request, club, status=422, message=form)


def _action(
    act: Callable[..., object], done: StrOrPromise, *, page: str
) -> Callable[..., HttpResponse]:
    """Return the view of a form about a user.

    :param done: what is said afterwards, with ``{name}``.
    :param page: the name of the page that follows.
    """

    @login_required
    @require_POST
    @limited("lead-club")
    def view(request: UserRequest, club_id: int, name: str) -> HttpResponse:
        user = player_or_404(name)
        try:
            act(club_id=club_id, leader=request.user, user=user, now=timezone.now())
        except Unknown:
            raise
        except NotALeader as refusal:
            messages.error(request, str(refusal))
            return redirect("club", club_id)
        except GameError as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, done.format(name=user.username))
        return redirect(page, club_id)

    return view


def _accept(**how: Any) -> None:
    candidates.answer(**how, accepts=True)


def _refuse(**how: Any) -> None:
    candidates.answer(**how, accepts=False)


club_appoint = _action(
    services.appoint, gettext_lazy("{name} is a leader now."), page="club-members"
)
club_dismiss = _action(
    services.dismiss, gettext_lazy("{name} is no longer a leader."), page="club-members"
)
club_accept = _action(_accept, gettext_lazy("{name} is a member now."), page="club-lead")
club_refuse = _action(_refuse, gettext_lazy("The request of {name} is declined."), page="club-lead")
club_withdraw = _action(
    candidates.withdraw, gettext_lazy("The invitation of {name} is withdrawn."), page="club-lead"
)
club_readmit = _action(candidates.readmit, gettext_lazy("{name} can come back."), page="club-lead")


@login_required
@require_POST
@limited("lead-club")
def club_close(request: UserRequest, club_id: int) -> HttpResponse:
    """Close a club for good. The box has to be ticked, so that no slip closes it."""
    club = _led(request, club_id)
    if "sure" not in request.POST:
        messages.error(request, _("Tick the box to close the club."))
        return redirect("club-lead", club_id)
    with refusals.AsMessage(request):
        services.close(club_id=club_id, leader=request.user, now=timezone.now())
        messages.success(request, _("{club} is closed.").format(club=club.name))
    return redirect("club", club_id)
