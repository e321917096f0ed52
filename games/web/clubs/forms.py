"""Forms of clubs."""

from typing import Any

from django import forms
from django_countries import countries
from django_countries.fields import CountryField

from accounts import languages, names, texts
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
from games.web.lobby.forms import explained

MAX_PAGES = 1000

FORMATTED = "Markdown formats it: **bold**, *italic*, # heading, - list. Addresses become links."
ADMISSIONS = [
    (Club.Admission.OPEN, explained("Open to all", "Anybody can become a member at once")),
    (Club.Admission.REQUEST, explained("On request", "People ask, and the leaders answer")),
    (Club.Admission.INVITATION, explained("By invitation", "The leaders invite people")),
]
ANY = ("", "Any")


def _languages() -> list[tuple[str, str]]:
    return list(languages.offered().items())


class ClubForm(forms.Form):
    """What leaders choose about a club."""

    name = texts.TextInput(
        label="Name",
        max_length=MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    about = texts.TextInput(
        label="About the club",
        max_length=MAX_ABOUT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=FORMATTED,
    )
    country = CountryField(blank=True, blank_label="No country").formfield(label="Country")
    language = forms.ChoiceField(label="Language", required=False)
    admission = forms.ChoiceField(
        label="Who can join",
        choices=ADMISSIONS,
        initial=Club.Admission.OPEN,
        widget=forms.RadioSelect,
    )
    is_private = forms.BooleanField(
        label="Private",
        required=False,
        help_text="Others see only the name of the club and how many members it has.",
    )
    shape = forms.ChoiceField(
        label="Shape",
        choices=[(shape.value, shape_label(shape)) for shape in Shape],
        initial=Shape.SHIELD,
        widget=forms.RadioSelect,
    )
    colour = forms.ChoiceField(
        label="Upper colour",
        choices=[(colour.value, colour_label(colour)) for colour in Colour],
        initial=Colour.BLUE,
        widget=forms.RadioSelect,
    )
    second_colour = forms.ChoiceField(
        label="Lower colour",
        choices=[(colour.value, colour_label(colour)) for colour in Colour],
        initial=Colour.YELLOW,
        widget=forms.RadioSelect,
    )
    sign = forms.ChoiceField(
        label="Sign",
        choices=[(sign.value, sign_label(sign)) for sign in Sign],
        initial=Sign.STAR,
        widget=forms.RadioSelect,
    )
    emblem = ("shape", "colour", "second_colour", "sign")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose = self.fields["language"]
        if isinstance(choose, forms.ChoiceField):
            choose.choices = [("", "No language"), *_languages()]

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
        label="Name",
        max_length=MAX_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    country = forms.ChoiceField(label="Country", required=False)
    language = forms.ChoiceField(label="Language", required=False)
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
        label="Name",
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
        label="Something about you",
        required=False,
        max_length=MAX_WORDS_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Only the leaders of the club read it.",
    )


class InviteForm(forms.Form):
    player = forms.CharField(
        label="Name of a player",
        max_length=names.MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class MessageForm(forms.Form):
    text = texts.TextInput(
        label="Message",
        max_length=MAX_MESSAGE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Plain text. Every member gets it as a notification, unless they have turned"
        " these off. You can write to all once a week.",
    )


class RemoveForm(forms.Form):
    reason = texts.TextInput(
        label="Reason",
        max_length=MAX_WORDS_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The member reads it.",
    )
    for_good = forms.BooleanField(
        label="For good",
        required=False,
        help_text=f"Otherwise they can come back after {KEPT_OUT.days} days. You can invite them"
        " sooner.",
    )
