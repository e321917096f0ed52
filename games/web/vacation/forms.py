"""Forms of the page of one's own vacation."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone


class DayField(forms.DateField):
    """A day, as the browser's own calendar gives it."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class VacationForm(forms.Form):
    """When a vacation begins and ends: at the beginnings of days by the reader's clocks."""

    begin = DayField(
        label="From",
        required=False,
        error_messages={"required": "You have no day of vacation yet. Plan one for later."},
        help_text="Leave it empty to begin now.",
    )
    end = DayField(
        label="Back on",
        error_messages={"required": "Please say when you are back."},
        help_text="Your clocks run on when this day begins. You can come back sooner.",
    )
    shows_end = forms.BooleanField(label="Show others when I am back", required=False, initial=True)

    def __init__(self, data: Any = None, *, first: datetime | None) -> None:
        """Make the form; ``first`` is when there will be a day of vacation, if there is none."""
        super().__init__(data)
        if first is not None:
            begin = self.fields["begin"]
            begin.required, begin.initial = True, timezone.localdate(first) + timedelta(days=1)
            begin.help_text = ""

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of :func:`games.matches.clocks.vacations.plan`."""
        begin = self.cleaned_data["begin"]
        return {
            "begin": _midnight(begin) if begin else None,
            "end": _midnight(self.cleaned_data["end"]),
            "shows_end": self.cleaned_data["shows_end"],
        }


class AutomaticForm(forms.Form):
    """Whether the site may put a player on vacation."""

    auto_vacation = forms.BooleanField(
        label="Put me on vacation rather than let me time out",
        required=False,
        help_text=(
            "An hour before your time runs out anywhere, a vacation of up to 7 days begins,"
            " if you have one left. Once in 365 days; we tell you."
        ),
    )


def _midnight(day: date) -> datetime:
    """Return the moment at which a day begins by the reader's clocks."""
    return timezone.make_aware(datetime.combine(day, time()))
