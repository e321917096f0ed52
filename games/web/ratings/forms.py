"""Forms of ratings: the filters of a leaderboard, and whether one is listed there."""

from django import forms

MAX_PAGES = 1000


class LeaderboardFilter(forms.Form):
    """Which players are listed."""

    name = forms.CharField(
        label="Name",
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    who = forms.ChoiceField(
        label="Players",
        choices=[
            ("", "Established"),
            ("all", "Provisional too"),
            ("bots", "Bots too"),
        ],
        required=False,
    )
    page = forms.IntegerField(
        min_value=1, max_value=MAX_PAGES, required=False, widget=forms.HiddenInput
    )

    def clean_name(self) -> str:
        """Return the name without what no database can hold."""
        return str(self.cleaned_data["name"]).replace("\0", "")


class ListedForm(forms.Form):
    """Whether the user is listed on leaderboards."""

    is_listed = forms.BooleanField(
        label="List me on leaderboards",
        required=False,
        help_text="When off, your rating is still shown beside your name.",
    )
