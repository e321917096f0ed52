"""Forms of one's vacation."""

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
        error_messages={"required": "You have no vacation days yet. Enter a later day."},
        help_text="Leave it empty to begin now.",
    )
    end = DayField(
        label="Back on",
        error_messages={"required": "Please enter the day on which you are back."},
        help_text="Your clocks resume at the start of this day. You can come back sooner.",
    )
    shows_end = forms.BooleanField(label="Show others when I am back", required=False, initial=True)

    def __init__(self, data: Any = None, *, first: datetime | None, is_now: bool = False) -> None:
        """Make the form.

        :param first: when there will be a day of vacation, if there is none.
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
        """Return the arguments of :func:`games.matches.clocks.vacations.plan`."""
        begin = self.cleaned_data.get("begin")
        return {
            "begin": _midnight(begin) if begin else None,
            "end": _midnight(self.cleaned_data["end"]),
            "shows_end": self.cleaned_data["shows_end"],
        }


class AutomaticForm(forms.Form):
    """Whether the site may put a player on vacation."""

    auto_vacation = forms.BooleanField(
        label="Start a vacation automatically if I'm about to time out",
        required=False,
        help_text=(
            "It begins an hour before your time runs out in any match, and lasts up to 7 days if"
            " you have that many left besides a planned vacation. It happens once in 365 days at"
            " most, and we notify you."
        ),
    )


def _midnight(day: date) -> datetime:
    """Return the moment at which a day begins by the reader's clocks."""
    return timezone.make_aware(datetime.combine(day, time()))
