"""Forms for second factors, with the site's labels."""

import logging
from typing import Any, ClassVar

from allauth.mfa.base import forms as base_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn import forms as webauthn_forms
from cryptography.fernet import InvalidToken
from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy

from accounts.forms import Plain
from accounts.security import second_factor
from accounts.security.mfa import WRONG_CODE

log = logging.getLogger(__name__)

MAX_NAME_LENGTH = 60

UNREADABLE = gettext_lazy(
    "The site can no longer check your codes, which is not your fault. Use a passkey if you have "
    "one. Otherwise write to us from the email address of your account."
)
PARTLY_UNREADABLE = {
    (Authenticator.Type.TOTP,): gettext_lazy(
        "This code is wrong or was already used. The site can no longer check the codes of your "
        "app, which is not your fault."
    ),
    (Authenticator.Type.RECOVERY_CODES,): gettext_lazy(
        "This code is wrong or was already used. The site can no longer check your recovery codes, "
        "which is not your fault."
    ),
    (Authenticator.Type.RECOVERY_CODES, Authenticator.Type.TOTP): gettext_lazy(
        "This code is wrong or was already used. The site can no longer check your recovery codes "
        "and the codes of your app, which is not your fault."
    ),
}
"""By the factors that can't be checked, sorted."""


class CodeCheck:
    """Mixin for forms with a code. It skips factors whose key the site can't decrypt."""

    def clean_code(self) -> str:
        """Check the code against all factors that can be read.

        :raises ValidationError: all of them refuse it.
        """
        try:
            code: str = super().clean_code()  # type: ignore[misc]
        except InvalidToken:
            code = self._check_readable()
        return code

    def _check_readable(self: Any) -> str:
        """Check the code against each factor, since allauth stops at one that it can't read."""
        code: str = self.cleaned_data["code"]
        unreadable = second_factor.unreadable(self.user)
        readable = second_factor.with_keys(self.user).exclude(type__in=unreadable)
        for factor in readable:
            if factor.wrap().validate_code(code):
                self.authenticator = factor
                return code
        log.error("A second factor is encrypted under a SECRET_KEY that the site doesn't have.")
        lost = tuple(Authenticator.Type(kind) for kind in sorted(unreadable))
        text = PARTLY_UNREADABLE[lost] if readable else UNREADABLE
        raise forms.ValidationError(text, code="unreadable")


class CodeForm(CodeCheck, Plain, base_forms.AuthenticateForm):  # type: ignore[misc]
    words: ClassVar = {
        "code": (
            gettext_lazy("Code"),
            gettext_lazy("From your authenticator app, or a recovery code."),
        )
    }


class CodeAgainForm(CodeCheck, Plain, base_forms.ReauthenticateForm):  # type: ignore[misc]
    words: ClassVar = {
        "code": (
            gettext_lazy("Code"),
            gettext_lazy("From your authenticator app, or a recovery code."),
        )
    }


class AddTotpForm(Plain, totp_forms.ActivateTOTPForm):  # type: ignore[misc]
    words: ClassVar = {
        "code": (gettext_lazy("Code"), gettext_lazy("The six digits that the app shows now."))
    }

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

    words: ClassVar = {
        "name": (gettext_lazy("Name"), gettext_lazy("To tell it from others, such as “Phone”."))
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].validators.append(MaxLengthValidator(MAX_NAME_LENGTH))
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        self.fields.pop("passwordless", None)


class RenamePasskeyForm(Plain, webauthn_forms.EditWebAuthnForm):  # type: ignore[misc]
    words: ClassVar = {"name": (gettext_lazy("Name"), "")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].validators.append(MaxLengthValidator(MAX_NAME_LENGTH))
        self.fields["name"].widget.attrs["autocomplete"] = "off"
