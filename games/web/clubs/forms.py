"""Forms of clubs."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_countries import countries
from django_countries.fields import CountryField

from accounts import languages, names, texts
from accounts.forms import explained
from games.clubs.models import (
    MAX_ABOUT_LENGTH,
    MAX_MESSAGE_LENGTH,
    MAX_WORDS_LENGTH,
    Club,
    Colour,
    Shape,
    Sign,
)
from games.clubs.names import MAX_LENGTH
from games.clubs.services import KEPT_OUT, Terms
from games.web.clubs.emblem import colour_label, shape_label, sign_label

MAX_PAGES = 1000

FORMATTED = gettext_lazy(
    "Markdown formats it: **bold**, *italic*, # heading, - list. Addresses become links."
)
ANY = ("", gettext_lazy("Any"))


HOW = Club.Admission
ADMISSIONS = [
    (
        HOW.OPEN,
        explained(gettext_lazy("Open to all"), gettext_lazy("Anybody can become a member at once")),
    ),
    (
        HOW.REQUEST,
        explained(gettext_lazy("On request"), gettext_lazy("People ask, and the leaders answer")),
    ),
    (
        HOW.INVITATION,
        explained(gettext_lazy("By invitation"), gettext_lazy("The leaders invite people")),
    ),
]


def _labelled(kinds: Iterable[Any], label: Callable[[Any], str]) -> list[tuple[str, str]]:
    return [(one.value, label(one)) for one in kinds]


def _languages() -> list[tuple[str, str]]:
    return list(languages.offered().items())


class ClubForm(forms.Form):
    """What leaders choose about a club."""

    name = texts.TextInput(
        label=gettext_lazy("Name"),
        max_length=MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    about = texts.TextInput(
        label=gettext_lazy("About the club"),
        max_length=MAX_ABOUT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=FORMATTED,
    )
    country = CountryField(  # type: ignore[call-overload]  # its stubs know no lazy texts
        blank=True, blank_label=gettext_lazy("No country")
    ).formfield(label=gettext_lazy("Country"))
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)
    admission = forms.ChoiceField(
        label=gettext_lazy("Who can join"),
        choices=ADMISSIONS,
        initial=Club.Admission.OPEN,
        widget=forms.RadioSelect,
    )
    is_private = forms.BooleanField(
        label=gettext_lazy("Private"),
        required=False,
        help_text=gettext_lazy("Others see only the name of the club and how many members it has."),
    )
    shape = forms.ChoiceField(
        label=gettext_lazy("Shape"),
        choices=partial(_labelled, Shape, shape_label),
        initial=Shape.SHIELD,
        widget=forms.RadioSelect,
    )
    colour = forms.ChoiceField(
        label=gettext_lazy("Upper colour"),
        choices=partial(_labelled, Colour, colour_label),
        initial=Colour.BLUE,
        widget=forms.RadioSelect,
    )
    second_colour = forms.ChoiceField(
        label=gettext_lazy("Lower colour"),
        choices=partial(_labelled, Colour, colour_label),
        initial=Colour.YELLOW,
        widget=forms.RadioSelect,
    )
    sign = forms.ChoiceField(
        label=gettext_lazy("Sign"),
        choices=partial(_labelled, Sign, sign_label),
        initial=Sign.STAR,
        widget=forms.RadioSelect,
    )
    emblem = ("shape", "colour", "second_colour", "sign")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose = self.fields["language"]
        if isinstance(choose, forms.ChoiceField):
            choose.choices = [("", _("No language")), *_languages()]

    @property
    def emblem_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.emblem]

    def terms(self) -> Terms:
        cleaned = self.cleaned_data
        return Terms(
            name=cleaned["name"],
            about=cleaned["about"],
            country=cleaned["country"],
            language=cleaned["language"],
            admission=Club.Admission(cleaned["admission"]),
            is_private=cleaned["is_private"],
            shape=Shape(cleaned["shape"]),
            colour=Colour(cleaned["colour"]),
            second_colour=Colour(cleaned["second_colour"]),
            sign=Sign(cleaned["sign"]),
        )


class ListFilter(forms.Form):
    """Which clubs are listed."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    country = forms.ChoiceField(label=gettext_lazy("Country"), required=False)
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)
    page = forms.IntegerField(
        min_value=1, max_value=MAX_PAGES, required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = {"country": list(countries), "language": _languages()}
        for name, choices in offered.items():
            choose = self.fields[name]
            if isinstance(choose, forms.ChoiceField):
                choose.choices = [ANY, *choices]

    def clean_name(self) -> str:
        """Return the name without characters that no database can hold."""
        return str(self.cleaned_data["name"]).replace("\0", "")


class MemberFilter(forms.Form):
    """Which members are listed."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=names.MAX_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    page = forms.IntegerField(
        min_value=1, max_value=MAX_PAGES, required=False, widget=forms.HiddenInput
    )

    def clean_name(self) -> str:
        """Return the name without characters that no database can hold."""
        return str(self.cleaned_data["name"]).replace("\0", "")


class RequestForm(forms.Form):
    """What somebody writes who asks to join."""

    text = texts.TextInput(
        label=gettext_lazy("Something about you"),
        required=False,
        max_length=MAX_WORDS_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Only the leaders of the club read it."),
    )


class InviteForm(forms.Form):
    player = forms.CharField(
        label=gettext_lazy("Name of a player"),
        max_length=names.MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class MessageForm(forms.Form):
    text = texts.TextInput(
        label=gettext_lazy("Message"),
        max_length=MAX_MESSAGE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy(
            "Plain text. Every member gets it as a notification, unless they have turned these off."
            " You can write to all once a week."
        ),
    )


class RemoveForm(forms.Form):
    reason = texts.TextInput(
        label=gettext_lazy("Reason"),
        max_length=MAX_WORDS_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("The member reads it."),
    )
    for_good = forms.BooleanField(
        label=gettext_lazy("For good"),
        required=False,
        help_text=format_lazy(
            # Translators: {count} is always more than 1.
            gettext_lazy(
                "Otherwise they can come back after {count} days. You can invite them sooner."
            ),
            count=KEPT_OUT.days,
        ),
    )
