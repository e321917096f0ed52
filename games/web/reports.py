"""Reporting a player, a match, or anything else that can be reported."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts import texts
from accounts.limits import limited
from accounts.requests import UserRequest
from games.matches.models import Match
from games.moderation import reports, subjects
from games.moderation.models import Case
from games.web import refusals

MAX_MATCHES = 5
"""How many matches with the player are listed."""


class ReportForm(forms.Form):
    suspect = forms.ChoiceField(
        label=gettext_lazy("Who are you reporting?"), widget=forms.RadioSelect
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("What for?"), choices=Case.Kind.choices, widget=forms.RadioSelect
    )
    text = texts.TextInput(
        label=gettext_lazy("What happened?"),
        required=False,
        max_length=reports.MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy(
            "Only moderators read this. Say in which turn it was, if it was in a match."
        ),
    )

    def __init__(
        self, data: Any, *, subject: subjects.Subject, user: Any, offered: reports.Offered
    ) -> None:
        super().__init__(data)
        what = self.fields["kind"]
        if isinstance(what, forms.ChoiceField):
            what.choices = [(kind, kind.label) for kind in offered.kinds]
            what.help_text = offered.note
            if offered.note:
                what.error_messages["invalid_choice"] = offered.note
        self.people = {str(one.pk): one for one in subject.suspects if one != user}
        choose = self.fields["suspect"]
        if isinstance(choose, forms.ChoiceField):
            choose.choices = [(pk, one.username) for pk, one in self.people.items()]
        if len(self.people) == 1:
            choose.initial = next(iter(self.people))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("report")
def report(request: UserRequest, name: str, subject_id: int) -> HttpResponse:
    """Show the form, or file a report. Guests are asked to join first."""
    if request.user.is_guest:
        return redirect("account_signup")
    subject = subjects.find(name, subject_id, request.user)
    form = ReportForm(
        request.POST or None,
        subject=subject,
        user=request.user,
        offered=reports.offered(name, subject_id, request.user),
    )
    if form.is_valid():
        with refusals.InForm(form):
            _file(request, form, name, subject_id)
            messages.success(request, _("Thank you. We’ll let you know the outcome."))
            return redirect(subject.url)
    context: dict[str, Any] = {"subject": subject, "form": form, "matches": []}
    if name == "player":
        matches = Match.objects.filter(players__user=request.user).filter(players__user=subject_id)
        context["matches"] = list(matches.order_by("-pk")[:MAX_MATCHES])
    return render(request, "report/report.html", context)


@login_required
@require_POST
@limited("report")
def report_now(request: UserRequest, name: str, subject_id: int) -> HttpResponse:
    """Report a person's text as abuse, in one step."""
    subject = subjects.find(name, subject_id, request.user)
    if len(subject.suspects) != 1 or not subject.quote:
        raise Http404(_("This takes more than one step to report."))
    with refusals.AsMessage(request):
        reports.file_report(
            reporter=request.user,
            name=name,
            subject_id=subject_id,
            suspect=subject.suspects[0],
            kind=Case.Kind.ABUSE,
            text="",
            now=timezone.now(),
        )
        messages.success(request, _("Thank you. We’ll let you know the outcome."))
    return redirect(subject.url)


def _file(request: UserRequest, form: ReportForm, name: str, subject_id: int) -> None:
    data = form.cleaned_data
    reports.file_report(
        reporter=request.user,
        name=name,
        subject_id=subject_id,
        suspect=form.people[data["suspect"]],
        kind=Case.Kind(data["kind"]),
        text=data["text"],
        now=timezone.now(),
    )
