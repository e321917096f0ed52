"""Forms of team matches: the challenge, the line-up, and a replacement."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import texts
from accounts.forms import explained
from accounts.models import User
from games.clubs import names
from games.clubs.models import Club
from games.clubs.selectors import named
from games.events.models import Entry, Waiting
from games.kernel.contract import Meta
from games.teams import services
from games.teams.models import TeamMatch, TeamPlayer
from games.teams.selectors import led_by
from games.web import parameters
from games.web.events.forms import ClockForm, end_of_day

Pairing = TeamMatch.Pairing

DATE = {"type": "date"}


PAIRINGS = [
    (
        Pairing.RATING,
        explained(Pairing.RATING.label, gettext_lazy("The strongest of each club meet")),
    ),
    (
        Pairing.ORDER,
        explained(Pairing.ORDER.label, gettext_lazy("The leaders choose who plays where")),
    ),
]


class TeamMatchForm(ClockForm):
    """A challenge of a club that the user leads to another one."""

    club = forms.TypedChoiceField(label=gettext_lazy("Your club"), coerce=int)
    opponent = texts.TextInput(
        label=gettext_lazy("The other club"),
        max_length=names.MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Its name. Its leaders answer."),
    )
    boards = forms.IntegerField(
        label=gettext_lazy("Players of each club"),
        min_value=services.BOARDS[0],
        max_value=services.BOARDS[1],
        initial=4,
    )
    pairing = forms.ChoiceField(
        label=gettext_lazy("Who meets whom"),
        choices=PAIRINGS,
        initial=Pairing.RATING,
        widget=forms.RadioSelect,
    )
    rated = forms.BooleanField(
        label=gettext_lazy("Rated"),
        required=False,
        initial=True,
        help_text=gettext_lazy("The results change the ratings of the players."),
    )
    due = forms.DateField(
        label=gettext_lazy("Line-ups until"),
        widget=forms.DateInput(DATE, format="%Y-%m-%d"),
        help_text=gettext_lazy("At the end of this day it is cancelled if a line-up is missing."),
    )
    ends = forms.DateField(
        label=gettext_lazy("Matches end on"),
        widget=forms.DateInput(DATE, format="%Y-%m-%d"),
        help_text=gettext_lazy("Matches that still run at the end of this day are ended."),
    )

    def __init__(self, *args: Any, meta: Meta, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meta = meta
        self.user = user
        clubs = [(club.pk, club.name) for club in led_by(user)]
        self.fields["club"].choices = clubs  # type: ignore[attr-defined]
        today = timezone.now().astimezone(user.zone).date()
        self.fields["due"].initial = today + timedelta(days=10)
        self.fields["ends"].initial = today + timedelta(days=70)
        low, high = meta.seats
        if low < high:
            self.fields["seats"] = forms.IntegerField(
                label=_("Players at a board"), min_value=low, max_value=high, initial=low
            )
        self.fields |= parameters.fields(meta)

    def clean_opponent(self) -> Club:
        """Return the open club of this name."""
        club = named(self.cleaned_data["opponent"])
        if club is None:
            raise forms.ValidationError(_("There is no club with this name."))
        return club

    def clean_due(self) -> datetime:
        return end_of_day(self.cleaned_data["due"], self.user.zone)

    def clean_ends(self) -> datetime:
        return end_of_day(self.cleaned_data["ends"], self.user.zone)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of :func:`games.teams.services.challenge`."""
        cleaned = self.cleaned_data
        return {
            "club_id": cleaned["club"],
            "opponent_id": cleaned["opponent"].pk,
            "title": self.meta.slug,
            "params": parameters.params(cleaned),
            "clock": cleaned["time_control"],
            "seats": self.seat_count,
            "boards": cleaned["boards"],
            "rated": cleaned["rated"],
            "pairing": Pairing(cleaned["pairing"]),
            "due": cleaned["due"],
            "ends": cleaned["ends"],
        }


class LineUpForm(forms.Form):
    """Who plays: a box for each member who has signed up, or the number of their board."""

    def __init__(
        self, *args: Any, team_match: TeamMatch, players: Sequence[TeamPlayer], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.in_order = team_match.pairing == Pairing.ORDER
        self.boards = team_match.boards
        self.players = players
        for one in players:
            self.fields[f"board-{one.user_id}"] = self._field(one)

    def _field(self, one: TeamPlayer) -> forms.Field:
        if not self.in_order:
            return forms.BooleanField(
                label=one.user.shown_name, required=False, initial=one.board is not None
            )
        return forms.IntegerField(
            label=one.user.shown_name,
            min_value=1,
            max_value=self.boards,
            required=False,
            initial=one.board,
        )

    def rows(self) -> list[tuple[TeamPlayer, forms.BoundField]]:
        """Return each player with the field."""
        return [(one, self[f"board-{one.user_id}"]) for one in self.players]

    def clean(self) -> dict[str, Any]:
        """Check that no two players have one board."""
        cleaned = super().clean() or self.cleaned_data
        boards = [cleaned.get(f"board-{one.user_id}") for one in self.players]
        numbers = [board for board in boards if board and self.in_order]
        twice = sorted({board for board in numbers if numbers.count(board) > 1})
        if twice:
            raise forms.ValidationError(
                _("Two players have board {number}.").format(number=twice[0])
            )
        return cleaned

    def line_up(self) -> list[int]:
        """Return the ids of the chosen users, the first board first."""
        chosen = [one for one in self.players if self.cleaned_data[f"board-{one.user_id}"]]
        if self.in_order:
            chosen.sort(key=lambda one: self.cleaned_data[f"board-{one.user_id}"])
        return [one.user_id for one in chosen]


class ReplaceForm(forms.Form):
    """A player who hasn't moved, and the reserve who steps in."""

    player = forms.ChoiceField(label=gettext_lazy("Player"))
    substitute = forms.ChoiceField(label=gettext_lazy("Reserve"))

    def __init__(
        self, *args: Any, entries: Sequence[Entry], reserves: Sequence[Waiting], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        for name, rows in (("player", entries), ("substitute", reserves)):
            people = [(one.user.username, one.user.shown_name) for one in rows]
            self.fields[name].choices = people  # type: ignore[attr-defined]
