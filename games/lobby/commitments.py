"""The dice commitment that a browser gets before it draws a nonce for a new challenge.

The form holds a signed token. The secret is derived from the token and ``SECRET_KEY``, so forms
that are never sent leave nothing behind. A token is valid for its user and for one challenge, as
no two challenges may have the same commitment. A visitor's token is valid for anybody, as the
visitor becomes a guest when the form is sent.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db import IntegrityError
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.kernel.dice import SIZE, commitment
from games.lobby.models import Challenge
from games.matches.errors import Refused
from games.matches.fields import Hidden

SIGNED = "games.lobby.commitments.token"
DERIVED = "games.lobby.commitments.secret"

FORM_LIFETIME = timedelta(days=1)
"""How long a form can be sent after it was rendered."""

FORM_EXPIRED = gettext_lazy(
    "The form has expired, and the dice have a new commitment. Please send it again."
)
ALREADY_SENT = gettext_lazy(
    "You have sent this challenge already. Send it again if you want another one like it."
)


class CommitmentRefused(Refused):
    """The token is invalid, expired or used."""

    code = "commitment-refused"


@dataclass(frozen=True)
class PendingSecret:
    """The secret of a challenge that isn't created yet, and its token."""

    token: str
    secret: Hidden = field(repr=False)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret, in hexadecimal."""
        return commitment(self.secret).hex()


def make(user: User | AnonymousUser) -> PendingSecret:
    """Draw a secret for a new challenge of a user or a visitor."""
    number = secrets.token_hex(SIZE)
    secret = _secret(user.pk, number)
    return PendingSecret(
        signing.dumps([user.pk, number, commitment(secret).hex()], salt=SIGNED), secret
    )


def of_submission(user: User, submission: UUID) -> PendingSecret:
    """Return the secret of the challenge with a submission id: at most one challenge.

    It is derived from the id and ``SECRET_KEY``. Its commitment isn't shown beforehand.
    """
    return PendingSecret("", _secret(user.pk, f"submission {submission}"))


def redeem(user: User | AnonymousUser, token: str) -> PendingSecret:
    """Return the secret of a token.

    :raises CommitmentRefused: the token is another user's, has no valid signature, or is too old.
    """
    try:
        owner, number, commitment = signing.loads(token, salt=SIGNED, max_age=FORM_LIFETIME)
    except signing.BadSignature as error:
        raise CommitmentRefused(FORM_EXPIRED) from error
    pending = PendingSecret(token, _secret(owner, number))
    if owner not in (None, user.pk) or pending.commitment != commitment:
        raise CommitmentRefused(FORM_EXPIRED)
    return pending


@contextmanager
def once(pending: PendingSecret) -> Iterator[None]:
    """Allow one challenge per pending secret, even if a form is sent twice concurrently.

    :raises CommitmentRefused: the secret has a challenge already.
    """
    same = Challenge.objects.filter(commitment=pending.commitment)
    if same.exists():
        raise CommitmentRefused(ALREADY_SENT)
    try:
        yield
    except IntegrityError as error:
        if same.exists():
            raise CommitmentRefused(ALREADY_SENT) from error
        raise


def _secret(owner: int | None, number: str) -> Hidden:
    """Derive 32 bytes from an owner's id, a number and ``SECRET_KEY``."""
    return Hidden(salted_hmac(DERIVED, f"{owner}:{number}", algorithm="sha256").digest())
