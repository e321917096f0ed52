"""The site's adapter for allauth's second factors: labels, and encryption of their keys."""

from typing import Any, ClassVar

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import at_rest
from accounts.models import User
from accounts.security import second_factor

WRONG_CODE = gettext_lazy("This code is wrong or was already used.")


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth is not typed for others
    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultMFAAdapter.error_messages,
        "cannot_delete_authenticator": gettext_lazy(
            "Your account has rights on this site, so it keeps a "
            "second factor. Add another one before you remove this one."
        ),
        "incorrect_code": WRONG_CODE,
        "unverified_email": gettext_lazy(
            "Confirm your email address before you add a second factor."
        ),
    }

    def get_totp_label(self, user: User) -> str:
        """Return the account's label in authenticator apps: the name, not the address."""
        return user.username

    def _get_user_identifier(self, user: User) -> str:
        return user.username

    def _get_site_name(self) -> str:
        return "Turnstone"

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002
        count = Authenticator.objects.filter(user=user, type=type).count()
        return _("Passkey {number}").format(number=count + 1) if count else _("Passkey")

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        user = authenticator.user
        return not second_factor.is_needed(user) or second_factor.of(user).count() > 1

    def encrypt(self, text: str) -> str:
        return at_rest.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt the key of an authenticator app or the seed of recovery codes.

        :raises cryptography.fernet.InvalidToken: it was encrypted under another ``SECRET_KEY``.
        """
        return at_rest.decrypt(encrypted_text)
