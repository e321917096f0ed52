"""The forms of a tournament: its terms, and what organisers do."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from django import forms
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django_stubs_ext import StrOrPromise

from accounts import texts
from accounts.forms import explained
from accounts.models import User
from games.clubs.models import Club
from games.clubs.selectors import led_by, of_member
from games.events import organising, selectors, services, terms
from games.events.conditions import MAX_LEAST_MATCHES, RATINGS
from games.events.models import MAX_WORD, OrganiserAct, Table, Tournament
from games.events.tie_breaks import MOST, TIE_BREAKS, chosen
from games.http.archive import PREFIX
from games.kernel.contract import Meta
from games.kernel.two_players import PAIR
from games.lobby import reliability
from games.matches import formatting
from games.matches.clock import DAY, PRESETS, Clock
from games.web import parameters
from games.web.lobby.forms import PER_MOVE
from games.web.lobby.forms import clocks as lobby_clocks

WEEK = 7


def formats(low: int, high: int) -> list[tuple[str, Any]]:
    """Return a game's formats for a number of players, with their explanations."""
    how = Tournament.Format
    out = []
    if low == PAIR:
        out.append(_("After one loss you are out"))
    if high > PAIR:
        out.append(_("With more than two at a board, the better half of each board goes on"))
    everybody = _("Everybody meets everybody, all at once")
    same_score = _("Each round pairs players with about the same score")
    choices: list[tuple[str, Any]] = [
        (how.ROUND_ROBIN, explained(how.ROUND_ROBIN.label, everybody)),
        (how.SWISS, explained(how.SWISS.label, same_score)),
        (how.KNOCK_OUT, explained(how.KNOCK_OUT.label, ". ".join(out))),
    ]
    if low == PAIR:
        first_two = _("The first two of each group go on")
        two_losses = _("After two losses you are out")
        choices += [
            (how.GROUPS, explained(how.GROUPS.label, first_two)),
            (how.DOUBLE, explained(how.DOUBLE.label, two_losses)),
        ]
    return choices


def clocks() -> list[tuple[str, StrOrPromise]]:
    """Return the clocks of the lobby that tournaments offer, too."""
    return [(name, label) for name, label in lobby_clocks() if name in (*PRESETS, PER_MOVE)]


def end_of_day(day: date, zone: tzinfo) -> datetime:
    """Return the end of a day that somebody entered, in UTC.

    :raises forms.ValidationError: it is the last day of the calendar.
    """
    try:
        return (datetime.combine(day, time(), zone) + DAY).astimezone(UTC)
    except OverflowError as too_late:
        raise forms.ValidationError(_("Enter an earlier date.")) from too_late


def _reason(*, needed: bool) -> forms.Field:
    return texts.TextInput(
        label=_("Reason"),
        required=needed,
        max_length=organising.MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Everybody reads it on the page."),
    )


def _clubs(user: User, chosen_club: Club | None) -> list[tuple[Any, str]]:
    """Return the clubs that a tournament may be for: the organiser’s, and the chosen one."""
    clubs = {one.club.pk: one.club.name for one in of_member(user)}
    if chosen_club is not None:
        clubs[chosen_club.pk] = chosen_club.name
    return [("", _("any or none")), *clubs.items()]


TIE_BREAK_CHOICES = [("", "–"), *((key, one.name) for key, one in TIE_BREAKS.items())]


class ClockForm(parameters.ParametersForm):
    """A form with the parameters of a game and a clock, which it cleans to ``time_control``."""

    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"), choices=clocks, initial="standard", widget=forms.RadioSelect
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days per turn"), min_value=1, max_value=14, initial=3, required=False
    )

    def clean(self) -> dict[str, Any]:
        """Combine the fields of the clock. Days per turn need a number."""
        cleaned = super().clean() or self.cleaned_data
        kind, days = cleaned.get("clock"), cleaned.get("days") or 0
        if kind == PER_MOVE and not days:
            self.add_error("days", _("Please enter a number."))
        elif kind:
            cleaned["time_control"] = PRESETS.get(kind) or Clock.per_move(days)
        return cleaned


class TournamentForm(ClockForm):
    name = texts.TextInput(
        label=gettext_lazy("Name"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    about = texts.TextInput(
        label=gettext_lazy("What players should know"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    format = forms.ChoiceField(
        label=pgettext_lazy("tournament", "Kind"),
        initial=Tournament.Format.ROUND_ROBIN,
        widget=forms.RadioSelect,
    )
    rounds = forms.IntegerField(
        label=pgettext_lazy("tournament", "Rounds"),
        min_value=1,
        max_value=services.MAX_ROUNDS,
        required=False,
        help_text=gettext_lazy(
            "Leave it empty and we choose the number when the tournament begins."
        ),
    )
    least = forms.IntegerField(
        label=gettext_lazy("Fewest players"), min_value=3, max_value=128, initial=4
    )
    most = forms.IntegerField(
        label=gettext_lazy("Most players"), min_value=3, max_value=128, initial=8
    )
    starts = forms.DateField(
        label=gettext_lazy("Entry closes on"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("In your time zone, at the end of the day."),
    )
    begins_when_full = forms.BooleanField(
        label=gettext_lazy("Begin as soon as it is full"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "If not, it begins on this day. Until then others can join a waiting list."
        ),
    )
    round_days = forms.IntegerField(
        label=gettext_lazy("Days for a round"),
        min_value=services.ROUND_DAYS[0],
        max_value=services.ROUND_DAYS[1],
        initial=28,
        help_text=gettext_lazy(
            "Matches that still run after this many days are ended."
            " Vacations and pauses don’t make a round longer."
        ),
    )
    short_rounds = forms.BooleanField(label=gettext_lazy("Keep these settings"), required=False)
    rating_low = forms.IntegerField(
        label=gettext_lazy("Lowest rating"),
        min_value=RATINGS[0],
        max_value=RATINGS[1],
        required=False,
    )
    rating_high = forms.IntegerField(
        label=gettext_lazy("Highest rating"),
        min_value=RATINGS[0],
        max_value=RATINGS[1],
        required=False,
    )
    least_matches = forms.IntegerField(
        label=gettext_lazy("Ended matches, at least"),
        min_value=0,
        max_value=MAX_LEAST_MATCHES,
        required=False,
        help_text=gettext_lazy("In all games."),
    )
    least_reliability = forms.TypedChoiceField(
        label=gettext_lazy("Minimum reliability"),
        choices=[(n, f"{n} %" if n else gettext_lazy("any")) for n in reliability.MINIMUM_CHOICES],
        coerce=int,
        initial=0,
        required=False,
    )
    club_id = forms.TypedChoiceField(
        label=gettext_lazy("Members of a club"), coerce=int, required=False
    )
    by_invitation = forms.BooleanField(
        label=gettext_lazy("Only with an invitation"),
        required=False,
        help_text=gettext_lazy(
            "You invite players by name or give away a link. Players whom you invite by name"
            " need no other condition."
        ),
    )
    late_until = forms.IntegerField(
        label=gettext_lazy("Late entry until round"),
        min_value=2,
        max_value=services.MAX_ROUNDS,
        required=False,
        help_text=gettext_lazy("Players who enter late get 0 points for the rounds missed."),
    )
    rated = forms.BooleanField(
        label=gettext_lazy("Rated"),
        required=False,
        initial=True,
        help_text=gettext_lazy("The results change the ratings of the players."),
    )

    def __init__(
        self,
        *args: Any,
        meta: Meta,
        user: User,
        tournament: Tournament | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.meta = meta
        self.user = user
        self.tournament = tournament
        self.is_round_short = False
        low, high = meta.seats
        # A format that needs two players at a board is refused with that reason.
        self.fields["format"].choices = formats(low, high)  # type: ignore[attr-defined]
        self.fields["club_id"].choices = _clubs(  # type: ignore[attr-defined]
            user, tournament.club if tournament else None
        )
        soon = timezone.now().astimezone(user.zone).date() + timedelta(days=WEEK)
        self.fields["starts"].initial = soon
        if low < high:
            self.fields["seats"] = forms.IntegerField(
                label=_("Players at a board"), min_value=low, max_value=high, initial=low
            )
        self.fields |= parameters.fields(meta)
        self.fields |= {
            f"tie_break_{number}": forms.ChoiceField(
                label=_("Tie-break {number}").format(number=number),
                choices=TIE_BREAK_CHOICES,
                required=False,
            )
            for number in range(1, MOST + 1)
        }
        if tournament is not None:
            self.initial = terms_in_form(tournament, user)
            self.fields["reason"] = _reason(needed=not selectors.organises(tournament, user))

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        return [self[f"tie_break_{number}"] for number in range(1, MOST + 1)]

    def clean_starts(self) -> datetime:
        """Return the end of the day in the user's time zone."""
        day: date = self.cleaned_data["starts"]
        if self.tournament is not None and day == self.initial["starts"]:
            # Organisers in another time zone would change it otherwise.
            return self.tournament.starts
        return end_of_day(day, self.user.zone)

    def clean(self) -> dict[str, Any]:
        """Point out settings that fight each other."""
        cleaned = super().clean()
        self._check_terms()
        return cleaned

    def _check_terms(self) -> None:
        """Point out settings that fight each other, unless the organiser wants them so."""
        cleaned = self.cleaned_data
        if not {"format", "most", "round_days", "time_control"} <= set(cleaned):
            return
        found = terms.conflicts(
            format=Tournament.Format(cleaned["format"]),
            seats=self.seat_count,
            most=cleaned["most"],
            rounds=cleaned.get("rounds") or 0,
            round_days=cleaned["round_days"],
            clock=cleaned["time_control"],
            late_until=cleaned.get("late_until") or 0,
        )
        self.is_round_short = bool(found)
        for name, sentence in found.items() if not cleaned.get("short_rounds") else ():
            self.add_error(name, sentence)

    def arguments(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {
            "name": cleaned["name"],
            "about": cleaned["about"],
            "title": self.meta.slug,
            "params": parameters.params(cleaned),
            "clock": cleaned["time_control"],
            "format": Tournament.Format(cleaned["format"]),
            "seats": self.seat_count,
            "rounds": cleaned["rounds"] or 0,
            "least": cleaned["least"],
            "most": cleaned["most"],
            "starts": cleaned["starts"],
            "begins_when_full": cleaned["begins_when_full"],
            "round_days": cleaned["round_days"],
            "rated": cleaned["rated"],
            "rating_low": cleaned["rating_low"],
            "rating_high": cleaned["rating_high"],
            "least_matches": cleaned["least_matches"] or 0,
            "least_reliability": cleaned["least_reliability"] or 0,
            "by_invitation": cleaned["by_invitation"],
            "club_id": cleaned["club_id"] or None,
            "late_until": cleaned["late_until"] or 0,
            "tie_breaks": self.tie_breaks,
        }

    @property
    def tie_breaks(self) -> list[str]:
        """The chosen tie-breaks in their order. Empty for the usual ones."""
        chosen = [self.cleaned_data[f"tie_break_{number}"] for number in range(1, MOST + 1)]
        return [one for one in chosen if one]


def terms_in_form(tournament: Tournament, user: User) -> dict[str, Any]:
    """Return the terms of a tournament as initial values of its form."""
    clock = Clock.load(tournament.clock)
    preset = next((name for name, one in PRESETS.items() if one == clock), PER_MOVE)
    plain = {name: getattr(tournament, name) or None for name in PLAIN}
    return {
        **plain,
        **{PREFIX + name: value for name, value in tournament.params.items()},
        **{f"tie_break_{n}": key for n, key in enumerate(chosen(tournament.tie_breaks), start=1)},
        "starts": (tournament.starts.astimezone(user.zone) - timedelta(minutes=1)).date(),
        "least_reliability": tournament.least_reliability,
        "clock": preset,
        "days": clock.start // DAY if clock and preset == PER_MOVE else None,
    }


PLAIN = (
    "name",
    "about",
    "format",
    "rounds",
    "least",
    "most",
    "seats",
    "begins_when_full",
    "round_days",
    "rated",
    "rating_low",
    "rating_high",
    "least_matches",
    "by_invitation",
    "club_id",
    "late_until",
)
"""The terms that the form has as the tournament has them."""


# --- What organisers do -------------------------------------------------------------------------

Kind = OrganiserAct.Kind

HINTS: Mapping[Kind, StrOrPromise] = {
    Kind.START: gettext_lazy("The first round begins with those who have entered."),
    Kind.CANCEL: gettext_lazy("Nobody can undo it. Those who have entered are notified."),
    Kind.INVITE_CLUB: gettext_lazy(
        "All members get a notification, and need to meet no condition."
    ),
    Kind.INVITE: gettext_lazy("Players whom you invite by name need to meet no condition."),
    Kind.LINK: gettext_lazy(
        "Anybody who has the link needs no invitation. A new link replaces the one before."
    ),
    Kind.UNLINK: gettext_lazy("Nobody can enter with the link any more."),
    Kind.MESSAGE: gettext_lazy(
        "All players get a notification, and everybody reads it on the page."
    ),
    Kind.REMOVE: gettext_lazy("Opponents win the running matches, which don’t count for ratings."),
    Kind.EXTEND: gettext_lazy("The deadline of the running round moves."),
    Kind.PAUSE: gettext_lazy(
        "Clocks stand still, rounds don’t end and no round begins, for 30 days at most."
    ),
    Kind.RESUME: gettext_lazy("Clocks run on, and the round is longer by the pause."),
    Kind.SETTLE: gettext_lazy("A running match is annulled and counts for no rating."),
    Kind.LATE: gettext_lazy("Players who enter late get 0 points for the rounds missed."),
    Kind.BYE: gettext_lazy("The player isn’t paired in this round and gets ½ point."),
    Kind.SHARE: gettext_lazy(
        "They can do what you can, but not cancel the tournament or hand it over."
    ),
    Kind.HAND_OVER: gettext_lazy("They become the organiser, and you share the job."),
    Kind.WORD: gettext_lazy("The page shows it beside the name. Leave it empty to take it back."),
}
"""What an act does, beside its form."""

BUTTONS: Mapping[Kind, StrOrPromise] = {
    Kind.START: gettext_lazy("Start now"),
    Kind.INVITE: gettext_lazy("Invite"),
    Kind.INVITE_CLUB: gettext_lazy("Invite all members"),
    Kind.LINK: gettext_lazy("Make a new link"),
    Kind.MESSAGE: gettext_lazy("Send"),
    Kind.REMOVE: gettext_lazy("Remove"),
    Kind.EXTEND: gettext_lazy("Extend"),
    Kind.PAUSE: gettext_lazy("Pause"),
    Kind.RESUME: gettext_lazy("Resume"),
    Kind.SETTLE: gettext_lazy("Settle"),
    Kind.LATE: gettext_lazy("Save"),
    Kind.BYE: gettext_lazy("Grant the bye"),
    Kind.SHARE: gettext_lazy("Ask"),
    Kind.UNSHARE: gettext_lazy("End sharing"),
    Kind.HAND_OVER: gettext_lazy("Hand over"),
    Kind.WORD: gettext_lazy("Save"),
}

DANGEROUS = frozenset({Kind.CANCEL, Kind.REMOVE})


class ActForm(forms.Form):
    """The form of an act: its values, and a reason or message."""

    def __init__(
        self,
        data: Any = None,
        *,
        kind: Kind,
        tournament: Tournament,
        user: User,
        is_moderator: bool,
    ) -> None:
        super().__init__(data, prefix=str(kind))
        self.kind = kind
        self.fields |= FIELDS.get(kind, _nothing)(tournament)
        if kind == Kind.INVITE_CLUB:
            clubs = [(one.pk, one.name) for one in led_by(user)]
            self.fields["club"] = forms.TypedChoiceField(
                label=_("A club that you lead"), coerce=int, choices=clubs
            )
        if kind == Kind.MESSAGE:
            self.fields["reason"] = texts.TextInput(
                label=_("Message"),
                max_length=organising.MAX_MESSAGE,
                widget=forms.Textarea(attrs={"rows": 4}),
            )
        elif organising.ACTS[kind].needs_reason or is_moderator:
            self.fields["reason"] = _reason(needed=True)

    @property
    def label(self) -> str:
        return str(self.kind.label)

    @property
    def hint(self) -> str:
        return str(HINTS.get(self.kind, ""))

    @property
    def button(self) -> str:
        return str(BUTTONS.get(self.kind, self.label))

    @property
    def is_dangerous(self) -> bool:
        return self.kind in DANGEROUS

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of :func:`games.events.organising.act`."""
        found = dict(self.cleaned_data)
        if "pairing" in found:
            table, _bar, outcome = found.pop("pairing").partition("|")
            found |= {"table": int(table), "outcome": outcome}
        return found


def _nothing(_tournament: Tournament) -> dict[str, forms.Field]:
    return {}


def _new_name(_tournament: Tournament) -> dict[str, forms.Field]:
    field = texts.TextInput(
        label=_("Name"), max_length=40, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    return {"name": field}


def _one_of(label: str, entries: Iterable[User]) -> dict[str, forms.Field]:
    names = [(user.username, user.shown_name) for user in entries]
    return {"name": forms.ChoiceField(label=label, choices=[("", _("Choose a player")), *names])}


def _a_player(tournament: Tournament) -> dict[str, forms.Field]:
    entries = tournament.entries.filter(left=None).select_related("user")
    return _one_of(_("Player"), [entry.user for entry in entries])


def _a_co_organiser(tournament: Tournament) -> dict[str, forms.Field]:
    rows = tournament.co_organisers.select_related("user")
    return _one_of(_("Who"), [one.user for one in rows])


def _an_heir(tournament: Tournament) -> dict[str, forms.Field]:
    rows = tournament.co_organisers.filter(accepted__isnull=False).select_related("user")
    return _one_of(_("To whom"), [one.user for one in rows])


def _a_placed_player(tournament: Tournament) -> dict[str, forms.Field]:
    placed = tournament.entries.filter(place__isnull=False).select_related("user")
    word = texts.TextInput(label=_("In a few words"), max_length=MAX_WORD, required=False)
    return {**_one_of(_("Player"), [one.user for one in placed.order_by("place")]), "word": word}


def _days(_tournament: Tournament) -> dict[str, forms.Field]:
    longest = organising.MAX_EXTENSION
    return {"days": forms.IntegerField(label=_("Days"), min_value=1, max_value=longest, initial=3)}


def _a_pairing(tournament: Tournament) -> dict[str, forms.Field]:
    tables = Table.objects.filter(round__tournament=tournament, round__ended=None)
    groups: list[tuple[str, Any]] = [("", _("Choose a result"))]
    for table in open_tables(tables):
        players = [seat.entry.user for seat in table.table_seats.all()]
        names = formatting.names([one.shown_name for one in players])
        wins, draw, nobody = _("{name} wins"), _("{names}: a draw"), _("{names}: no points")
        results = [
            (f"{table.pk}|{one.username}", wins.format(name=one.shown_name)) for one in players
        ]
        results.append((f"{table.pk}|{organising.DRAW}", draw.format(names=names)))
        results.append((f"{table.pk}|{organising.NOBODY}", nobody.format(names=names)))
        groups.append((names, results))
    return {"pairing": forms.ChoiceField(label=_("Pairing and result"), choices=groups)}


def open_tables(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return the tables with a match, those without a result first."""
    with_match = tables.filter(match__isnull=False).prefetch_related("table_seats__entry__user")
    return with_match.order_by(F("ended").desc(nulls_first=True), "number")


def _a_round(tournament: Tournament) -> dict[str, forms.Field]:
    begun = tournament.played_rounds.count()
    last = organising.last_late_round(tournament)
    numbers = range(max(2, begun + 1), max(last, tournament.late_until) + 1)
    # Translators: late entry is possible until this round.
    rounds = [(n, _("round {number}").format(number=n)) for n in numbers]
    field = forms.TypedChoiceField(
        label=_("Until"),
        coerce=int,
        choices=[(0, _("no late entry")), *rounds],
        initial=tournament.late_until,
    )
    return {"round": field}


def _a_request(tournament: Tournament) -> dict[str, forms.Field]:
    asked = [
        (one.pk, _("{name}, round {round}").format(name=one.entry.user.shown_name, round=one.round))
        for one in organising.open_requests(tournament)
    ]
    return {"request": forms.TypedChoiceField(label=_("Who asks"), coerce=int, choices=asked)}


def _an_act(_tournament: Tournament) -> dict[str, forms.Field]:
    return {"act": forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**62)}


FIELDS: Mapping[Kind, Callable[[Tournament], dict[str, forms.Field]]] = {
    Kind.INVITE: _new_name,
    Kind.REMOVE: _a_player,
    Kind.EXTEND: _days,
    Kind.SETTLE: _a_pairing,
    Kind.LATE: _a_round,
    Kind.BYE: _a_request,
    Kind.SHARE: _new_name,
    Kind.UNSHARE: _a_co_organiser,
    Kind.HAND_OVER: _an_heir,
    Kind.WORD: _a_placed_player,
    Kind.UNDO: _an_act,
}
"""The fields of each act besides the reason."""
