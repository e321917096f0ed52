"""Encryption of keys that the database holds, against copies of the database.

Keys are encrypted under ``SECRET_KEY``. Those under a key in ``SECRET_KEY_FALLBACKS`` can be read
too, until they are encrypted again (``manage.py reencrypt``).
"""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


def encrypt(text: str) -> str:
    return _cipher().encrypt(text.encode()).decode()


def decrypt(encrypted_text: str) -> str:
    """:raises cryptography.fernet.InvalidToken: it was encrypted under an unknown key."""
    return _cipher().decrypt(encrypted_text.encode()).decode()


def renewed(encrypted_text: str) -> str:
    """Encrypt again under ``SECRET_KEY``. Return the same text if it already is.

    :raises cryptography.fernet.InvalidToken: see :func:`decrypt`.
    """
    try:
        _fernet(settings.SECRET_KEY).decrypt(encrypted_text.encode())
    except InvalidToken:
        return _cipher().rotate(encrypted_text.encode()).decode()
    return encrypted_text


def _cipher() -> MultiFernet:
    """Return a cipher that encrypts under ``SECRET_KEY`` and decrypts under older keys too."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([_fernet(key) for key in keys])


def _fernet(secret: str | bytes) -> Fernet:
    digest = hashlib.sha256(f"accounts.security.mfa {secret!s}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
