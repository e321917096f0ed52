"""The site's adapter for allauth's second factors: labels, and encryption of their keys."""

import base64
import hashlib
from typing import Any, ClassVar

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings

from accounts.models import User
from accounts.security import second_factor

WRONG_CODE = "This code is wrong or was already used."


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth is not typed for others
    """Adapts allauth's second factors to the site."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultMFAAdapter.error_messages,
        "cannot_delete_authenticator": "Your account has rights on this site, so it keeps a "
        "second factor. Add another one before you remove this one.",
        "incorrect_code": WRONG_CODE,
        "unverified_email": "Confirm your email address before you add a second factor.",
    }

    def get_totp_label(self, user: User) -> str:
        """Return the account's label in authenticator apps: the name, not the address."""
        return user.username

    def _get_user_identifier(self, user: User) -> str:
        """Return the account's label for a passkey."""
        return user.username

    def _get_site_name(self) -> str:
        return "Turnstone"

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002
        """Return the default name of a new passkey."""
        count = Authenticator.objects.filter(user=user, type=type).count()
        return f"Passkey {count + 1}" if count else "Passkey"

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Refuse to delete the last second factor of somebody who needs one."""
        user = authenticator.user
        return not second_factor.is_needed(user) or second_factor.of(user).count() > 1

    def encrypt(self, text: str) -> str:
        """Encrypt the key of an authenticator app, against copies of the database."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt the key of an authenticator app.

        :raises cryptography.fernet.InvalidToken: it was encrypted under another ``SECRET_KEY``.
        """
        return _cipher().decrypt(encrypted_text.encode()).decode()


def _cipher() -> MultiFernet:
    """Return a cipher that encrypts under ``SECRET_KEY`` and decrypts under older keys too."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derived(str(key))) for key in keys])


def _derived(secret: str) -> bytes:
    digest = hashlib.sha256(f"accounts.security.mfa {secret}".encode()).digest()
    return base64.urlsafe_b64encode(digest)
