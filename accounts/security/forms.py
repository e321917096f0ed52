"""Forms for second factors, with the site's labels."""

from typing import Any, ClassVar

from allauth.mfa.base import forms as base_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn import forms as webauthn_forms
from django import forms
from django.core.validators import MaxLengthValidator

from accounts.forms import Plain
from accounts.security.mfa import WRONG_CODE

MAX_NAME_LENGTH = 60


class CodeForm(Plain, base_forms.AuthenticateForm):  # type: ignore[misc]
    """Entering a code while signing in."""

    words: ClassVar = {"code": ("Code", "From your authenticator app, or a recovery code.")}


class CodeAgainForm(Plain, base_forms.ReauthenticateForm):  # type: ignore[misc]
    """Entering a code again."""

    words: ClassVar = {"code": ("Code", "From your authenticator app, or a recovery code.")}


class AddTotpForm(Plain, totp_forms.ActivateTOTPForm):  # type: ignore[misc]
    """Adding an authenticator app."""

    words: ClassVar = {"code": ("Code", "The six digits that the app shows now.")}

    def clean_code(self) -> str:
        """Check the code and mark it as used, so that it can't sign anybody in too.

        :raises ValidationError: it is wrong or was used already.
        """
        code: str = super().clean_code()
        app = TOTP(Authenticator(user=self.user, type=Authenticator.Type.TOTP))
        if not app._mark_code_used(code):
            raise forms.ValidationError(WRONG_CODE)
        return code


class AddPasskeyForm(Plain, webauthn_forms.AddWebAuthnForm):  # type: ignore[misc]
    """Adding a passkey that the device stores, so that it signs in without a name."""

    words: ClassVar = {"name": ("Name", "To tell it from others, such as “Phone”.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].validators.append(MaxLengthValidator(MAX_NAME_LENGTH))
        self.fields.pop("passwordless", None)


class RenamePasskeyForm(Plain, webauthn_forms.EditWebAuthnForm):  # type: ignore[misc]
    """Renaming a passkey."""

    words: ClassVar = {"name": ("Name", "")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].validators.append(MaxLengthValidator(MAX_NAME_LENGTH))
