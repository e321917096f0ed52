"""The commitment that a browser is sent before it makes a nonce for a new challenge.

The form carries a signed token, and the secret is derived from the token and ``SECRET_KEY``, so
that nothing is stored for forms that are never sent. A token is valid for its user and for one
challenge: no two challenges may have the same commitment. The token of a visitor is valid for
anybody, as the visitor becomes a guest when the form is sent.
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

from accounts.models import User
from games.kernel.dice import SIZE, commitment
from games.lobby.models import Challenge
from games.matches.errors import Refused
from games.matches.fields import Hidden

SIGNED = "games.lobby.commitments.token"
DERIVED = "games.lobby.commitments.secret"

FORM_LIFETIME = timedelta(days=1)
"""How long a form can be sent after it was rendered."""

FORM_EXPIRED = "The form has expired, and the dice have a new commitment. Please send it again."
ALREADY_SENT = (
    "You have sent this challenge already. Send it again if you want another one like it."
)


class CommitmentRefused(Refused):
    """A token that is not valid, has expired, or was used."""

    code = "commitment-refused"


@dataclass(frozen=True)
class PendingSecret:
    """The secret of a challenge that is still to be made, and its token."""

    token: str
    secret: Hidden = field(repr=False)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret, in hexadecimal."""
        return commitment(self.secret).hex()


def make(user: User | AnonymousUser) -> PendingSecret:
    """Draw a secret for a new challenge by a user or a visitor."""
    number = secrets.token_hex(SIZE)
    secret = _secret(user.pk, number)
    return PendingSecret(
        signing.dumps([user.pk, number, commitment(secret).hex()], salt=SIGNED), secret
    )


def of_submission(user: User, submission: UUID) -> PendingSecret:
    """Return the secret of the challenge that a user makes under an id: one challenge at most.

    It follows from the id and what only the site knows; nobody is shown its commitment before.
    """
    return PendingSecret("", _secret(user.pk, f"submission {submission}"))


def redeem(user: User | AnonymousUser, token: str) -> PendingSecret:
    """Return the secret behind a token.

    :raises CommitmentRefused: the token is another user's, not signed by this site, or too old.
    """
    try:
        owner, number, commitment = signing.loads(token, salt=SIGNED, max_age=FORM_LIFETIME)
    except signing.BadSignature as error:
        raise CommitmentRefused(FORM_EXPIRED) from error
    found = PendingSecret(token, _secret(owner, number))
    if owner not in (None, user.pk) or found.commitment != commitment:
        raise CommitmentRefused(FORM_EXPIRED)
    return found


@contextmanager
def once(pending: PendingSecret) -> Iterator[None]:
    """Let one challenge be made of a pending secret, even when a form is sent twice at once.

    :raises CommitmentRefused: there is one already.
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
    """Return the 32 bytes that follow from an owner's id, a number and ``SECRET_KEY``."""
    return Hidden(salted_hmac(DERIVED, f"{owner}:{number}", algorithm="sha256").digest())
