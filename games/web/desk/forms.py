"""Forms of the desk."""

from typing import Any

from django import forms
from django.utils import timezone

from accounts import names
from accounts.models import User
from games.moderation.models import Case

LONGEST_REASON = 1000

ACTIONS: dict[str, tuple[str, str]] = {
    "warning": ("Warn", "warn_player"),
    "mute": ("Mute until", "mute_player"),
    "hide-line": ("Hide a line of chat", "mute_player"),
    "restore-line": ("Show a hidden line again", "mute_player"),
    "suspension": ("Suspend until", "suspend_player"),
    "ban": ("Ban", "ban_player"),
    "rename": ("Rename", "rename_player"),
    "withdraw": ("Withdraw all open challenges", "end_matches"),
    "abandon": ("Call a seat abandoned, and let the opponents choose", "end_matches"),
    "substitute": ("Ask a substitute into a match", "end_matches"),
    "remove": ("Take out of a match", "end_matches"),
    "end": ("End a match as it stands", "end_matches"),
    "annul": ("Annul a match", "end_matches"),
    "give-time": ("Give the opponents more time in a match", "give_time"),
    "stop-clocks": ("Stop the clocks of a match", "give_time"),
    "run-clocks": ("Let the clocks of a match run on", "give_time"),
}
"""What can be done about a case: how it is called, and the power that it takes."""

NEEDS = {
    "mute": ("until",),
    "hide-line": ("line",),
    "restore-line": ("line",),
    "suspension": ("until",),
    "rename": ("name",),
    "abandon": ("match",),
    "substitute": ("match", "name"),
    "remove": ("match",),
    "end": ("match",),
    "annul": ("match",),
    "give-time": ("match",),
    "stop-clocks": ("match",),
    "run-clocks": ("match",),
}
"""The fields that an action cannot do without."""


class ReasonForm(forms.Form):
    """Why, in words that those concerned read."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Those concerned read this, and it stays in the log.",
    )


class NoteForm(forms.Form):
    """A note for other moderators."""

    text = forms.CharField(label="Note", max_length=2000, widget=forms.Textarea(attrs={"rows": 3}))


class OpenForm(forms.Form):
    """A case that nobody has reported."""

    player = forms.CharField(max_length=names.LONGEST, help_text="The name of the player.")
    kind = forms.ChoiceField(choices=Case.Kind)
    reason = forms.CharField(
        label="Why",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For other moderators, and for the log.",
    )


class HandForm(ReasonForm):
    """A hidden hand that has to be looked at, and why."""

    match = forms.IntegerField(
        min_value=1, max_value=2**63 - 1, help_text="The number of a running match of the suspect."
    )
    seat = forms.IntegerField(min_value=1, max_value=10, help_text="Counted from 1.")
    field_order = ("match", "seat", "reason")


class ActionForm(ReasonForm):
    """What is done about a case; which fields count depends on it.

    ``seen`` is how much had been done in the case when the form was shown.
    """

    action = forms.ChoiceField(label="What to do", widget=forms.RadioSelect)
    until = forms.DateTimeField(
        required=False,
        help_text="For a mute, a suspension or stopped clocks, as in 2026-12-24 18:00.",
    )
    name = forms.CharField(
        required=False,
        max_length=20,
        help_text="The new name, to rename; or the name of the substitute.",
    )
    match = forms.IntegerField(
        required=False, min_value=1, max_value=2**63 - 1, help_text="The number of the match."
    )
    line = forms.IntegerField(
        required=False, min_value=1, max_value=2**63 - 1, help_text="The number of the line."
    )
    hours = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=720,
        initial=24,
        help_text="How much more time each opponent gets.",
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    field_order = ("action", "until", "name", "match", "line", "hours", "reason")

    def __init__(self, data: Any = None, *, user: User, seen: int | None = None) -> None:
        super().__init__(data, initial={"seen": seen})
        choose = self.fields["action"]
        if isinstance(choose, forms.ChoiceField):
            choose.choices = [
                (action, label)
                for action, (label, power) in ACTIONS.items()
                if user.has_perm(f"moderation.{power}")
            ]

    def clean(self) -> dict[str, Any]:
        """Check that what the action needs is there.

        :raises ValidationError: it is not.
        """
        said: dict[str, Any] = super().clean() or {}
        for needed in NEEDS.get(said.get("action", ""), ()):
            if needed not in self.errors and not said.get(needed):
                self.add_error(needed, "This is needed here.")
        if said.get("until") and said["until"] <= timezone.now():
            self.add_error("until", "This is over already.")
        said["hours"] = said.get("hours") or 24
        return said
