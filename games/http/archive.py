"""The filters of the archive, read from the address of a page or a request to the API.

An invalid filter has an error and is ignored. The others apply.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.timezone import make_aware
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext as _
from django_stubs_ext import StrOrPromise

from accounts.models import User
from games.explorer.selectors import reached
from games.kernel import registry
from games.kernel.contract import COMMON_ENDINGS, AnyGame, Meta
from games.kernel.views import Json
from games.matches import formatting, listing
from games.matches.models import Match, Player

MAX_VALUES = 40
"""A number with more values than this isn't offered as a filter."""

FIRST_YEAR, LAST_YEAR = 2000, 2200

ENDED, RUNNING, VOID = "ended", "running", "void"
STATUSES = {
    ENDED: (Match.Status.OVER,),
    RUNNING: (Match.Status.RUNNING,),
    VOID: (Match.Status.CANCELLED, Match.Status.ANNULLED),
}


MATCH_FIELDS = {"game": "title", "ending": "ending"}
"""The filters for which an index exists, and their fields."""

SEAT_FIELDS = {"game": "title", "result": "result"}
"""The filters that the index on the matches of one player supports, and their fields there."""


RATED, FRIENDLY = "rated", "friendly"

PREFIX = "param-"
"""Prefix of the names of parameters in forms, which keeps them apart from other fields."""

POSITION = "position"
"""The filter by a position, which pages link to."""

MORE = ("other", "seat", "rated", "rating", "shortest", "longest")
"""The filters that are folded away."""

LENGTHS = {"shortest": "version__gte", "longest": "version__lte"}

MAX_NUMBER = 100_000
SEATS = range(1, 7)


def game_choices() -> list[tuple[str, str]]:
    """Return slug and name of every game, after an empty slug for all of them."""
    return [
        ("", pgettext("games", "All")),
        *((slug, t.meta.name) for slug, t in registry.titles().items()),
    ]


def _endings(titles: Collection[AnyGame]) -> list[tuple[str, str]]:
    """Return key and name of the endings of some games, after an empty key for any."""
    own = {key: text for title in titles for key, text in title.meta.endings.items()}
    known = {**own, **COMMON_ENDINGS, **formatting.ENDINGS, **formatting.ending_names(titles)}
    return [
        ("", pgettext("filter", "Any")),
        *((key, gettext(name).rstrip(".")) for key, name in known.items()),
    ]


def _number(label: StrOrPromise) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(
        label=label, min_value=1, max_value=MAX_NUMBER, required=False, widget=widget
    )


def _day(label: StrOrPromise) -> forms.DateField:
    return forms.DateField(
        label=label, required=False, widget=forms.DateInput(attrs={"type": "date"})
    )


class ArchiveFilter(forms.Form):
    """Matches by game, player, result, ending, parameters and date."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=game_choices, required=False)
    player = forms.CharField(
        label=gettext_lazy("Player"),
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    result = forms.ChoiceField(
        label=gettext_lazy("Result"),
        choices=[
            ("", pgettext_lazy("filter", "Any")),
            ("won", pgettext_lazy("result", "Won")),
            ("lost", pgettext_lazy("result", "Lost")),
            ("tied", pgettext_lazy("result", "Drawn")),
        ],
        required=False,
    )
    status = forms.ChoiceField(
        label=gettext_lazy("Matches"),
        choices=[
            (ENDED, pgettext_lazy("matches", "Finished")),
            (RUNNING, pgettext_lazy("matches", "Running")),
            (VOID, gettext_lazy("Without a result")),
        ],
        required=False,
    )
    ending = forms.ChoiceField(label=gettext_lazy("Ending"), required=False)
    since = _day(pgettext_lazy("date", "From"))
    until = _day(pgettext_lazy("date", "To"))
    other = forms.CharField(
        label=gettext_lazy("Another player"),
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    seat = forms.ChoiceField(label=gettext_lazy("Seat of the player"), required=False)
    rated = forms.ChoiceField(
        label=gettext_lazy("Counts"),
        choices=[
            ("", pgettext_lazy("filter", "Any")),
            (RATED, pgettext_lazy("matches", "Rated")),
            (FRIENDLY, pgettext_lazy("matches", "Friendly")),
        ],
        required=False,
    )
    rating = _number(gettext_lazy("All players rated from"))
    shortest = _number(gettext_lazy("Log entries from"))
    longest = _number(gettext_lazy("Log entries to"))
    position = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, str]) -> None:
        super().__init__(data)
        title = registry.titles().get(data.get("game", ""))
        self.parameters = _parameters(title.meta) if title else {}
        seat: Any = self.fields["seat"]
        seat.choices = _seats(title.meta if title else None)
        ending: Any = self.fields["ending"]
        ending.choices = _endings([title] if title else registry.titles().values())
        self.fields |= {name: parameter.field() for name, parameter in self.parameters.items()}
        self.full_clean()

    @property
    def common(self) -> list[forms.BoundField]:
        """The fields that most people use, the same for all games."""
        names = (*self.parameters, *MORE, POSITION)
        return [field for field in self if field.html_name not in names]

    @property
    def more(self) -> list[forms.BoundField]:
        """Further fields that are the same for all games."""
        return [self[name] for name in MORE]

    @property
    def has_more(self) -> bool:
        """Whether one of these is used."""
        return any(field.value() for field in self.more)

    @property
    def own(self) -> list[forms.BoundField]:
        """The fields of the chosen game."""
        return [self[name] for name in self.parameters]

    @property
    def which(self) -> str:
        """The requested matches: ``ENDED`` by default."""
        return self.cleaned_data.get("status") or ENDED

    @property
    def moment(self) -> str:
        """The field by which these matches are dated and ordered."""
        of_one = bool(self.cleaned_data.get("player"))
        if self.cleaned_data.get(POSITION) is not None:
            return "reached"
        if self.which == ENDED:
            return "seat_ended" if of_one else "ended"
        return "latest" if of_one else "changed"

    def kept(self) -> tuple[QuerySet[Match], QuerySet[Match] | None]:
        """Return the matches that pass, and the larger set in which an index finds them.

        The latter is ``None`` if an index finds the former.
        """
        asked = {key: value for key, value in self.cleaned_data.items() if value not in ("", None)}
        if POSITION in asked:
            matches = reached(asked[POSITION])
        else:
            matches = self._of_one(asked) if "player" in asked else listing.archive()
        matches = matches.filter(status__in=STATUSES[self.which]).filter(self._dated(asked))
        first, *others = self._conditions(asked)
        matches = matches.filter(first)
        return (matches.filter(*others), matches) if others else (matches, None)

    def _conditions(self, asked: Mapping[str, Any]) -> list[Q]:
        """Return the conditions on matches. An index supports only the first one.

        The result of a player is a condition on the player's seats.
        """
        wanted = [Q(**{key: asked[name]}) for name, key in MATCH_FIELDS.items() if name in asked]
        is_indexed = self.which == ENDED or "game" in asked
        if not wanted or not is_indexed or POSITION in asked:
            wanted = [Q(), *wanted]
        wanted += self._seated(asked)
        wanted += [Q(**{key: asked[name]}) for name, key in LENGTHS.items() if name in asked]
        if "rated" in asked:
            wanted.append(Q(rated=asked["rated"] == RATED))
        for field, parameter in self.parameters.items():
            if field in asked:
                wanted.append(Q(**{f"params__{parameter.name}": parameter.values[asked[field]]}))
        return wanted

    @staticmethod
    def _seated(asked: Mapping[str, Any]) -> Iterator[Q]:
        """Yield the conditions on the seats of a match that no index on seats supports."""
        seats = Player.objects.filter(match=OuterRef("pk"))
        player = User.objects.named(asked["player"]) if "player" in asked else None
        own = {"result": asked.get("result"), "seat": asked.get("seat")}
        own = {name: value for name, value in own.items() if value is not None}
        if player is not None and (POSITION in asked or "seat" in own):
            yield Q(Exists(seats.filter(user=player, **own)))
        elif own and player is None:
            yield Q(Exists(seats.filter(**own)))
        if "other" in asked:
            yield Q(Exists(seats.filter(user=User.objects.named(asked["other"]))))
        if "rating" in asked:
            unrated = Q(rating=None) | Q(rating__lt=asked["rating"])
            yield ~Q(Exists(seats.filter(unrated)))

    def _dated(self, asked: Mapping[str, Any]) -> Q:
        wanted = Q()
        if "since" in asked:
            wanted &= Q(**{f"{self.moment}__gte": _midnight(asked["since"])})
        if "until" in asked:
            after = _midnight(asked["until"] + timedelta(days=1))
            wanted &= Q(**{f"{self.moment}__lt": after})
        return wanted

    def _of_one(self, asked: Mapping[str, Any]) -> QuerySet[Match]:
        """Return the matches of the chosen player, by the indexes on seats."""
        user = User.objects.named(asked["player"])
        if user is None:
            return Match.objects.none()
        if self.which == RUNNING:
            return listing.running(user) if "result" not in asked else Match.objects.none()
        seat = {field: asked[key] for key, field in SEAT_FIELDS.items() if key in asked}
        matches = listing.ended(user, **seat)
        return matches if self.which == ENDED else listing.by_latest(matches)

    def clean_player(self) -> str:
        """Return the name of an existing player. Empty for any."""
        return _existing(self.cleaned_data["player"])

    def clean_other(self) -> str:
        """Return the name of an existing player. Empty for any."""
        return _existing(self.cleaned_data["other"])

    def clean_position(self) -> int | None:
        """Return the key of a position. ``None`` without one, or if it isn't a key."""
        text = self.cleaned_data[POSITION]
        is_key = text.removeprefix("-").isdecimal() and text.isascii()
        return int(text) if is_key and abs(int(text)) < 2**63 else None

    def clean_since(self) -> date | None:
        """Return a day between ``FIRST_YEAR`` and ``LAST_YEAR``. ``None`` without one."""
        return _near(self.cleaned_data["since"])

    def clean_until(self) -> date | None:
        """Return a day between ``FIRST_YEAR`` and ``LAST_YEAR``. ``None`` without one."""
        return _near(self.cleaned_data["until"])


def _existing(name: str) -> str:
    if name and User.objects.named(name) is None:
        raise forms.ValidationError(_("There is no player with this name."))
    return name


def _seats(meta: Meta | None) -> list[tuple[str, str]]:
    """Return the seats by number: their colours in the chosen game."""
    names = [colour.shown_name for colour in meta.colours] if meta else [str(n) for n in SEATS]
    return [
        ("", pgettext("filter", "Any")),
        *((str(seat), name) for seat, name in enumerate(names)),
    ]


def _near(day: date | None) -> date | None:
    if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise forms.ValidationError(_("No match is that far away."))
    return day


def _midnight(day: date) -> datetime:
    return make_aware(datetime.combine(day, time.min))


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a game to filter by, with its values by their text in addresses."""

    name: str
    label: str
    values: Mapping[str, Json]

    def field(self) -> forms.ChoiceField:
        """Return the field that chooses one of the values, or any."""
        named = ((key, formatting.parameter(value)) for key, value in self.values.items())
        return forms.ChoiceField(
            label=self.label, choices=[("", pgettext("filter", "Any")), *named], required=False
        )


def _parameters(meta: Meta) -> dict[str, _Parameter]:
    """Return the parameters that have few enough values, by the names of their fields."""
    parameters = {}
    for name, schema in meta.params.get("properties", {}).items():
        if values := {str(value): value for value in _values(schema)}:
            parameters[PREFIX + name] = _Parameter(name, gettext(schema.get("title", name)), values)
    return parameters


def _values(schema: Mapping[str, Json]) -> list[Json]:
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return [True, False]
    low, high = schema.get("minimum"), schema.get("maximum")
    if schema.get("type") != "integer" or low is None or high is None:
        return []
    return list(range(low, high + 1)) if high - low < MAX_VALUES else []
