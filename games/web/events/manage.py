"""The pages of organisers, and of moderators in their place."""

from collections.abc import Mapping
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
from accounts.requests import UserRequest
from accounts.security import second_factor
from games.clubs.selectors import led_by
from games.events import acts, organising, selectors
from games.events.models import OrganiserAct, Tournament
from games.events.tie_breaks import TIE_BREAKS
from games.kernel import registry
from games.kernel.errors import GameError
from games.web import refusals
from games.web.events.forms import ActForm, TournamentForm

Kind = OrganiserAct.Kind

DONE: Mapping[Kind, StrOrPromise] = {
    Kind.START: gettext_lazy("The tournament begins."),
    Kind.CANCEL: gettext_lazy("The tournament is cancelled."),
    Kind.INVITE: gettext_lazy("The player is invited."),
    Kind.INVITE_CLUB: gettext_lazy("The members are invited."),
    Kind.LINK: gettext_lazy("The link is ready. Anybody who has it can enter."),
    Kind.UNLINK: gettext_lazy("The link is closed."),
    Kind.MESSAGE: gettext_lazy("Your message is sent."),
    Kind.REMOVE: gettext_lazy("The player is removed."),
    Kind.EXTEND: gettext_lazy("The round is extended."),
    Kind.PAUSE: gettext_lazy("The tournament is paused."),
    Kind.RESUME: gettext_lazy("The tournament goes on."),
    Kind.SETTLE: gettext_lazy("The pairing is settled."),
    Kind.LATE: gettext_lazy("Late entry is changed."),
    Kind.BYE: gettext_lazy("The bye is granted."),
    Kind.SHARE: gettext_lazy("The player is asked to share the job."),
    Kind.UNSHARE: gettext_lazy("The job isn’t shared any more."),
    Kind.HAND_OVER: gettext_lazy("The job is handed over."),
    Kind.WORD: gettext_lazy("Your words are on the page."),
    Kind.UNDO: gettext_lazy("The act is undone."),
}
"""What the page says after an act."""


def _check(request: UserRequest, tournament: Tournament) -> tuple[bool, HttpResponse | None]:
    """Return whether the user acts as a moderator, and where to show a second factor first.

    :raises PermissionDenied: the user is neither an organiser nor a moderator.
    """
    if selectors.organises(tournament, request.user):
        return False, None
    if not organising.may_moderate(request.user):
        raise PermissionDenied
    if not second_factor.is_shown(request):
        return True, second_factor.ask(request, request.get_full_path())
    return True, None


@login_required
@never_cache
@require_safe
def event_manage(request: UserRequest, event_id: int) -> HttpResponse:
    """Show what organisers can do now, and what they have done."""
    tournament = selectors.get(event_id)
    is_moderator, ask = _check(request, tournament)
    return ask or _page(request, tournament, is_moderator=is_moderator)


def _page(
    request: UserRequest,
    tournament: Tournament,
    *,
    is_moderator: bool,
    sent: ActForm | None = None,
) -> HttpResponse:
    forms = [
        sent
        if sent is not None and sent.kind == kind
        else ActForm(kind=kind, tournament=tournament, user=request.user, is_moderator=is_moderator)
        for kind in _offered(tournament, request, is_moderator=is_moderator)
    ]
    undo = sent if sent is not None and sent.kind == Kind.UNDO else None
    undoing = organising.UNDOING if is_moderator else ()
    log = acts.log_lines(selectors.acts_of(tournament))
    undoable = [str(one.act.pk) for one in log if one.act.kind in undoing and not one.undone_by]
    if (
        sent is not None
        and sent not in forms
        and not (undo and undo.data.get("undo-act") in undoable)
    ):
        # Its form isn't on the page any more: in another tab it was sent before, for example.
        refusals = sent.non_field_errors() or [_("This isn’t possible any more.")]
        messages.error(request, str(refusals[0]))
    context = {
        "event": tournament,
        "forms": forms,
        "log": log,
        "undo": undo,
        "undoing": undoing,
        "is_moderator": is_moderator,
        "co_organisers": list(tournament.co_organisers.select_related("user")),
        "invited": list(tournament.invitations.select_related("user")),
    }
    return render(request, "events/manage.html", context)


def _offered(tournament: Tournament, request: UserRequest, *, is_moderator: bool) -> list[Kind]:
    """Return the acts that are possible now, apart from those with a page of their own."""
    found: list[Kind] = []
    is_swiss = tournament.format == Tournament.Format.SWISS
    makes_sense = {
        Kind.INVITE_CLUB: led_by(request.user).exists(),
        Kind.UNLINK: bool(tournament.link),
        Kind.PAUSE: tournament.paused is None,
        Kind.RESUME: tournament.paused is not None,
        Kind.LATE: is_swiss,
        Kind.BYE: is_swiss and bool(organising.open_requests(tournament)),
        Kind.UNSHARE: tournament.co_organisers.exists(),
        Kind.HAND_OVER: tournament.co_organisers.filter(accepted__isnull=False).exists(),
        Kind.REMOVE: tournament.entries.filter(left=None).exists(),
    }
    if tournament.is_running and not is_swiss:
        # Nobody can enter any more.
        makes_sense |= {Kind.INVITE: False, Kind.INVITE_CLUB: False, Kind.LINK: False}
    for kind, one in organising.ACTS.items():
        if kind in (Kind.EDIT, Kind.UNDO) or tournament.status not in one.statuses:
            continue
        is_own = tournament.organiser_id == request.user.pk or is_moderator
        if makes_sense.get(kind, True) and (is_own or not one.only_organiser):
            found.append(kind)
    return found


@login_required
@never_cache
@require_POST
def event_act(request: UserRequest, event_id: int, act: str) -> HttpResponse:
    """Do what an organiser may do. After a refusal, what was typed is still there."""
    tournament = selectors.get(event_id)
    is_moderator, ask = _check(request, tournament)
    if ask is not None:
        return ask
    if act not in organising.ACTS or act == Kind.EDIT:
        raise Http404(_("There is no such act."))
    kind = Kind(act)
    form = ActForm(
        request.POST,
        kind=kind,
        tournament=tournament,
        user=request.user,
        is_moderator=is_moderator,
    )
    limits.spend(request, organising.LIMITS.get(kind, "organise"))
    if form.is_valid() and _is_done(request, tournament, form, moderates=is_moderator):
        messages.success(request, str(DONE[kind]))
        goes_on = kind not in (Kind.START, Kind.CANCEL, Kind.HAND_OVER)
        return redirect("event-manage" if goes_on else "event", event_id)
    return _page(request, selectors.get(event_id), is_moderator=is_moderator, sent=form)


def _is_done(
    request: UserRequest, tournament: Tournament, form: ActForm, *, moderates: bool
) -> bool:
    try:
        organising.act(
            tournament_id=tournament.pk,
            user=request.user,
            kind=form.kind,
            now=timezone.now(),
            moderates=moderates,
            **form.arguments,
        )
    except GameError as refusal:
        form.add_error(None, str(refusal))
        return False
    return True


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited("organise")
def event_edit(request: UserRequest, event_id: int) -> HttpResponse:
    """Change the terms of a tournament until its start."""
    tournament = selectors.get(event_id)
    is_moderator, ask = _check(request, tournament)
    if ask is not None:
        return ask
    title = registry.get(tournament.title)
    form = TournamentForm(
        request.POST or None, meta=title.meta, user=request.user, tournament=tournament
    )
    if request.method == "POST" and form.is_valid():
        arguments = form.arguments()
        arguments.pop("title")
        with refusals.InForm(form):
            organising.act(
                tournament_id=event_id,
                user=request.user,
                kind=Kind.EDIT,
                now=timezone.now(),
                reason=form.cleaned_data["reason"],
                moderates=is_moderator,
                **arguments,
            )
            messages.success(request, _("The terms are changed, and the players are notified."))
            return redirect("event", event_id)
    context: dict[str, Any] = {"form": form, "title": title, "meta": title.meta}
    context["tie_breaks"] = TIE_BREAKS
    return render(request, "events/new.html", {**context, "event": tournament})


def _answering(*, accepts: bool) -> Any:
    @login_required
    @require_POST
    @limits.limited("enter")
    def view(request: UserRequest, event_id: int) -> HttpResponse:
        with refusals.AsMessage(request):
            organising.answer(
                tournament_id=event_id, user=request.user, accepts=accepts, now=timezone.now()
            )
            accepted = _("You organise this tournament together now.")
            messages.success(request, accepted if accepts else _("You have declined."))
        return redirect("event", event_id)

    return view


event_accept = _answering(accepts=True)
event_decline = _answering(accepts=False)
