"""The form of a new token."""

from datetime import datetime
from typing import Any

from django import forms
from django.db import IntegrityError, transaction

from accounts import tokens
from accounts.models import ApiToken, User

TAKEN = "You have a token of this name already."


class TokenForm(forms.Form):
    """The name of a token, and what it may do."""

    name = forms.CharField(
        label="Name", max_length=60, help_text="For you: where it is used, such as “my bot”."
    )
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        choices=ApiToken.Scope.choices,
        initial=[ApiToken.Scope.READ],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any]:
        """Refuse a name that is taken, and one token too many.

        :raises ValidationError: the user has as many as anybody may.
        """
        own = tokens.of_user(self.user)
        if own.count() >= tokens.MOST:
            raise forms.ValidationError(f"You have {tokens.MOST} tokens: revoke one first.")
        if own.filter(name=self.cleaned_data.get("name", "")).exists():
            self.add_error("name", TAKEN)
        return self.cleaned_data

    def save(self, *, now: datetime) -> str | None:
        """Make the token and return it; ``None`` if one of its name was made meanwhile."""
        try:
            with transaction.atomic():
                return tokens.make(user=self.user, now=now, **self.cleaned_data)
        except IntegrityError:
            self.add_error("name", TAKEN)
            return None
