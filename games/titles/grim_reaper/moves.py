"""The four kinds of move as values, and their texts.

``str(move)`` is the canonical text. There is one more notation: a placement that begins with its
square, as a click on the board does: ``a1:M10`` for ``M10a1``.
"""

import re
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct

from games.kernel.completion import folded
from games.kernel.errors import MalformedMove, quoted
from games.kernel.language import gettext
from games.titles.grim_reaper.squares import NAMES, PATTERN, Square
from games.titles.grim_reaper.state import Sex

LIFE = "[1-9][0-9]?"
_PLACEMENT = re.compile(f"(?P<sex>[mf])(?P<life>{LIFE})(?P<square>{PATTERN})")
_SQUARE_FIRST = re.compile(f"(?P<square>{PATTERN}):(?P<sex>[mf])(?P<life>{LIFE})")
_WALK = re.compile(f"({PATTERN})-({PATTERN})")
BIRTHS = re.compile(rf"\+[mf]{PATTERN}(,[mf]{PATTERN})*")


class Placement(Struct, frozen=True):
    """A piece from the reserve. Its text is ``M10a1``."""

    sex: Sex
    life: int
    square: Square

    def __str__(self) -> str:
        return f"{self.sex}{self.life}{NAMES[self.square]}"


class Walk(Struct, frozen=True):
    """A move of a piece by one or two steps. Its text is ``b4-a4``."""

    origin: Square
    target: Square

    def __str__(self) -> str:
        return f"{NAMES[self.origin]}-{NAMES[self.target]}"


class Child(Struct, frozen=True, order=True):
    """A birth, with its square and sex. Its text is ``Ma2``."""

    square: Square
    sex: Sex

    def __str__(self) -> str:
        return f"{self.sex}{NAMES[self.square]}"


class Births(Struct, frozen=True):
    """The births of one step, by column, then row. Their text is ``+Ma2,Fc4``."""

    children: tuple[Child, ...]

    def __str__(self) -> str:
        return "+" + ",".join(map(str, self.children))


class Pass(Struct, frozen=True):
    """No placement, move or birth. Its text is ``pass``."""

    def __str__(self) -> str:
        return "pass"


Move: TypeAlias = Placement | Walk | Births | Pass


def parse(text: str) -> Move:
    """Parse a move, ignoring blanks and case.

    :raises MalformedMove: it isn't a move of this game.
    """
    typed = folded(text)
    if typed == str(Pass()):
        return Pass()
    if match := _PLACEMENT.fullmatch(typed) or _SQUARE_FIRST.fullmatch(typed):
        return Placement(_sex(match["sex"]), int(match["life"]), Square.parse(match["square"]))
    if match := _WALK.fullmatch(typed):
        return Walk(Square.parse(match[1]), Square.parse(match[2]))
    if BIRTHS.fullmatch(typed):
        return _births(text, typed)
    message = gettext(
        "{text} is no move. M10a1 places a male, b4-a4 moves a piece, +Ma2,Fc4 gives birth; pass"
        " does nothing."
    )
    raise MalformedMove(message.format(text=quoted(text.strip())))


def _births(text: str, typed: str) -> Births:
    children = sorted(map(parse_child, typed[1:].split(",")))
    for child, following in pairwise(children):
        if child.square == following.square:
            message = gettext("{text} is no move: {square} is named twice.")
            raise MalformedMove(message.format(text=quoted(text.strip()), square=child.square))
    return Births(tuple(children))


def parse_child(text: str) -> Child:
    """Parse a birth such as ``fc4``, in lower case.

    :raises ValueError: it is invalid.
    """
    return Child(Square.parse(text[1:]), _sex(text[0]))


def _sex(letter: str) -> Sex:
    return Sex(letter.upper())
