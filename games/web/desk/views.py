"""Pages of moderators: the queue, cases, sanctions with their appeals, and the log."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.requests import UserRequest
from accounts.sanctions.models import Sanction
from games.clubs import selectors as clubs
from games.events import selectors as events
from games.events.acts import log_lines
from games.moderation import actions, cases, log
from games.moderation.errors import NotYours
from games.moderation.models import Case
from games.noticeboards import selectors as noticeboards
from games.web.desk import page
from games.web.desk.forms import ActionForm, HandForm, NoteForm, OpenForm, ReasonForm
from games.web.desk.guard import desk

MAX_POSTS = 50
"""How many posts that wait the queue shows."""


@desk()
@require_safe
def queue(request: UserRequest) -> HttpResponse:
    """List the open cases, the heaviest first, and appeals that wait for an answer."""
    return queue_shown(request, OpenForm(initial={"player": request.GET.get("player", "")}))


def queue_shown(request: UserRequest, form: OpenForm) -> HttpResponse:
    """Show the queue, with a form for a new case."""
    now = timezone.now()
    context = {
        "cases": cases.queue(request.user, now),
        "appeals": actions.appeals(request.user),
        "posts": noticeboards.waiting()[:MAX_POSTS],
        "now": now,
        "form": form,
        "is_open": form.is_bound or bool(form.initial["player"]),
    }
    return render(request, "desk/queue.html", context)


@desk()
@require_safe
def case(request: UserRequest, case_id: int) -> HttpResponse:
    """Show a case, unless the moderator is involved in it."""
    return shown(request, case_id)


def shown(request: UserRequest, case_id: int, **forms: Any) -> HttpResponse:
    """Show the page of a case, with the given bound forms.

    :raises PermissionDenied: the moderator is involved in the case, or only superusers may see it.
    """
    opened = get_object_or_404(Case.objects.select_related("suspect", "claimed_by"), pk=case_id)
    try:
        cases.check_open_to(request.user, opened)
    except NotYours as refusal:
        raise PermissionDenied from refusal
    now = timezone.now()
    held = opened.claimed_until is not None and opened.claimed_until > now
    context = {
        **page.of(opened, request.user),
        "is_mine": held and opened.claimed_by_id == request.user.pk,
        "is_held": held and opened.claimed_by_id != request.user.pk,
        "action_form": ActionForm(
            user=request.user, action=request.GET.get("action", ""), seen=log.length(opened)
        ),
        "note_form": NoteForm(),
        "close_form": ReasonForm(auto_id="close_%s"),
        "hand_form": HandForm(auto_id="hand_%s"),
        **forms,
    }
    context["action_button"] = context["action_form"].button(opened.suspect.shown_name)
    return render(request, "desk/case.html", context)


@desk()
@require_safe
def sanction(request: UserRequest, sanction_id: int) -> HttpResponse:
    rows = Sanction.objects.select_related("user", "moderator")
    selected = get_object_or_404(rows.exclude(user=request.user), pk=sanction_id)
    try:
        actions.check_may_decide(selected, request.user)
    except NotYours as refusal:
        raise PermissionDenied from refusal
    holds = selected.lifted is None and (selected.until is None or selected.until > timezone.now())
    context = {
        "sanction": selected,
        "holds": holds,
        "may_answer": actions.may_answer(selected, request.user),
        "form": ReasonForm(),
    }
    return render(request, "desk/sanction.html", context)


@desk()
@require_safe
def act_log(request: UserRequest) -> HttpResponse:
    """List what organisers did in tournaments, or leaders in clubs."""
    of_leaders = request.GET.get("by") == "leaders"
    found: Any = clubs.leader_acts() if of_leaders else events.acts()
    rows = Paginator(found, 50).get_page(request.GET.get("page"))
    lines = [] if of_leaders else log_lines(rows)
    return render(request, "desk/acts.html", {"page": rows, "lines": lines, "leaders": of_leaders})


@desk()
@require_safe
def action_log(request: UserRequest) -> HttpResponse:
    rows = Paginator(cases.log_shown_to(request.user), 50).get_page(request.GET.get("page"))
    return render(request, "desk/log.html", {"page": rows})
