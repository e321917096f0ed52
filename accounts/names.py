"""Names of users: what may be one, and which two look too much alike to tell people apart."""

import re

from django.core.exceptions import ValidationError
from django.db.models import CharField, F, Func, Value
from django.db.models.functions import Lower, Replace

SHORTEST = 3
LONGEST = 20
NAME = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)

LOOK_ALIKES: dict[str, str] = {"_": "", "-": "", "o": "0", "i": "1", "l": "1"}
"""What each lower-case sign that people misread is read as."""

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
"""What makes any name that holds it speak for the site."""

HARMLESS = ("badminton",)
"""Words that hold one of those parts by chance."""

SPEAKING_WORDS = ("mod", "mods", "official", "staff", "support")
"""What makes a name speak for the site where it stands as a word, but not within another."""

TITLES = ("a", "chief", "head", "my", "our", "real", "site", "super", "team", "the", "true")
"""What people put before or behind a word without making it another."""

MISREAD: dict[str, str] = {"3": "e", "4": "a", "5": "s", "7": "t", "rn": "m", "vv": "w"}
"""What else is read as letters, though not by all: too little to take two names for one."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A word of a name as in ``TheSite_team7``; of ``ABCdef`` the words are ``AB`` and ``Cdef``."""

BOT = "bot-"
"""How the names of computer players begin, and nobody else's."""

LIKE_A_BOT = re.compile("b[o0]t[-_]", re.IGNORECASE)
"""The beginning of a name that people take for that of a bot."""

GUEST = "guest-"
"""How the names of guests begin; a number follows."""

LIKE_A_GUEST = re.compile(r"guest\d*")
"""The skeleton of a name that people take for that of a guest."""

GONE = "deleted-"
"""How the names of deleted users begin."""

DELETED = "deleted player"


def shown(name: str) -> str:
    """Return what people read of a name: whoever deleted the account has none any more."""
    return DELETED if name.startswith(GONE) else name


def skeleton(name: str) -> str:
    """Return what all names that look like this one have in common."""
    bones = name.lower()
    for sign, read_as in LOOK_ALIKES.items():
        bones = bones.replace(sign, read_as)
    return bones


def skeleton_of(column: str) -> Func:
    """Return `skeleton` as an expression of the database, on a column of names."""
    expression: Func = Lower(F(column))
    for sign, read_as in LOOK_ALIKES.items():
        expression = Replace(expression, Value(sign), Value(read_as), output_field=CharField())
    return expression


RESERVED_SKELETONS = frozenset(skeleton(name) for name in RESERVED)


def speaks_for_the_site(name: str) -> bool:
    """Say whether people would take what somebody of this name says for the word of the site."""
    read = _read(name)
    for word in HARMLESS:
        read = read.replace(_read(word), "")
    if any(_read(part) in read for part in SPEAKING_PARTS):
        return True
    words = {_read(word) for word in WORD.findall(name)}
    return not words.isdisjoint(map(_read, SPEAKING_WORDS)) or bool(ENTITLED.fullmatch(read))


def _read(name: str) -> str:
    """Return a name as somebody reads it who wants to be misled."""
    read = skeleton(name)
    for sign, read_as in MISREAD.items():
        read = read.replace(sign, read_as)
    return read


def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(map(_read, words))


ENTITLED = re.compile(
    rf"({_any_of(TITLES)}|\d)*({_any_of((*RESERVED, *SPEAKING_WORDS))})({_any_of(TITLES)}|\d)*"
)
"""A reserved name with nothing but titles and digits around it, as people read it."""


def validate(name: str) -> None:
    """Check that a name may be one; whether it is taken is asked elsewhere.

    :raises ValidationError: with a sentence for the person who typed it.
    """
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(
            f"A name has {SHORTEST} to {LONGEST} characters; this one has {len(name)}.",
            code="length",
        )
    if not NAME.fullmatch(name):
        raise ValidationError(
            "A name is made of the letters A to Z, digits, hyphens and underscores.",
            code="characters",
        )
    bones = skeleton(name)
    if not bones:
        raise ValidationError("A name needs at least one letter or digit.", code="empty")
    gone = bones.startswith(skeleton(GONE))
    taken_for = LIKE_A_BOT.match(name) or LIKE_A_GUEST.fullmatch(bones)
    if gone or taken_for or bones in RESERVED_SKELETONS or speaks_for_the_site(name):
        raise ValidationError("This name is kept for the site itself.", code="reserved")
