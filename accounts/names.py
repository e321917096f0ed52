"""Names of users: which are allowed, and which two look alike."""

import re

from django.core.exceptions import ValidationError
from django.db.models import CharField, F, Func, Value
from django.db.models.functions import Lower, Replace
from django.utils.translation import gettext

MIN_LENGTH = 3
MAX_LENGTH = 20
NAME = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)

LOOK_ALIKES: dict[str, str] = {"_": "", "-": "", "o": "0", "i": "1", "l": "1"}
"""Which character people read for each lower-case character that looks like it."""

RESERVED = (
    "account",
    "accounts",
    "admin",
    "administrator",
    "anonymous",
    "anybody",
    "anyone",
    "bot",
    "bot-beginner",
    "bot-casual",
    "bot-expert",
    "bot-strong",
    "everybody",
    "everyone",
    "help",
    "moderator",
    "moderators",
    "mod",
    "nobody",
    "null",
    "none",
    "official",
    "postmaster",
    "root",
    "security",
    "server",
    "someone",
    "spectator",
    "staff",
    "superuser",
    "support",
    "system",
    "turnstone",
    "undefined",
    "webmaster",
    "you",
)
"""Names that would speak for the site, or for nobody in particular."""

SPEAKING_PARTS = ("admin", "moderator", "postmaster", "sysop", "turnstone", "webmaster")
"""A name that contains one of these speaks for the site."""

FALSE_MATCHES = ("badminton",)
"""Words that contain one of those parts by coincidence."""

SPEAKING_WORDS = ("mod", "mods", "official", "staff", "support")
"""A name with one of these as a word of its own speaks for the site."""

TITLES = ("a", "chief", "head", "my", "our", "real", "site", "super", "team", "the", "true")
"""Additions that don't change what a word means."""

MISREAD: dict[str, str] = {"3": "e", "4": "a", "5": "s", "7": "t", "rn": "m", "vv": "w"}
"""Further characters that some people misread; not enough to call two names alike."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A word in a name such as ``TheSite_team7``; in ``ABCdef`` the words are ``AB`` and ``Cdef``."""

BOT = "bot-"
"""Prefix of the names of the site's bots, which nobody else may use."""

LIKE_A_BOT = re.compile("b[o0]t[-_]", re.IGNORECASE)
"""Prefix of skeletons that look like a bot's name."""

GUEST = "guest-"
"""Prefix of the names of guests; a number follows."""

LIKE_A_GUEST = re.compile(r"guest\d*")
"""Pattern of skeletons that look like a guest's name."""

DELETED_PREFIX = "deleted-"
"""Prefix of the names of deleted users."""


def shown(name: str) -> str:
    """Return the name to show; the owner of a deleted account has no name."""
    return gettext("deleted player") if name.startswith(DELETED_PREFIX) else name


def skeleton(name: str) -> str:
    """Return a text that is the same for all names that look alike."""
    bones = name.lower()
    for sign, read_as in LOOK_ALIKES.items():
        bones = bones.replace(sign, read_as)
    return bones


def skeleton_of(column: str) -> Func:
    """Return `skeleton` as a database expression on a column of names."""
    expression: Func = Lower(F(column))
    for sign, read_as in LOOK_ALIKES.items():
        expression = Replace(expression, Value(sign), Value(read_as), output_field=CharField())
    return expression


RESERVED_SKELETONS = frozenset(skeleton(name) for name in RESERVED)


def speaks_for_the_site(name: str) -> bool:
    """Whether people might take this user for somebody who speaks for the site."""
    read = _read(name)
    for word in FALSE_MATCHES:
        read = read.replace(_read(word), "")
    if any(_read(part) in read for part in SPEAKING_PARTS):
        return True
    words = {_read(word) for word in WORD.findall(name)}
    return not words.isdisjoint(map(_read, SPEAKING_WORDS)) or bool(ENTITLED.fullmatch(read))


def _read(name: str) -> str:
    """Return how the name can be read at worst."""
    read = skeleton(name)
    for sign, read_as in MISREAD.items():
        read = read.replace(sign, read_as)
    return read


def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(map(_read, words))


ENTITLED = re.compile(
    rf"({_any_of(TITLES)}|\d)*({_any_of((*RESERVED, *SPEAKING_WORDS))})({_any_of(TITLES)}|\d)*"
)
"""A reserved name with only titles and digits around it."""


def validate(name: str) -> None:
    """Check that a name is allowed; not whether it is taken.

    :raises ValidationError: with a sentence for the person who typed it.
    """
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise ValidationError(
            gettext("A name has {minimum} to {maximum} characters; this one has {count}.").format(
                minimum=MIN_LENGTH, maximum=MAX_LENGTH, count=len(name)
            ),
            code="length",
        )
    if not NAME.fullmatch(name):
        raise ValidationError(
            gettext("A name is made of the letters A to Z, digits, hyphens and underscores."),
            code="characters",
        )
    bones = skeleton(name)
    if not bones:
        raise ValidationError(gettext("A name needs at least one letter or digit."), code="empty")
    gone = bones.startswith(skeleton(DELETED_PREFIX))
    taken_for = LIKE_A_BOT.match(name) or LIKE_A_GUEST.fullmatch(bones)
    if gone or taken_for or bones in RESERVED_SKELETONS or speaks_for_the_site(name):
        raise ValidationError(
            gettext("This name is reserved for the site itself."), code="reserved"
        )
