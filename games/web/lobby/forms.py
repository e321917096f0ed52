"""Forms of the lobby: a new challenge, and the answer to one."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django_stubs_ext import StrOrPromise

from accounts import texts
from accounts.forms import explained
from accounts.models import User
from games.bots.levels import LEVELS
from games.http.archive import game_choices
from games.kernel import registry
from games.kernel.contract import Meta
from games.kernel.dice import SIZE
from games.kernel.language import labelled
from games.kernel.two_players import PAIR
from games.lobby import commitments, renewals
from games.lobby.commitments import CommitmentRefused, PendingSecret
from games.lobby.finding import Wanted, is_for_two
from games.lobby.models import Challenge
from games.lobby.reliability import MINIMUM_CHOICES
from games.lobby.services import CHALLENGE_LIFETIME, MAX_CHALLENGE_LIFETIME
from games.lobby.strength import WITHIN_CHOICES
from games.matches import formatting
from games.matches.clock import DAY, PRESETS, Clock
from games.web import parameters
from games.web.lobby.sentence import challenge_in_words

PER_MOVE, CUSTOM, NONE = "per-move", "custom", "none"
MAX_CLOCK_DAYS = 60
"""Maximum number of days of a custom clock."""


def games_for_two() -> list[tuple[str, str]]:
    """Return slug and name of every game that two can play."""
    titles = registry.titles().items()
    return [(slug, title.meta.name) for slug, title in titles if is_for_two(title.meta)]


PACES = {
    "brisk": pgettext_lazy("clock", "Brisk"),
    "standard": pgettext_lazy("clock", "Standard"),
    "leisurely": pgettext_lazy("clock", "Leisurely"),
}
"""The named clocks, as forms show them."""

OTHER_CLOCKS = [
    (
        PER_MOVE,
        explained(
            gettext_lazy("Days per turn"), gettext_lazy("Each turn starts with the same time")
        ),
    ),
    (
        CUSTOM,
        explained(
            gettext_lazy("Custom"), gettext_lazy("Set the start, the increment and the maximum")
        ),
    ),
    (NONE, explained(pgettext_lazy("clock", "None"), gettext_lazy("No time limit"))),
]


def clocks() -> list[tuple[str, StrOrPromise]]:
    named = [
        (name, explained(PACES[name], formatting.clock(clock))) for name, clock in PRESETS.items()
    ]
    return [*named, *OTHER_CLOCKS]


def paces() -> list[tuple[str, str]]:
    """Return the named clocks with their times in brackets."""
    return [(name, f"{PACES[name]} ({formatting.clock(clock)})") for name, clock in PRESETS.items()]


def _within() -> list[tuple[int | str, str]]:
    points = _("Within {count} points of mine")
    within = [(count, points.format(count=count)) for count in WITHIN_CHOICES]
    return [("", pgettext("rating", "Any")), *within]


def levels() -> list[tuple[str, str]]:
    """Return name and label of the levels of bots, the lowest first."""
    return [(level.name, level.label) for level in LEVELS]


def _rating_within(label: StrOrPromise, help_text: StrOrPromise = "") -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=label,
        choices=_within,
        coerce=int,
        empty_value=None,
        required=False,
        help_text=help_text,
    )


class NonceField(forms.CharField):
    """A player's nonce of ``SIZE`` bytes, in hexadecimal.

    It is empty if it is missing or malformed. Then the server draws one.
    """

    widget = forms.HiddenInput(attrs={"data-nonce": SIZE})

    def clean(self, value: Any) -> bytes:
        """Return ``SIZE`` bytes or nothing."""
        try:
            nonce = bytes.fromhex(str(value or ""))
        except ValueError:
            return b""
        return nonce if len(nonce) == SIZE else b""


class DiceForm(forms.Form):
    """A browser's contribution to the dice: a nonce, or with strict dice a commitment to one.

    ``commitment_token`` names the commitment of the server that the form showed. Scripts fill in
    the other fields (``static/js/net/nonces.js``).
    """

    nonce = NonceField(required=False)
    nonce_commitment = forms.CharField(
        max_length=2 * SIZE,
        required=False,
        widget=forms.HiddenInput(attrs={"data-nonce-commitment": ""}),
    )
    commitment_token = forms.CharField(max_length=400, required=False, widget=forms.HiddenInput)

    def pending_of(self, user: User | AnonymousUser) -> PendingSecret | None:
        """Return the secret whose commitment the form showed. ``None`` without a token.

        :raises CommitmentRefused: the token is expired or invalid.
        """
        token = self.cleaned_data["commitment_token"]
        return commitments.redeem(user, token) if token else None

    def contribution(self, user: User | AnonymousUser) -> dict[str, Any]:
        """Return nonce and commitment of a match without strict dice. Empty without a nonce.

        The server then draws both, so that a form without JavaScript can be sent twice.

        :raises CommitmentRefused: the token is expired or invalid.
        """
        nonce = self.cleaned_data["nonce"]
        return {"nonce": nonce, "pending": self.pending_of(user)} if nonce else {}


def _days(label: StrOrPromise, most: int, initial: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=1, max_value=most, initial=initial, required=False
    )


class ClockFields(forms.Form):
    """The clock of a match: one of the presets, days per turn, a custom one, or none."""

    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"), choices=clocks, initial="standard", widget=forms.RadioSelect
    )
    days = _days(gettext_lazy("Days per turn"), 30, 3)
    start = _days(gettext_lazy("Days at the start"), MAX_CLOCK_DAYS, 5)
    increment = forms.IntegerField(
        label=gettext_lazy("Extra hours per turn"),
        min_value=0,
        max_value=240,
        initial=24,
        required=False,
    )
    cap = _days(gettext_lazy("Maximum days"), MAX_CLOCK_DAYS, 10)
    weekends_off = forms.BooleanField(label=gettext_lazy("Weekends don’t count"), required=False)
    zone = ""
    """The name of the time zone for weekends."""

    def clean(self) -> dict[str, Any]:
        """Combine the fields into ``time_control``."""
        cleaned = super().clean() or self.cleaned_data
        if "clock" in cleaned:
            clock = self._clock(cleaned)
            off = clock is not None and cleaned.get("weekends_off")
            cleaned["time_control"] = replace(clock, weekends=self.zone) if clock and off else clock
        return cleaned

    def _clock(self, cleaned: Mapping[str, Any]) -> Clock | None:
        kind = cleaned["clock"]
        if kind == PER_MOVE:
            return Clock.per_move(self._needed("days"))
        if kind == CUSTOM:
            return self._own()
        return PRESETS.get(kind)

    def _own(self) -> Clock:
        start, hours, cap = (self._needed(name) for name in ("start", "increment", "cap"))
        if cap < start:
            self.add_error("cap", _("It must be at least the days at the start."))
        return Clock(start * DAY, timedelta(hours=hours), cap * DAY)

    def _needed(self, name: str) -> int:
        value = self.cleaned_data.get(name)
        if value is None:
            self.add_error(name, _("Please enter a number."))
        return value or 0


class BotFields(forms.Form):
    """Whether bots may take the seats of an open challenge that nobody takes for a while."""

    bots_after = forms.TypedChoiceField(
        label=gettext_lazy("If nobody accepts"),
        choices=[
            ("", gettext_lazy("Keep waiting")),
            (1, gettext_lazy("A bot after an hour")),
            (24, gettext_lazy("A bot after a day")),
        ],
        required=False,
        coerce=int,
        empty_value=None,
        widget=forms.RadioSelect,
    )
    bot_level = forms.ChoiceField(
        label=gettext_lazy("Level of the bot"),
        choices=levels,
        initial=LEVELS[0].name,
        required=False,
    )

    def bot_terms(self, now: datetime) -> dict[str, Any]:
        """Return from when on bots of which level may take seats. Empty if they may not."""
        hours = self.cleaned_data["bots_after"]
        if hours is None or self.cleaned_data["audience"] != Challenge.Audience.OPEN:
            return {}
        level = self.cleaned_data["bot_level"] or LEVELS[0].name
        return {"bots_from": now + timedelta(hours=hours), "bot_level": level}


class ChallengeForm(DiceForm, ClockFields, BotFields, parameters.ParametersForm):
    """A new challenge of one game. ``pending`` is the unused secret of its dice."""

    audience = forms.ChoiceField(
        label=gettext_lazy("Who may play"),
        choices=[
            (
                Challenge.Audience.OPEN,
                explained(gettext_lazy("Anybody"), gettext_lazy("Listed in the lobby")),
            ),
            (
                Challenge.Audience.NAMED,
                explained(gettext_lazy("Invited players"), gettext_lazy("They are notified")),
            ),
            (
                Challenge.Audience.LINK,
                explained(
                    gettext_lazy("By link"), gettext_lazy("Anybody with the link that you send")
                ),
            ),
        ],
        initial=Challenge.Audience.OPEN,
        widget=forms.RadioSelect,
    )
    players = forms.CharField(
        label=gettext_lazy("Names of the players"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Separate several names with commas."),
    )
    least_reliability = forms.TypedChoiceField(
        label=gettext_lazy("Minimum reliability"),
        choices=[
            (0, gettext_lazy("Anybody")),
            *((least, f"{least} %") for least in MINIMUM_CHOICES if least),
        ],
        coerce=int,
        required=False,
        initial=0,
        help_text=gettext_lazy(
            "The share of matches that a player plays to the end. Recent matches count most."
        ),
    )
    rated = forms.TypedChoiceField(
        label=gettext_lazy("Rating"),
        choices=[
            (
                1,
                explained(
                    gettext_lazy("Rated"),
                    gettext_lazy("The result changes the ratings of its players"),
                ),
            ),
            (0, explained(gettext_lazy("Friendly"), gettext_lazy("Ratings stay as they are"))),
        ],
        coerce=lambda value: value == "1",
        required=False,
        initial=1,
        widget=forms.RadioSelect,
    )
    rating_within = _rating_within(
        gettext_lazy("Rating of the others"),
        gettext_lazy("Counted from your rating in this game, which is 1500 at the start."),
    )
    seating = forms.ChoiceField(
        label=gettext_lazy("Who begins"),
        choices=[
            (Challenge.Seating.RANDOM, gettext_lazy("Random")),
            (Challenge.Seating.FIRST, gettext_lazy("I begin")),
            (Challenge.Seating.LAST, gettext_lazy("They begin")),
        ],
        initial=Challenge.Seating.RANDOM,
        widget=forms.RadioSelect,
    )
    keep_up_to = forms.IntegerField(
        label=gettext_lazy("Repost until I have this many matches"),
        min_value=1,
        max_value=renewals.MAX_MATCH_LIMIT,
        required=False,
        help_text=gettext_lazy(
            "Leave it empty to post it once. We don’t repost while you are on vacation or have "
            "reached your limit of matches. It stops if you run out of time or stay away for two "
            "weeks."
        ),
    )
    message = texts.TextInput(
        label=gettext_lazy("Message"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    lifetime = forms.IntegerField(
        label=gettext_lazy("Days until it expires"),
        min_value=1,
        max_value=MAX_CHALLENGE_LIFETIME.days,
        initial=CHALLENGE_LIFETIME.days,
    )
    strict_dice = forms.BooleanField(
        label=gettext_lazy("Strict dice"),
        required=False,
        help_text=gettext_lazy(
            "Each browser commits to its random number before any number is revealed. The match "
            "starts when all players have come back to reveal theirs."
        ),
    )

    def __init__(self, *args: Any, meta: Meta, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meta = meta
        self.user = user
        self.pending = self._pending()
        self.zone = str(user.zone)
        off = _("All clocks stop on Saturdays and Sundays in your time zone ({zone}).")
        self.fields["weekends_off"].help_text = off.format(zone=formatting.zone(self.zone))
        if not meta.has_chance:
            del self.fields["strict_dice"]
        if meta.rolls_for_first:
            del self.fields["seating"]
        low, high = meta.seats
        if low < high:
            self.fields["seats"] = forms.IntegerField(
                label=gettext_lazy("Players"), min_value=low, max_value=high, initial=low
            )
        self.fields |= parameters.fields(meta)
        if high == PAIR:
            self.fields["players"].label = gettext_lazy("Name of the player")
            self.fields["players"].help_text = ""

    @classmethod
    def filled_in(cls, *, meta: Meta, user: User, opponent: str = "") -> "ChallengeForm":
        """Return the form with standard settings, challenging ``opponent`` if it is a name."""
        fields = cls(meta=meta, user=user).fields.items()
        # A box that is not ticked is not sent.
        chosen = {
            name: field.initial
            for name, field in fields
            if field.initial is not None and field.initial is not False
        }
        if opponent:
            chosen |= {"audience": Challenge.Audience.NAMED, "players": opponent}
        return cls(chosen, meta=meta, user=user)

    @property
    def sentence(self) -> str:
        """The whole challenge in words, or the first error of the form."""
        if self.is_valid():
            return challenge_in_words(self.meta, self.cleaned_data)
        name, errors = next(iter(self.errors.items()))
        if name not in self.fields:
            return str(errors[0])
        return labelled(str(self[name].label), str(errors[0]))

    def clean(self) -> dict[str, Any]:
        """Refuse combinations that bots can't play or that can't be renewed."""
        cleaned = super().clean()
        if cleaned.get("audience") != Challenge.Audience.OPEN:
            cleaned["keep_up_to"] = None
        if cleaned.get("keep_up_to") and cleaned.get("strict_dice"):
            self.add_error("keep_up_to", _("We cannot repost challenges with strict dice."))
        if cleaned.get("strict_dice") and cleaned.get("bots_after"):
            self.add_error("bots_after", _("Bots play without strict dice."))
        return cleaned

    def _pending(self) -> PendingSecret:
        """Return the secret of the submitted token, or a new one."""
        try:
            return commitments.redeem(self.user, self.data.get("commitment_token", ""))
        except CommitmentRefused:
            return commitments.make(self.user)

    def renew_commitment(self) -> None:
        """Show a new commitment: the last one was used or has expired."""
        self.pending = commitments.make(self.user)

    def clean_players(self) -> list[User]:
        """Return the users with the typed names."""
        typed = [name.strip() for name in self.cleaned_data["players"].split(",")]
        wanted = [name for name in typed if name]
        if self.cleaned_data.get("audience") != Challenge.Audience.NAMED:
            return []
        if not wanted:
            raise forms.ValidationError(_("Please enter at least one name."))
        return [self._named(name) for name in wanted[: self.meta.seats[1]]]

    def _named(self, name: str) -> User:
        user = User.objects.named(name)
        if user is None:
            raise forms.ValidationError(_("There is no player called “{name}”.").format(name=name))
        return user

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of :func:`games.lobby.services.challenge`."""
        cleaned = self.cleaned_data
        return {
            "title": self.meta.slug,
            "params": parameters.params(cleaned),
            "clock": cleaned["time_control"],
            "seats": self.seat_count,
            "audience": Challenge.Audience(cleaned["audience"]),
            "invited": cleaned["players"],
            "seating": Challenge.Seating(cleaned.get("seating", Challenge.Seating.RANDOM)),
            "message": cleaned["message"],
            "lifetime": timedelta(days=cleaned["lifetime"]),
            "pending": self.pending_of(self.user),
            "nonce": cleaned["nonce"],
            "nonce_commitment": cleaned["nonce_commitment"],
            "least_reliability": cleaned["least_reliability"] or 0,
            "strict_dice": cleaned.get("strict_dice", False),
            "rated": cleaned["rated"] is True,
            "rating_within": cleaned["rating_within"],
        }


class FindForm(DiceForm):
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=games_for_two)
    pace = forms.ChoiceField(
        label=pgettext_lazy("clock", "Pace"),
        choices=paces,
        initial="standard",
        widget=forms.RadioSelect,
    )
    rating_within = _rating_within(gettext_lazy("Opponent’s rating"))
    friendly = forms.BooleanField(
        label=gettext_lazy("Friendly: ratings stay as they are"), required=False
    )

    @property
    def wanted(self) -> Wanted:
        """The terms to search for. The form must be valid."""
        cleaned = self.cleaned_data
        clock = PRESETS[cleaned["pace"]]
        return Wanted(cleaned["game"], clock, not cleaned["friendly"], cleaned["rating_within"])


class LobbyFilter(forms.Form):
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=game_choices, required=False)

    def kept(self, challenges: QuerySet[Challenge]) -> QuerySet[Challenge]:
        """Filter challenges."""
        slug = self.cleaned_data.get("game") if self.is_valid() else ""
        return challenges.filter(title=slug) if slug else challenges


class AnswerForm(DiceForm):
    token = forms.SlugField(max_length=43, required=False, widget=forms.HiddenInput)
    reason = texts.TextInput(label=gettext_lazy("Reason"), max_length=200, required=False)
