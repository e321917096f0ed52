"""Forms of the settings about challenges and chat."""

from typing import ClassVar

from django import forms

from accounts import texts
from games.lobby.models import ChallengePreferences
from games.talk.models import MAX_LINE_LENGTH


class ChallengesForm(forms.ModelForm[ChallengePreferences]):
    """Who may challenge the user, and the limit of running matches."""

    challengers = forms.ChoiceField(
        label="Who can challenge me by name",
        choices=ChallengePreferences.Challengers,
        widget=forms.RadioSelect,
        help_text="You can always accept open challenges.",
    )
    most_matches = forms.IntegerField(
        label="Maximum matches with people at a time",
        required=False,
        min_value=0,
        max_value=500,
        help_text=(
            "Leave it empty for no limit. Open challenges in which you have a seat count too."
            " Running matches always go on."
        ),
    )

    class Meta:
        model = ChallengePreferences
        fields: ClassVar = ["challengers", "most_matches"]


class GreetingForm(forms.Form):
    """The line that is written when a match begins."""

    text = texts.TextInput(
        label="Greeting",
        required=False,
        max_length=MAX_LINE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="We post it when a match with people begins. Leave it empty to post nothing.",
    )
