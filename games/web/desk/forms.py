"""Forms of the desk."""

from typing import Any

from django import forms
from django.utils import timezone

from accounts import names, texts
from accounts.models import User
from games.moderation.case_actions import ACTIONS, MAX_REASON_LENGTH
from games.moderation.models import Case


class ReasonForm(forms.Form):
    """The reason, as the people concerned read it."""

    reason = texts.TextInput(
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Those concerned read this, and it stays in the log.",
    )


class NoteForm(forms.Form):
    text = texts.TextInput(label="Note", max_length=2000, widget=forms.Textarea(attrs={"rows": 3}))


class OpenForm(forms.Form):
    player = forms.CharField(
        max_length=names.MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="The name of the player.",
    )
    kind = forms.ChoiceField(choices=Case.Kind)
    reason = texts.TextInput(
        label="Why",
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For other moderators, and for the log.",
    )


class HandForm(ReasonForm):
    """A hidden hand to look at, and the reason."""

    match = forms.IntegerField(
        min_value=1, max_value=2**63 - 1, help_text="The number of a running match of the suspect."
    )
    seat = forms.IntegerField(min_value=1, max_value=10, help_text="Counted from 1.")
    field_order = ("match", "seat", "reason")


class ActionForm(ReasonForm):
    """An action on a case, with the fields of that action alone.

    ``action`` is the earlier choice, which submitted data overrides. ``seen`` is the number of
    actions in the case when the form was shown.
    """

    action = forms.ChoiceField(widget=forms.HiddenInput)
    until = forms.DateTimeField(
        required=False,
        help_text="Date and time, as in 2026-12-24 18:00.",
    )
    name = forms.CharField(
        label="New name",
        required=False,
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    substitute = forms.CharField(
        label="Name of the substitute",
        required=False,
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    match = forms.IntegerField(
        label="Number of the match", required=False, min_value=1, max_value=2**63 - 1
    )
    club = forms.IntegerField(
        label="Number of the club", required=False, min_value=1, max_value=2**63 - 1
    )
    team_match = forms.IntegerField(
        label="Number of the team match", required=False, min_value=1, max_value=2**63 - 1
    )
    post = forms.IntegerField(
        label="Number of the post", required=False, min_value=1, max_value=2**63 - 1
    )
    line = forms.IntegerField(
        label="Number of the line", required=False, min_value=1, max_value=2**63 - 1
    )
    hours = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=720,
        initial=24,
        help_text="Each opponent gets this much more time.",
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    of_actions = (
        *("until", "name", "substitute", "match"),
        *("club", "team_match", "post", "line", "hours"),
    )
    field_order = ("action", *of_actions, "reason")

    def __init__(
        self, data: Any = None, *, user: User, action: str = "", seen: int | None = None
    ) -> None:
        super().__init__(data, initial={"action": action, "seen": seen})
        chosen = ACTIONS.get(str(data.get("action", "")) if data else action)
        required, optional = (chosen.required, chosen.optional) if chosen else ((), ())
        for name in self.of_actions:
            if name in required:
                self.fields[name].required = True
            elif name not in optional:
                del self.fields[name]
        self.choices = [
            (name, offered.label)
            for name, offered in ACTIONS.items()
            if user.has_perm(f"moderation.{offered.permission}")
        ]
        """Name and label of each action that the user may take."""
        choose = self.fields["action"]
        if isinstance(choose, forms.ChoiceField):
            choose.choices = self.choices

    def clean(self) -> dict[str, Any]:
        """Check that a deadline is in the future.

        :raises ValidationError: it isn't.
        """
        data: dict[str, Any] = super().clean() or {}
        if data.get("until") and data["until"] <= timezone.now():
            self.add_error("until", "This is in the past.")
        data["hours"] = data.get("hours") or 24
        return data

    @property
    def chosen(self) -> str:
        """The label of the chosen action. Empty without one."""
        return dict(self.choices).get(str(self["action"].value()), "")

    def button(self, suspect: str) -> str:
        """Return the label of the button for a suspect. Empty if no action is chosen."""
        chosen = ACTIONS.get(str(self["action"].value()))
        return chosen.button.format(suspect) if chosen else ""
