"""Actions of moderators: each is a posted form, carried out by the services."""

from base64 import b64encode
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.requests import UserRequest
from accounts.sanctions.models import Sanction
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches.view import pictures
from games.moderation import actions, cases, hands, log
from games.moderation.case_actions import ACTIONS
from games.moderation.errors import ModerationRefused
from games.moderation.models import Case
from games.web.desk.forms import ActionForm, HandForm, NoteForm, OpenForm, ReasonForm
from games.web.desk.guard import check, desk
from games.web.desk.views import queue_shown, shown


@desk()
@require_POST
def open_case(request: UserRequest) -> HttpResponse:
    form = OpenForm(request.POST)
    if not form.is_valid():
        return queue_shown(request, form)
    data = form.cleaned_data
    how: dict[str, Any] = {"kind": Case.Kind(data["kind"]), "reason": data["reason"]}
    suspect = User.objects.named(data["player"])
    try:
        case = cases.open_by(request.user, suspect=suspect, now=timezone.now(), **how)
    except GameError as refusal:
        form.add_error(None, str(refusal))
        return queue_shown(request, form)
    return redirect("desk-case", case.pk)


@desk()
@require_POST
def waiting_post(request: UserRequest, post_id: int) -> HttpResponse:
    """Show a post that waits, or hide it with ``hide`` in the form."""
    shows = "hide" not in request.POST
    how: dict[str, Any] = {"moderator": request.user, "now": timezone.now()}
    _try(
        request,
        lambda: actions.decide_post(post_id, shows=shows, **how),
        "The post is shown." if shows else "The post is hidden.",
    )
    return redirect("desk")


@desk()
@require_POST
def claim(request: UserRequest, case_id: int) -> HttpResponse:
    case = get_object_or_404(Case, pk=case_id)
    _try(request, lambda: cases.claim(case, moderator=request.user, now=timezone.now()), "")
    return redirect("desk-case", case_id)


@desk()
@require_POST
def release(request: UserRequest, case_id: int) -> HttpResponse:
    cases.release(get_object_or_404(Case, pk=case_id), moderator=request.user)
    return redirect("desk")


@desk()
@require_POST
def note(request: UserRequest, case_id: int) -> HttpResponse:
    form = NoteForm(request.POST)
    if not form.is_valid():
        return shown(request, case_id, note_form=form)
    case = get_object_or_404(Case, pk=case_id)
    text = form.cleaned_data["text"]
    now = timezone.now()
    _try(request, lambda: cases.add_note(case, moderator=request.user, text=text, now=now), "")
    return redirect("desk-case", case_id)


@desk()
@require_POST
def close(request: UserRequest, case_id: int) -> HttpResponse:
    form = ReasonForm(request.POST, auto_id="close_%s")
    if not form.is_valid():
        return shown(request, case_id, close_form=form)
    case = get_object_or_404(Case, pk=case_id)
    upheld = "upheld" in request.POST
    how: dict[str, Any] = {"moderator": request.user, "now": timezone.now()}
    done = _try(
        request,
        lambda: cases.close(case, upheld=upheld, reason=form.cleaned_data["reason"], **how),
        "The case is closed.",
    )
    return redirect("desk") if done else redirect("desk-case", case_id)


@desk()
@require_POST
def act(request: UserRequest, case_id: int) -> HttpResponse:
    form = ActionForm(request.POST, user=request.user)
    if not form.is_valid():
        return shown(request, case_id, action_form=form)
    case = get_object_or_404(Case, pk=case_id)
    check(request, ACTIONS[form.cleaned_data["action"]].permission)
    now = timezone.now()
    _try(
        request,
        lambda: _do_once(case, form.cleaned_data, request, now),
        "Done. It is in the log, and those concerned are notified.",
    )
    return redirect("desk-case", case_id)


@transaction.atomic
def _do_once(case: Case, said: dict[str, Any], request: UserRequest, now: datetime) -> None:
    """Act on a case, unless another action was taken since the form was shown."""
    # Holds the case, so that of a double click the second finds what the first has done.
    cases.claim(case, moderator=request.user, now=now)
    if said["seen"] not in (None, log.length(case)):
        raise ModerationRefused(
            "Something was done in this case since you saw it. See the log below."
        )
    action = ACTIONS[said["action"]]
    values = [said[name] for name in action.required + action.optional]
    action.run(case, *values, moderator=request.user, reason=said["reason"], now=now)


@desk("unlock_hands")
@require_POST
def unlock(request: UserRequest, case_id: int) -> HttpResponse:
    """Show a hidden hand, once."""
    form = HandForm(request.POST, auto_id="hand_%s")
    if not form.is_valid():
        return shown(request, case_id, hand_form=form)
    case = get_object_or_404(Case, pk=case_id)
    data = form.cleaned_data
    how: dict[str, Any] = {"moderator": request.user, "reason": data["reason"]}
    try:
        drawing = hands.unlock(
            case, data["match"], Seat(data["seat"] - 1), now=timezone.now(), **how
        )
    except GameError as refusal:
        messages.error(request, str(refusal))
        return redirect("desk-case", case_id)
    picture = b64encode(pictures.png(drawing, "light")).decode()
    context = {"case": case, "match_id": data["match"], "seat": data["seat"], "picture": picture}
    return render(request, "desk/hand.html", context)


@desk("lift_sanctions")
@require_POST
def lift(request: UserRequest, sanction_id: int) -> HttpResponse:
    return _decide(request, sanction_id, actions.lift)


@desk("lift_sanctions")
@require_POST
def answer(request: UserRequest, sanction_id: int) -> HttpResponse:
    """Answer an appeal, and lift the sanction if so chosen."""
    lifts = "lift" in request.POST
    return _decide(request, sanction_id, partial(actions.answer_appeal, lifts=lifts))


def _decide(request: UserRequest, sanction_id: int, decide: Callable[..., None]) -> HttpResponse:
    """Decide about a sanction. Without a reason nothing is done."""
    imposed = get_object_or_404(Sanction, pk=sanction_id)
    form = ReasonForm(request.POST)
    if form.is_valid():
        how = {"moderator": request.user, "now": timezone.now()}
        reason = form.cleaned_data["reason"]
        _try(
            request,
            lambda: decide(imposed, reason=reason, **how),
            "Your decision is saved, and those concerned are notified.",
        )
    return redirect("desk-sanction", sanction_id)


def _try(request: UserRequest, do: Callable[[], Any], done: str) -> bool:
    """Do something and report success or the refusal. Return whether it succeeded."""
    try:
        do()
    except GameError as refusal:
        messages.error(request, str(refusal))
        return False
    if done:
        messages.success(request, done)
    return True
