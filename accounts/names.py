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

GONE = "deleted-"
"""How the names of deleted users begin."""


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
    if bones in RESERVED_SKELETONS or bones.startswith(skeleton(GONE)):
        raise ValidationError("This name is kept for the site itself.", code="reserved")
