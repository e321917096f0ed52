"""The form of a new tournament."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from accounts import texts
from accounts.models import User
from games.events import services
from games.events.models import Tournament
from games.kernel.contract import Meta
from games.kernel.two_players import PAIR
from games.matches import formatting
from games.matches.clocks.clock import DAY, PRESETS, Clock
from games.web import parameters
from games.web.lobby.forms import PER_MOVE, explained

WEEK = 7


def formats(low: int, high: int) -> list[tuple[str, Any]]:
    """Return the kinds of tournaments of a game for so many players, with their explanations."""
    how = Tournament.Format
    out = []
    if low == PAIR:
        out.append("After one loss you are out")
    if high > PAIR:
        out.append("With more than two at a board, the better half of each board goes on")
    choices: list[tuple[str, Any]] = [
        (how.ROUND_ROBIN, explained("Round robin", "Everybody meets everybody, all at once")),
        (how.SWISS, explained("Swiss", "Each round pairs players with about the same score")),
        (how.KNOCK_OUT, explained("Knock-out", ". ".join(out))),
    ]
    if low == PAIR:
        choices += [
            (how.GROUPS, explained("Groups, then finals", "The first two of each group go on")),
            (how.DOUBLE, explained("Double elimination", "After two losses you are out")),
        ]
    return choices


CLOCKS = [
    *(
        (name, explained(name.capitalize(), formatting.clock(clock).capitalize()))
        for name, clock in PRESETS.items()
    ),
    (PER_MOVE, explained("Days for each turn", "Every turn starts with the same time")),
]


class TournamentForm(forms.Form):
    """A new tournament of one game."""

    name = texts.TextInput(
        label="Name", max_length=60, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    about = texts.TextInput(
        label="What players should know",
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    format = forms.ChoiceField(
        label="Kind", initial=Tournament.Format.ROUND_ROBIN, widget=forms.RadioSelect
    )
    rounds = forms.IntegerField(
        label="Rounds",
        min_value=1,
        max_value=services.MAX_ROUNDS,
        required=False,
        help_text="Leave it empty and we choose the number when the tournament begins.",
    )
    least = forms.IntegerField(label="Fewest players", min_value=3, max_value=128, initial=4)
    most = forms.IntegerField(label="Most players", min_value=3, max_value=128, initial=8)
    starts = forms.DateField(
        label="Entry closes on",
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text="In your time zone, at the end of the day.",
    )
    begins_when_full = forms.BooleanField(
        label="Begin as soon as it is full",
        required=False,
        initial=True,
        help_text="If not, it begins on this day. Until then others can join a waiting list.",
    )
    round_days = forms.IntegerField(
        label="Days for a round",
        min_value=services.ROUND_DAYS[0],
        max_value=services.ROUND_DAYS[1],
        initial=28,
        help_text="Matches that still run after so many days are ended."
        " Vacations and pauses don’t make a round longer.",
    )
    short_rounds = forms.BooleanField(label="Keep the rounds this short", required=False)
    clock = forms.ChoiceField(
        label="Clock", choices=CLOCKS, initial="standard", widget=forms.RadioSelect
    )
    days = forms.IntegerField(
        label="Days for each turn", min_value=1, max_value=14, initial=3, required=False
    )
    rated = forms.BooleanField(
        label="Rated",
        required=False,
        initial=True,
        help_text="The results change the ratings of the players.",
    )

    def __init__(self, *args: Any, meta: Meta, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meta = meta
        self.user = user
        self.is_round_short = False
        low, high = meta.seats
        # A format that needs two players at a board is refused with that reason.
        self.fields["format"].choices = formats(low, high)  # type: ignore[attr-defined]
        soon = timezone.now().astimezone(user.zone).date() + timedelta(days=WEEK)
        self.fields["starts"].initial = soon
        if low < high:
            self.fields["seats"] = forms.IntegerField(
                label="Players at a board", min_value=low, max_value=high, initial=low
            )
        self.fields |= parameters.fields(meta)

    @property
    def parameter_fields(self) -> list[forms.BoundField]:
        """The fields of the game's parameters."""
        return [self[name] for name in self.fields if name.startswith(parameters.PREFIX)]

    def clean_starts(self) -> datetime:
        """Return the end of the day in the user's time zone."""
        day: date = self.cleaned_data["starts"]
        try:
            return (datetime.combine(day, time(), self.user.zone) + DAY).astimezone(UTC)
        except OverflowError as too_late:
            # the last day of the calendar has no end
            raise forms.ValidationError("Enter an earlier date.") from too_late

    def clean(self) -> dict[str, Any]:
        """Turn the fields of the clock into ``time_control``."""
        cleaned = super().clean() or self.cleaned_data
        days = cleaned.get("days")
        if cleaned.get("clock") == PER_MOVE and not days:
            self.add_error("days", "Please enter a number.")
        elif "clock" in cleaned:
            kind = cleaned["clock"]
            cleaned["time_control"] = PRESETS.get(kind) or Clock.per_move(days or 1)
            self._check_round(cleaned["time_control"])
        return cleaned

    def _check_round(self, clock: Clock) -> None:
        """Warn of a round in which slow players don't get through their first turns."""
        round_days = self.cleaned_data.get("round_days")
        needed = clock.start * self.cleaned_data.get("seats", self.meta.seats[0])
        if round_days is None or needed <= round_days * DAY:
            return
        self.is_round_short = True
        if not self.cleaned_data.get("short_rounds"):
            self.add_error(
                "round_days",
                f"With this clock, the first turns can take {formatting.span(needed)}. Choose more"
                " days or a faster clock, or tick the box below.",
            )

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of :func:`games.events.services.create`."""
        cleaned = self.cleaned_data
        return {
            "name": cleaned["name"],
            "about": cleaned["about"],
            "title": self.meta.slug,
            "params": parameters.params(cleaned),
            "clock": cleaned["time_control"],
            "format": Tournament.Format(cleaned["format"]),
            "seats": cleaned.get("seats", self.meta.seats[0]),
            "rounds": cleaned["rounds"] or 0,
            "least": cleaned["least"],
            "most": cleaned["most"],
            "starts": cleaned["starts"],
            "begins_when_full": cleaned["begins_when_full"],
            "round_days": cleaned["round_days"],
            "rated": cleaned["rated"],
        }
