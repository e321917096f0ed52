"""The form of a new token."""

from datetime import datetime
from typing import Any

from django import forms
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import tokens
from accounts.models import ApiToken, User

NAME_TAKEN = gettext_lazy("You already have a token with this name.")


class TokenForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Only you see it, such as “my bot”."),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"),
        choices=ApiToken.Scope.choices,
        initial=[ApiToken.Scope.READ],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any]:
        """Refuse a name that is in use, and too many tokens.

        :raises ValidationError: the user has the maximum number of tokens.
        """
        own = tokens.of_user(self.user)
        if own.count() >= tokens.MAX_TOKENS:
            raise forms.ValidationError(
                _("You have {count} tokens: revoke one first.").format(count=tokens.MAX_TOKENS)
            )
        if own.filter(name=self.cleaned_data.get("name", "")).exists():
            self.add_error("name", NAME_TAKEN)
        return self.cleaned_data

    def save(self, *, now: datetime) -> str | None:
        """Create the token and return it; ``None`` if its name was taken meanwhile."""
        try:
            with transaction.atomic():
                return tokens.make(user=self.user, now=now, **self.cleaned_data)
        except IntegrityError:
            self.add_error("name", NAME_TAKEN)
            return None
