"""Proof of work: a puzzle that a browser solves before somebody can sign up.

People don't notice, since the browser works while they fill in the form. A program that signs up by
the thousand pays for each account with processor time.

The server picks a secret number below ``SIGNUP_WORK`` and publishes a salt and the PBKDF2 of both.
The browser tries all numbers (``static/js/site/work.js``). Browsers have PBKDF2 built in, so other
programs are hardly faster.

Nothing is stored until a puzzle is used: its signed token is in the form.

Source: Dwork and Naor, "Pricing via Processing or Combatting Junk Mail", 1992.
"""

import hashlib
import math
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from allauth.core import context
from django import forms
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy, ngettext

from accounts import limits

ROUNDS = 4096
"""PBKDF2 rounds for each number."""

HASH_LENGTH = 16
"""Bytes that PBKDF2 returns."""

MAX_SOLUTION_LENGTH = 20

PUZZLE_LIFETIME = timedelta(days=1)
"""How long a puzzle is valid."""

SIGNER = "accounts.proof_of_work"

PUZZLE_EXPIRED = gettext_lazy("This page has expired or was already used. Please press Join again.")


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: find the number whose PBKDF2 is ``target``, in hexadecimal."""

    token: str
    salt: str
    target: str
    made: datetime
    numbers: int
    rounds: int = ROUNDS

    @property
    def wait(self) -> int:
        """Seconds that the form must have been open if there is no solution."""
        return int(settings.SIGNUP_WAIT)

    def is_solved_by(self, solution: str) -> bool:
        return constant_time_compare(
            _derive(self.salt, solution[:MAX_SOLUTION_LENGTH]), self.target
        )

    def spend(self) -> bool:
        """Mark the puzzle as used; ``False`` if it was already."""
        return bool(cache.add(self._key, "used", int(PUZZLE_LIFETIME.total_seconds())))

    @property
    def is_spent(self) -> bool:
        return cache.get(self._key) is not None

    @property
    def _key(self) -> str:
        return f"work:{self.salt}"


def make(*, now: datetime) -> Puzzle:
    salt = secrets.token_urlsafe(16)
    target = _derive(salt, str(secrets.randbelow(settings.SIGNUP_WORK)))
    token = signing.dumps([salt, target, now.timestamp()], salt=SIGNER)
    return Puzzle(token, salt, target, now, settings.SIGNUP_WORK)


def read(token: str, *, now: datetime) -> Puzzle | None:
    """Return the puzzle of a token; ``None`` if it is forged, expired or used."""
    try:
        salt, target, made = signing.loads(token, salt=SIGNER)
    except signing.BadSignature:
        return None
    puzzle = Puzzle(token, salt, target, datetime.fromtimestamp(made, UTC), settings.SIGNUP_WORK)
    is_fresh = now - puzzle.made < PUZZLE_LIFETIME
    return puzzle if is_fresh and not puzzle.is_spent else None


def _derive(salt: str, number: str) -> str:
    key = hashlib.pbkdf2_hmac("sha256", salt.encode(), number.encode(), ROUNDS, HASH_LENGTH)
    return key.hex()


class WorkRequired:
    """Mixin for allauth's forms that asks for a proof of work once all fields are valid."""

    data: Any
    errors: Any
    _has_paid = False

    @cached_property
    def _sent_puzzle(self) -> Puzzle | None:
        return read(self.data.get("puzzle", ""), now=timezone.now())

    @property
    def puzzle(self) -> Puzzle | None:
        """The puzzle to show: the submitted one while it is valid, otherwise a new one.

        ``None`` if the site asks for no work.
        """
        if not settings.SIGNUP_WORK:
            return None
        sent = None if self._has_paid else self._sent_puzzle
        return sent or make(now=timezone.now())

    def clean(self) -> dict[str, Any]:
        """Check the fields, then the proof; a form that is validated again pays once.

        :raises ValidationError: the proof is missing.
        :raises TooMany: too many have joined without one.
        """
        cleaned: dict[str, Any] = super().clean()  # type: ignore[misc]
        if settings.SIGNUP_WORK and not self.errors and not self._has_paid:
            self._pay()
        return cleaned

    def _pay(self) -> None:
        sent = self._sent_puzzle
        if sent is None:
            raise forms.ValidationError(PUZZLE_EXPIRED, code="stale")
        if not sent.is_solved_by(self.data.get("solution", "")):
            seconds = sent.wait - math.floor((timezone.now() - sent.made).total_seconds())
            if seconds > 0:
                text = ngettext(
                    "Please press Join again in {count} second. Browsers with JavaScript don’t "
                    "have to wait.",
                    "Please press Join again in {count} seconds. Browsers with JavaScript don’t "
                    "have to wait.",
                    seconds,
                )
                raise forms.ValidationError(text.format(count=seconds), code="unsolved")
            limits.spend(context.request, "join-without-work")
            limits.spend_for_all(context.request, "join-without-work")
        self._has_paid = True
        if not sent.spend():
            raise forms.ValidationError(PUZZLE_EXPIRED, code="stale")
