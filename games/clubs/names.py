"""Names of clubs: which are allowed, and which two look alike."""

import re
import unicodedata

from django.utils.translation import gettext as _

from accounts import names
from games.matches.errors import Refused

MIN_LENGTH = 3
MAX_LENGTH = 40
MAX_SKELETON = 2 * MAX_LENGTH
"""Maximum length of a skeleton, in which a letter such as œ has become two."""

NAME = re.compile(r"[A-Za-z0-9À-ÖØ-öø-ž '’&.!_-]+")
"""Letters of the Latin alphabet, also with accents, digits, spaces and some punctuation."""

PLAIN = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "ħ": "h",
        "Ħ": "H",
        "ŧ": "t",
        "Ŧ": "T",
        "ı": "i",
        "ĸ": "k",
        "ŋ": "n",
        "Ŋ": "N",
        "þ": "p",
        "Þ": "P",
    }
)
"""The plain letters for those that Unicode doesn't decompose."""


def plain(name: str) -> str:
    """Return a name with plain letters instead of those with accents."""
    decomposed = unicodedata.normalize("NFKD", name.translate(PLAIN))
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def skeleton(name: str) -> str:
    """Return a text that is the same for all names that look alike, as for names of users."""
    return re.sub(r"[^a-z0-9]", "", names.skeleton(plain(name)))


def validate(name: str) -> None:
    """Check that a name is allowed; not whether it is taken.

    :raises Refused: it isn't.
    """
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        words = _("The name of a club has {least} to {most} characters; this one has {count}.")
        raise Refused(words.format(least=MIN_LENGTH, most=MAX_LENGTH, count=len(name)))
    if not NAME.fullmatch(name):
        raise Refused(
            _(
                "The name of a club is made of Latin letters, digits, spaces, and the signs"
                " ’ & . ! - and _."
            )
        )
    if not skeleton(name):
        raise Refused(_("The name of a club needs at least one letter or digit."))
    # Spaces count as hyphens, so that words are told apart.
    words = "-".join(re.split(r"[^A-Za-z0-9]+", plain(name)))
    if skeleton(name) in names.RESERVED_SKELETONS or names.speaks_for_the_site(words):
        raise Refused(_("This name is reserved for the site itself."))
