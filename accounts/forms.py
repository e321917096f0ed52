"""Forms of accounts: allauth's with the site's labels, and our own."""

from datetime import datetime
from functools import partial
from typing import Any, ClassVar

from allauth.account import forms as allauth_forms
from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_countries.fields import CountryField
from django_stubs_ext import StrOrPromise

from accounts import guests, languages, signup, site_languages, zones
from accounts.guests import OTHER_GUEST
from accounts.models import User
from accounts.passwords import HashedPassword
from accounts.proof_of_work import WorkRequired
from accounts.sanctions import standing

PASSWORD_HINT = gettext_lazy(
    "At least 10 characters, and hard to guess: a few uncommon words do well."
)
CLAIMED_TOO_OFTEN = gettext_lazy(
    "Too many new accounts already wait for this address to be confirmed. Open the link in one of"
    " our emails to it, or use another address."
)
MAX_ADDRESS_LENGTH = 254
MAX_LANGUAGES = 6

explained = lazy(partial(format_html, "{} <small>{}</small>"), SafeString)
"""The label of a choice with an explanation below it."""


class Plain:
    """Mixin for allauth's forms that replaces placeholders by labels and hints.

    ``words`` has label and hint of each field by name.
    """

    words: ClassVar[dict[str, tuple[StrOrPromise, StrOrPromise]]] = {}
    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        for name, (label, hint) in self.words.items():
            self.fields[name].label = label
            self.fields[name].help_text = hint


class NewPassword:
    """Mixin for forms that set a password, which hashes it once all fields are valid."""

    errors: Any

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()  # type: ignore[misc]
        if not self.errors:
            cleaned["password1"] = HashedPassword(cleaned["password1"])
        return cleaned


class SignupForm(NewPassword, WorkRequired, Plain, allauth_forms.SignupForm):  # type: ignore[misc]
    words: ClassVar = {
        "username": (
            gettext_lazy("Name"),
            gettext_lazy("Your public name: 3 to 20 letters, digits, hyphens and underscores."),
        ),
        "email": (
            gettext_lazy("Email"),
            gettext_lazy("Nobody else sees it. We send you a link to confirm it."),
        ),
        "password1": (gettext_lazy("Password"), PASSWORD_HINT),
    }
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_time_zone(self) -> str:
        """Return a known zone or nothing: a script filled it in, so there is no error to show."""
        name: str = self.cleaned_data["time_zone"]
        return name if name in zones.known() else ""

    def validate_unique_email(self, value: str) -> str:
        """Accept an address that has an account, whose owner gets a mail about it.

        :raises ValidationError: too many unconfirmed accounts claim it.
        """
        if signup.is_claimed_too_often(value):
            raise forms.ValidationError(CLAIMED_TOO_OFTEN)
        return value

    def save(self, request: HttpRequest) -> User:
        """Create the user; a taken address isn't stored.

        Call it in a transaction.

        :raises IntegrityError: somebody took the name or the address since the check, or too many
            accounts now claim the address.
        """
        email = self.cleaned_data["email"]
        if signup.is_claimed_too_often(email):
            raise IntegrityError(CLAIMED_TOO_OFTEN)
        if User.objects.filter(email__iexact=email).exists():
            self.cleaned_data["email"] = ""
        user: User = super().save(request)
        EmailAddress.objects.get_or_create(user=user, email=email, defaults={"primary": True})
        return user

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        user.time_zone = self.cleaned_data["time_zone"] or user.time_zone
        user.save(update_fields=["time_zone"])


class LoginForm(Plain, allauth_forms.LoginForm):  # type: ignore[misc]
    words: ClassVar = {
        "login": (gettext_lazy("Name or email"), ""),
        "password": (gettext_lazy("Password"), ""),
        "remember": (gettext_lazy("Stay signed in on this device"), ""),
        "bring": (
            gettext_lazy("Bring along what I played here as a guest"),
            gettext_lazy("If that was somebody else, untick this. The guest’s matches then end."),
        ),
    }
    bring = forms.BooleanField(required=False, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.widget.attrs["autocomplete"] = "username"
        login.validators.append(MaxLengthValidator(MAX_ADDRESS_LENGTH))
        self.fields["remember"].initial = True
        if guests.guest_of(self.request) is None:
            del self.fields["bring"]

    def user_credentials(self) -> dict[str, str]:
        """Return the password with either name or address: only addresses contain an @."""
        login = self.cleaned_data["login"]
        key = "email" if "@" in login else "username"
        return {key: login, "password": self.cleaned_data["password"]}

    def login(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign in; remember whether this browser's guest is somebody else."""
        if "bring" in self.fields:
            request.session[OTHER_GUEST] = not self.cleaned_data["bring"]
        response: HttpResponse = super().login(request, *args, **kwargs)
        return response


class ReauthenticateForm(Plain, allauth_forms.ReauthenticateForm):  # type: ignore[misc]
    words: ClassVar = {"password": (gettext_lazy("Password"), "")}


class AddEmailForm(Plain, allauth_forms.AddEmailForm):  # type: ignore[misc]
    words: ClassVar = {
        "email": (
            gettext_lazy("New email"),
            gettext_lazy(
                "We send a link to both addresses. The change counts when you have opened both."
            ),
        )
    }
    user: User

    def clean_email(self) -> str:
        """Check the address.

        :raises ValidationError: too many unconfirmed accounts claim it, this one included.
        """
        email: str = super().clean_email()
        waits = signup.awaits_confirmation(self.user)
        if waits and signup.is_claimed_too_often(email, besides=self.user):
            raise forms.ValidationError(CLAIMED_TOO_OFTEN)
        return email


class ResetPasswordForm(Plain, allauth_forms.ResetPasswordForm):  # type: ignore[misc]
    """Requesting a link for a new password. Only confirmed addresses count."""

    words: ClassVar = {
        "email": (gettext_lazy("Email"), gettext_lazy("The address you signed up with."))
    }
    users: list[User]

    def clean_email(self) -> str:
        email: str = super().clean_email()
        user = signup.confirmed_user(email)
        self.users = [user] if user and user.is_active else []
        return email


class ChangePasswordForm(NewPassword, Plain, allauth_forms.ChangePasswordForm):  # type: ignore[misc]
    words: ClassVar = {
        "oldpassword": (gettext_lazy("Current password"), ""),
        "password1": (gettext_lazy("New password"), PASSWORD_HINT),
        "password2": (gettext_lazy("New password again"), ""),
    }


class SetPasswordForm(NewPassword, Plain, allauth_forms.SetPasswordForm):  # type: ignore[misc]
    words: ClassVar = {
        "password1": (gettext_lazy("Password"), PASSWORD_HINT),
        "password2": (gettext_lazy("Password again"), ""),
    }


class ResetPasswordKeyForm(NewPassword, Plain, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    words: ClassVar = {
        "password1": (gettext_lazy("New password"), PASSWORD_HINT),
        "password2": (gettext_lazy("New password again"), ""),
    }


class PreferencesForm(forms.ModelForm[User]):
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        required=False,
        help_text=gettext_lazy("Of the site and of our emails."),
    )
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy(
            "Choose a city near you. The site and our emails show all times in its zone."
        ),
        widget=forms.Select(attrs={"data-search": gettext_lazy("Search for a city")}),
        error_messages={"invalid_choice": gettext_lazy("We don’t know this time zone.")},
    )

    class Meta:
        model = User
        fields = User.PREFERENCES
        labels: ClassVar = {"confirm_moves": gettext_lazy("Confirm moves")}
        widgets: ClassVar = {"theme": forms.RadioSelect}

    def __init__(self, data: QueryDict | None = None, *, instance: User, now: datetime) -> None:
        super().__init__(data, instance=instance)
        language = self.fields["language"]
        if isinstance(language, forms.ChoiceField):
            language.choices = [("", _("As the browser asks")), *settings.LANGUAGES]
        if not site_languages.has_choice():
            del self.fields["language"]
        field = self.fields["time_zone"]
        if isinstance(field, forms.ChoiceField):
            field.choices = zones.choices(now, instance.time_zone)


class ProfileForm(forms.ModelForm[User]):
    country = CountryField(
        blank=True,
        blank_label=gettext_lazy("Not said"),  # type: ignore[call-overload] # evaluated when shown
    ).formfield(label=gettext_lazy("Country"))
    languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages you speak"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=format_lazy(
            gettext_lazy("Choose up to {count}, so that others know how to greet you."),
            count=MAX_LANGUAGES,
        ),
    )

    class Meta:
        model = User
        fields = ("about", "country", "languages")
        labels: ClassVar = {"about": gettext_lazy("About you")}
        help_texts: ClassVar = {"about": gettext_lazy("Plain text. Everybody can read it.")}
        widgets: ClassVar = {"about": forms.Textarea(attrs={"rows": 6})}

    def __init__(self, data: QueryDict | None = None, *, instance: User) -> None:
        super().__init__(data, instance=instance)
        choose = self.fields["languages"]
        if isinstance(choose, forms.ChoiceField):
            choose.choices = languages.choices(first=instance.languages)

    def clean_about(self) -> str:
        """Check the text; muted users can't change it.

        :raises ValidationError: the user is muted and changed it.
        """
        about: str = self.cleaned_data["about"]
        is_new = about and about != self.initial["about"]
        if is_new and standing.is_muted(self.instance, timezone.now()):
            raise forms.ValidationError(standing.MUTED)
        return about

    def clean_languages(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["languages"]
        if len(chosen) > MAX_LANGUAGES:
            text = ngettext(
                "Choose at most {count} language.",
                "Choose at most {count} languages.",
                MAX_LANGUAGES,
            )
            raise forms.ValidationError(text.format(count=MAX_LANGUAGES))
        return chosen
